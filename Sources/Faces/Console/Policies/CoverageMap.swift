import Calls
import ControlDocuments
import WireFormats

/// The text of a policy as a map: which statements decided recorded requests, which were used, and which never.
struct CoverageMap {
    let policy: Document<CoveredPolicyMembers>
    /// The number of distinct requests that were recorded.
    let requests: Int64
    /// Whether all requests are among them.
    let isComplete: Bool
    /// Distinguishes the map from others on the page.
    var id = "coverage"

    /// A part of the text.
    struct Part {
        var text: String
        /// The statement that it is; `nil` for what stands around statements.
        var statement: Document<CoveredStatementMembers>?
    }

    /// The text in parts, in its order. If the lines of statements are not known, it is one part.
    var parts: [Part] {
        let lines = policy.document.serialized(pretty: true).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let texts = policy.document["Statement"].map { $0.arrayValue ?? [$0] } ?? []
        guard texts.count == policy.statements.count else { return [Part(text: lines.joined(separator: "\n"))] }
        var parts: [Part] = []
        var next = 0
        func add(_ end: Int, _ statement: Document<CoveredStatementMembers>?) {
            if next < end { parts.append(Part(text: lines[next..<end].joined(separator: "\n"), statement: statement)) }
            next = max(next, end)
        }
        for (statement, text) in zip(policy.statements, texts) {
            let start = Int(statement.line) - 1
            let end = start + 1 + text.serialized(pretty: true).utf8.count { $0 == UInt8(ascii: "\n") }
            guard start >= next, end <= lines.count else { return [Part(text: lines.joined(separator: "\n"))] }
            add(start, nil)
            add(end, statement)
        }
        add(lines.count, nil)
        return parts
    }

    /// The numbers in a sentence.
    var summary: String {
        let statements = policy.statements
        func count(_ use: String) -> Int { statements.count { $0.use == use } }
        return "Of \(statements.count) \(statements.count == 1 ? "statement" : "statements"), \(count("decided")) decided a request, "
            + "\(count("applied")) \(count("applied") == 1 ? "was" : "were") used without changing a decision, \(count("never")) never applied."
    }

    var html: HTML {
        guard requests > 0 else {
            return """
                <section aria-labelledby="\(id)"><h2 id="\(id)">Coverage</h2>
                <p class="empty">No request is recorded. <a href="\(PolicyViews.usage.path)">Record requests</a> to see which statements they use.</p></section>

                """
        }
        let noun = requests == 1 ? "distinct request" : "distinct requests"
        let limit: HTML = isComplete ? "" : " Some requests are not counted, because the memory for them was full."
        return """
            <section aria-labelledby="\(id)"><h2 id="\(id)">Coverage</h2>
            <p>\(summary) Recorded: \(String(requests)) \(noun) of all callers.\(limit)</p>
            <div class="map" tabindex="0" role="region" aria-label="The text of the policy, with the use of each statement">
            \(parts.map(shown))</div></section>

            """
    }

    private func shown(_ part: Part) -> HTML {
        guard let statement = part.statement else { return "<pre>\(Parts.lines(part.text))</pre>\n" }
        let outcome = Self.outcome(statement.use)
        let sid = statement.sid.map { sid -> HTML in " “\(Parts.value(sid, limit: 120))”" } ?? ""
        return """
            <div class="use \(outcome.kind)"><p>\(Parts.outcome(outcome)) Statement \(String(statement.statement))\(sid) (\(statement.effect)): \
            \(Self.numbers(statement))</p>
            <pre>\(Parts.lines(part.text))</pre></div>

            """
    }

    static func outcome(_ use: String) -> Outcome {
        switch use {
        case "decided": Outcome(kind: "good", sign: "✓", word: "decided")
        case "applied": Outcome(kind: "warn", sign: "○", word: "used")
        default: Outcome(kind: "soft", sign: "–", word: "never")
        }
    }

    private static func numbers(_ statement: Document<CoveredStatementMembers>) -> String {
        guard statement.applied > 0 else { return "it applied to no request." }
        let noun = statement.applied == 1 ? "request" : "requests"
        return "it applied to \(statement.applied) \(noun) and decided \(statement.decided)."
    }
}
