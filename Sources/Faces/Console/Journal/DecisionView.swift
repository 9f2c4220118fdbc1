import Calls
import ControlDocuments
import WireFormats

/// A decision of policies: every statement that was evaluated, with a sign, and the two values that were compared.
struct DecisionView {
    /// A decision as `GET /_virga/journal/<id>` returns it.
    let decision: Document<DecisionMembers>
    /// Distinguishes the decision from others on the page.
    let index: Int

    var html: HTML {
        let isAllowed = decision.decision == "allowed"
        let statements = decision.statements
        let id = "decision-\(index)"
        let outcome = isAllowed ? Outcome(kind: "good", sign: "✓", word: "allowed") : Outcome(kind: "bad", sign: "✗", word: "denied")
        return """
            <section class="decision" aria-labelledby="\(id)">
            <h3 id="\(id)">\(Parts.outcome(outcome)) <code>\(Parts.value(decision.action))</code></h3>
            <p>on <code>\(Parts.name(decision.resource, limit: 1_000))</code></p>
            \(DecisionDiagram(decision: decision, id: id)?.html ?? "")\(reason(isAllowed))
            \(statements.isEmpty ? plainTrace : "<ol class=\"statements\">\n\(statements.map { statement in self.statement(statement, isAllowed) })</ol>")
            \(remedy)
            </section>

            """
    }

    private func reason(_ isAllowed: Bool) -> HTML {
        guard !isAllowed, let reason = decision.reason else { return "" }
        return "<p class=\"because\"><strong>Denied</strong> \(Parts.name(reason, limit: 1_000))</p>"
    }

    private func statement(_ statement: Document<StatementMembers>, _ isAllowed: Bool) -> HTML {
        let applies = statement.applies
        let isDeny = statement.effect == "Deny"
        // An Allow decides an allowed request, a Deny that applies decides a denied one.
        let decides = applies && isDeny != isAllowed
        let sid = statement.sid.map { " “\($0)”" } ?? ""
        let sign: HTML = applies ? "<span class=\"good\">✓ applies</span>" : "<span class=\"bad\">✗ does not apply</span>"
        let mark: HTML = decides ? " <em>← this line decides</em>" : ""
        return """
            <li class="\(decides ? "decides" : "")">\(sign) \
            <strong>\(isDeny ? "Deny" : "Allow")</strong> in \(Parts.value(Self.name(statement))), \
            statement \(String(statement.statement))\(Parts.value(sid))\(mark)\
            \(statement.mismatch.map(Self.mismatch) ?? "")</li>

            """
    }

    /// The type and name of a statement's policy.
    private static func name(_ statement: Document<StatementMembers>) -> String {
        statement.policy.hasPrefix("trust policy") ? statement.policy : "\(statement.policyType) \(statement.policy)"
    }

    /// The element that did not match, with what the policy and the request have.
    private static func mismatch(_ mismatch: Document<MismatchMembers>) -> HTML {
        """
        <dl class="compare"><div><dt>\(Parts.value(mismatch.element)) in the policy</dt><dd>\(values(mismatch.policy))</dd></div>\
        <div><dt>in the request</dt><dd>\(mismatch.request.map(values) ?? "<em>not present</em>")</dd></div></dl>
        """
    }

    /// Texts, each on a line of its own.
    private static func values(_ texts: [String]) -> HTML {
        "\(texts.map { text -> HTML in "<code>\(Parts.name(text, limit: 2_000))</code>" })"
    }

    /// The trace as text, where no statement was evaluated.
    private var plainTrace: HTML {
        let lines = decision.explanation
        guard !lines.isEmpty else {
            return "<p class=\"soft\">There was no policy to evaluate: the caller is a root user or anonymous.</p>"
        }
        return "<ul class=\"plain\">\(lines.map { line -> HTML in "<li>\(Parts.value(line, limit: 1_000))</li>" })</ul>"
    }

    /// The smallest change after which the request would be allowed.
    private var remedy: HTML {
        guard let steps = decision.remedy, !steps.isEmpty else { return "" }
        let parts = steps.enumerated().map { number, step -> HTML in
            if let statement = step.add {
                return """
                    <p>Add this statement to \(Parts.value(step.policy)):</p>
                    \(Parts.code(statement.serialized(pretty: true), id: "remedy-\(index)-\(number)", label: "the statement"))
                    """
            }
            return "<p>Remove or narrow statement \(String(step.remove?.statement ?? 1)) (Deny) of \(Parts.value(step.policy)).</p>\n"
        }
        return "<div class=\"remedy\"><h4>What would allow this</h4>\n\(parts)</div>\n"
    }
}
