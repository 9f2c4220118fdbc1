import ControlDocuments
import VirgaServer
import WireFormats

/// The coverage of policies as the control API returns it.
struct CoverageReport: Sendable {
    typealias Policy = Document<CoveredPolicyMembers>
    typealias Statement = Document<CoveredStatementMembers>

    let coverage: Document<CoverageMembers>
    let policies: [Policy]

    /// - Returns: `nil` for a JSON document of another form.
    init?(_ coverage: Document<CoverageMembers>) {
        guard coverage.object["policies"] != nil else { return nil }
        self.coverage = coverage
        policies = coverage.policies
    }

    private var statements: [Statement] { policies.flatMap(\.statements) }

    /// The share of statements that decided a request, in percent.
    var percentage: Double {
        statements.isEmpty ? 100 : 100 * Double(statements.count { $0.use == "decided" }) / Double(statements.count)
    }

    /// The numbers in a sentence.
    var summary: String {
        let applied = statements.count { $0.use == "applied" }
        return "\(statements.count { $0.use == "decided" }) of \(statements.count) statements decided a request, "
            + "\(applied) applied and changed nothing"
    }

    /// The report as text: a line for each policy and each statement.
    var lines: [String] {
        var lines: [String] = []
        for policy in policies {
            lines.append(policy.title)
            for statement in policy.statements {
                let padding = String(repeating: " ", count: max(1, 9 - statement.use.count))
                let requests = statement.applied == 0 ? "" : ": \(statement.applied) \(statement.applied == 1 ? "request" : "requests")"
                lines.append("  \(statement.use)\(padding)\(statement.name)\(requests)")
            }
        }
        lines.append(summary)
        if !coverage.complete { lines.append("some requests were not recorded, because the memory for them was full") }
        return lines
    }

    /// The report in the format of Cobertura, which CI servers read.
    ///
    /// A statement is a line: that of its opening brace in the formatted policy. It is hit by each request that it applied to. It has two
    /// branches: it applied, and it decided.
    /// - Parameter sources: the folder of the policies as files.
    func cobertura(sources: String, at time: Timestamp) -> String {
        var xml = XMLWriter()
        xml.declaration()
        var text = String(decoding: xml.bytes, as: UTF8.self)
        text += "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n"
        var document = XMLWriter()
        let all = Rates(statements)
        document.element(
            "coverage",
            attributes: [
                "line-rate": all.lineRate, "branch-rate": all.branchRate, "lines-covered": String(all.coveredLines),
                "lines-valid": String(all.lines), "branches-covered": String(all.coveredBranches), "branches-valid": String(2 * all.lines),
                "complexity": "0", "version": "virga \(VirgaVersion.text)", "timestamp": String(time.milliseconds),
            ]
        ) { document in
            document.element("sources") { $0.element("source", sources) }
            document.element("packages") { document in
                var types: [String] = []
                for policy in policies where !types.contains(policy.policyType) { types.append(policy.policyType) }
                for type in types {
                    let policies = policies.filter { $0.policyType == type }
                    document.element("package", attributes: Rates(policies.flatMap(\.statements)).attributes(named: type)) { document in
                        document.element("classes") { document in
                            for policy in policies { Self.write(policy, into: &document) }
                        }
                    }
                }
            }
        }
        return text + String(decoding: document.bytes, as: UTF8.self) + "\n"
    }

    private static func write(_ policy: Policy, into document: inout XMLWriter) {
        let rates = Rates(policy.statements)
        document.element(
            "class",
            attributes: [
                "name": policy.title, "filename": policy.file, "line-rate": rates.lineRate, "branch-rate": rates.branchRate,
                "complexity": "0",
            ]
        ) { document in
            document.element("methods") { _ in }
            document.element("lines") { document in
                for statement in policy.statements {
                    let coverage = statement.use == "decided" ? "100% (2/2)" : statement.use == "applied" ? "50% (1/2)" : "0% (0/2)"
                    document.element(
                        "line",
                        attributes: [
                            "number": String(statement.line), "hits": String(statement.applied), "branch": "true",
                            "condition-coverage": coverage,
                        ]
                    ) { _ in }
                }
            }
        }
    }

    /// The shares that Cobertura's elements have.
    private struct Rates {
        var lines: Int
        var coveredLines: Int
        var coveredBranches: Int

        init(_ statements: [Statement]) {
            lines = statements.count
            coveredLines = statements.count { $0.use != "never" }
            coveredBranches = coveredLines + statements.count { $0.use == "decided" }
        }

        var lineRate: String { Self.rate(coveredLines, of: lines) }
        var branchRate: String { Self.rate(coveredBranches, of: 2 * lines) }

        func attributes(named name: String) -> KeyValuePairs<String, String> {
            ["name": name, "line-rate": lineRate, "branch-rate": branchRate, "complexity": "0"]
        }

        private static func rate(_ part: Int, of whole: Int) -> String {
            guard whole > 0 else { return "1" }
            let thousandths = (part * 10_000 + whole / 2) / whole
            let digits = String(10_000 + thousandths % 10_000).dropFirst()
            return "\(thousandths / 10_000).\(digits)"
        }
    }
}

extension CoverageReport.Policy {
    /// The policy and its holder, for display.
    fileprivate var title: String { "\(self.policyType) \(self.policy)" + (self.holder.isEmpty ? "" : " of \(self.holder)") }

    /// The policy as formatted JSON.
    var text: String { self.document.serialized(pretty: true) + "\n" }
}

extension CoverageReport.Statement {
    /// The number, the Sid and the effect.
    fileprivate var name: String {
        let sid = self.sid.map { " \"\($0)\"" } ?? ""
        return "statement \(self.statement)\(sid) (\(self.effect))"
    }
}
