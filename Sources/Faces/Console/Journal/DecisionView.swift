import Calls
import WireFormats

/// A decision of policies: every statement that was evaluated, with a sign, and the two values that were compared.
struct DecisionView {
    /// A decision as `GET /_virga/journal/<id>` returns it.
    let decision: JSONValue
    /// Distinguishes the decision from others on the page.
    let index: Int

    var html: HTML {
        let isAllowed = decision["decision"]?.stringValue.map { $0 == "allowed" } ?? (decision["allowed"]?.boolValue ?? false)
        let statements = decision["statements"]?.arrayValue ?? []
        let id = "decision-\(index)"
        let outcome = isAllowed ? Outcome(kind: "good", sign: "✓", word: "allowed") : Outcome(kind: "bad", sign: "✗", word: "denied")
        return """
            <section class="decision" aria-labelledby="\(id)">
            <h3 id="\(id)">\(Parts.outcome(outcome)) <code>\(Parts.value(decision["action"]?.stringValue ?? ""))</code></h3>
            <p>on <code>\(Parts.name(decision["resource"]?.stringValue ?? "", limit: 1_000))</code></p>
            \(DecisionDiagram(decision: decision, id: id)?.html ?? "")\(reason(isAllowed))
            \(statements.isEmpty ? plainTrace : "<ol class=\"statements\">\n\(statements.map { statement in self.statement(statement, isAllowed) })</ol>")
            \(remedy)
            </section>

            """
    }

    private func reason(_ isAllowed: Bool) -> HTML {
        guard !isAllowed, let reason = decision["reason"]?.stringValue else { return "" }
        return "<p class=\"because\"><strong>Denied</strong> \(Parts.name(reason, limit: 1_000))</p>"
    }

    private func statement(_ statement: JSONValue, _ isAllowed: Bool) -> HTML {
        let applies = statement["applies"]?.boolValue ?? false
        let isDeny = statement["effect"]?.stringValue == "Deny"
        // An Allow decides an allowed request, a Deny that applies decides a denied one.
        let decides = applies && isDeny != isAllowed
        let sid = statement["sid"]?.stringValue.map { " “\($0)”" } ?? ""
        let sign: HTML = applies ? "<span class=\"good\">✓ applies</span>" : "<span class=\"bad\">✗ does not apply</span>"
        let mark: HTML = decides ? " <em>← this line decides</em>" : ""
        return """
            <li class="\(decides ? "decides" : "")">\(sign) \
            <strong>\(isDeny ? "Deny" : "Allow")</strong> in \(Parts.value(Self.name(statement))), \
            statement \(String(statement["statement"]?.integerValue ?? 1))\(Parts.value(sid))\(mark)\
            \(Self.mismatch(statement["mismatch"] ?? .null))</li>

            """
    }

    /// The type and name of a statement's policy.
    private static func name(_ statement: JSONValue) -> String {
        let name = statement["policy"]?.stringValue ?? ""
        if name.hasPrefix("trust policy") { return name }
        return "\(statement["policy_type"]?.stringValue ?? "policy") \(name)"
    }

    /// The element that did not match, with what the policy and the request have.
    private static func mismatch(_ mismatch: JSONValue) -> HTML {
        guard let element = mismatch["element"]?.stringValue else { return "" }
        let wanted = Self.values(mismatch["policy"] ?? .null)
        let found: HTML = mismatch["request"]?.arrayValue == nil ? "<em>not present</em>" : Self.values(mismatch["request"] ?? .null)
        return """
            <dl class="compare"><div><dt>\(Parts.value(element)) in the policy</dt><dd>\(wanted)</dd></div>\
            <div><dt>in the request</dt><dd>\(found)</dd></div></dl>
            """
    }

    /// The texts of an array, each on a line of its own.
    private static func values(_ array: JSONValue) -> HTML {
        let texts = (array.arrayValue ?? []).compactMap(\.stringValue)
        return "\(texts.map { text -> HTML in "<code>\(Parts.name(text, limit: 2_000))</code>" })"
    }

    /// The trace as text, where no statement was evaluated.
    private var plainTrace: HTML {
        let lines = (decision["explanation"] ?? decision["trace"])?.arrayValue?.compactMap(\.stringValue) ?? []
        guard !lines.isEmpty else {
            return "<p class=\"soft\">There was no policy to evaluate: the caller is a root user or anonymous.</p>"
        }
        return "<ul class=\"plain\">\(lines.map { line -> HTML in "<li>\(Parts.value(line, limit: 1_000))</li>" })</ul>"
    }

    /// The smallest change after which the request would be allowed.
    private var remedy: HTML {
        let steps = decision["remedy"]?.arrayValue ?? []
        guard !steps.isEmpty else { return "" }
        let parts = steps.enumerated().map { step, json -> HTML in
            let policy = json["policy"]?.stringValue ?? ""
            if let statement = json["add"] {
                return """
                    <p>Add this statement to \(Parts.value(policy)):</p>
                    \(Parts.code(statement.serialized(pretty: true), id: "remedy-\(index)-\(step)", label: "the statement"))
                    """
            }
            let number = json["remove"]?["statement"]?.integerValue ?? 1
            return "<p>Remove or narrow statement \(String(number)) (Deny) of \(Parts.value(policy)).</p>\n"
        }
        return "<div class=\"remedy\"><h4>What would allow this</h4>\n\(parts)</div>\n"
    }
}
