import Calls
import ControlDocuments
import WireFormats

/// A row for each action and resource, and the decision behind it.
struct SimulatorResults {
    private static let mostTraces = 20

    let visit: Visit
    let question: SimulationQuestion
    let rows: [Simulator.Row]

    var html: HTML {
        guard !rows.isEmpty else { return "" }
        let isCompared = !question.other.isEmpty
        let lines = rows.enumerated().map { index, row -> HTML in
            let other: HTML = isCompared ? "<td data-label=\"\(question.other)\">\(row.other.map(outcome) ?? "")</td>" : ""
            return """
                <tr><td data-label="\(question.caller)">\(outcome(row.answer))</td>\(other)\
                <td><a href="#row-\(String(index))"><code>\(Parts.value(row.action))</code></a></td>\
                <td><code>\(Parts.name(row.resource, limit: 300))</code></td></tr>

                """
        }
        let otherHead: HTML = isCompared ? "<th scope=\"col\">\(Parts.value(question.other, limit: 80))</th>" : ""
        let traces = rows.prefix(Self.mostTraces).enumerated().map(trace)
        return """
            <section aria-labelledby="result"><h2 id="result">\(summary)</h2>
            <div class="scroll" tabindex="0" role="region" aria-label="Decisions"><table class="stack">
            <thead><tr><th scope="col">\(isCompared ? Parts.value(question.caller, limit: 80) : "Result")</th>\(otherHead)\
            <th scope="col">Action</th><th scope="col">Resource</th></tr></thead>
            <tbody>\(lines)</tbody></table></div>\(missing)</section>
            \(traces)
            \(calls)
            """
    }

    /// The condition keys without a value that policies need.
    private var missing: HTML {
        let marker = " → no value for "
        let texts = rows.flatMap { Self.decision($0.answer).statements.flatMap { $0.mismatch?.policy ?? [] } }
        let keys = texts.compactMap { text in text.firstRange(of: marker).map { text[$0.upperBound...] } }
            .flatMap { $0.split(separator: ",") }.map { String($0).trimmed }.reduce(into: [String]()) {
                if !$0.contains($1) { $0.append($1) }
            }
        guard !keys.isEmpty else { return "" }
        let names = keys.prefix(5).enumerated().map { index, key -> HTML in
            "\(index == 0 ? "" : ", ")<code>\(Parts.value(key, limit: 200))</code>"
        }
        return "<p>Fill in \(names) above to decide as one person.</p>"
    }

    private var summary: String {
        let allowed = rows.count { Self.decision($0.answer).decision == "allowed" }
        if rows.allSatisfy({ Self.decision($0.answer).decision.isEmpty }) { return "No decision" }
        if rows.count == 1 { return allowed == 1 ? "Allowed" : "Not allowed" }
        return "\(allowed) of \(rows.count) allowed"
    }

    private static func decision(_ answer: ControlAnswer) -> Document<DecisionMembers> { answer.document() }

    /// The decision in words.
    private func outcome(_ answer: ControlAnswer) -> HTML {
        switch Self.decision(answer).decision {
        case "allowed": Parts.outcome(Outcome(kind: "good", sign: "✓", word: "allowed"))
        case "explicitDeny": Parts.outcome(Outcome(kind: "bad", sign: "✗", word: "denied explicitly"))
        case "implicitDeny": Parts.outcome(Outcome(kind: "bad", sign: "✗", word: "nothing allows it"))
        default: Parts.outcome(Outcome(kind: "warn", sign: "!", word: "no decision"))
        }
    }

    private func trace(_ index: Int, _ row: Simulator.Row) -> HTML {
        let id = "row-\(index)"
        guard row.answer.isSuccess else {
            let refusal = row.answer.refusal
            return """
                <div class="error" id="\(id)" role="alert"><p><strong>✗ <code>\(Parts.value(row.action))</code></strong> on <code>\(Parts.name(row.resource, limit: 300))</code></p>
                <p>\(Parts.value(refusal?.message ?? "", limit: 2_000))</p><p class="soft">Code: <code>\(refusal?.code.visible ?? "")</code></p></div>

                """
        }
        let message: HTML =
            Self.decision(row.answer).message.map {
                "<p class=\"soft\">The service says: <q>\(Parts.value($0, limit: 1_000))</q></p>\n"
            } ?? ""
        let other: HTML =
            if let answer = row.other {
                """
                <details class="fold"><summary>The same for \(Parts.value(question.other))</summary>
                \(answer.isSuccess ? DecisionView(decision: Self.decision(answer), index: 500 + index).html : "<p>\(Parts.value(answer.refusal?.message ?? "", limit: 1_000))</p>")</details>
                """
            } else {
                ""
            }
        return "<div id=\"\(id)\">\(DecisionView(decision: Self.decision(row.answer), index: index).html)\(message)\(other)</div>\n"
    }

    private var calls: HTML {
        let lines = rows.prefix(Self.mostTraces).map { row in
            "curl --data '\(row.body.serialized().replacing("'", with: "'\\''"))' \(visit.place.services)/_virga/explain"
        }
        return """
            \(Parts.calls(lines.joined(separator: "\n")))

            """
    }
}
