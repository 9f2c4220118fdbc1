import Calls
import ControlDocuments
import WireFormats

/// The requests that policies decided: how many when, and which statements they used.
struct UsagePage {
    /// The most bytes of the list of policies.
    private static let mostBytes = 60_000
    /// The most rows of numbers beside the picture.
    private static let mostIntervals = 60

    let visit: Visit
    let info: CloudInfo

    func response() async -> Response {
        let history = await visit.client.get("/usage/history").document(HistoryMembers.self)
        let coverage = await visit.client.get("/usage/coverage").document(CoverageMembers.self)
        let content: HTML = """
            <h1>Usage and coverage</h1>
            \(PolicyViews.usage.links)
            \(recording(history.enabled, coverage))
            <section aria-labelledby="history"><h2 id="history">Decisions over time</h2>
            \(numbers(history))</section>
            <section aria-labelledby="policies"><h2 id="policies">Policies</h2>
            \(policies(coverage))</section>
            \(Parts.calls(calls))

            """
        return ConsolePage(title: "Usage and coverage", section: .policies, content: content).response(for: visit, info: info)
    }

    private var calls: String {
        let origin = visit.place.services
        return """
            curl --request PUT --data '{"enabled":true}' \(origin)/_virga/usage
            curl \(origin)/_virga/usage/history
            curl \(origin)/_virga/usage/coverage
            """
    }

    private func recording(_ isEnabled: Bool, _ coverage: Document<CoverageMembers>) -> HTML {
        let state: HTML =
            isEnabled
            ? "Requests are recorded."
            : "Requests are not recorded. Recording costs memory, at most 32 MB, and a little time for each request."
        let limit: HTML =
            coverage.complete || coverage.requests == 0 ? "" : " Some requests are not counted, because the memory for them was full."
        let forget: HTML =
            coverage.requests == 0
            ? ""
            : """
            <form method="post" action="\(Visit.path("/policies/forget"))" data-confirm="Delete every recorded request?">\(visit.formToken)\
            <button class="danger">Delete what is recorded</button></form>
            """
        return """
            <p>\(state)\(limit)</p>
            <div class="row"><form method="post" action="\(Visit.path("/policies/\(isEnabled ? "stop" : "record")"))">\(visit.formToken)\
            <button\(isEnabled ? "" : " class=\"primary\"" as HTML)>\(isEnabled ? "Stop recording" : "Record requests")</button></form>\(forget)</div>

            """
    }

    // MARK: The history

    private func numbers(_ history: Document<HistoryMembers>) -> HTML {
        guard let diagram = UsageDiagram(history) else {
            return "<p class=\"empty\">No decision is recorded.</p>\n"
        }
        let rows = history.intervals.suffix(Self.mostIntervals).reversed().map { interval -> HTML in
            """
            <tr><td><time datetime="\(interval.start)">\(UsageDiagram.text(interval.start))</time></td>\
            <td class="number">\(String(interval.allowed))</td><td class="number">\(String(interval.denied))</td></tr>

            """
        }
        let busiest = diagram.busiest
        return """
            \(diagram.html)
            <dl class="facts">
            <div><dt>Decisions</dt><dd>\(String(history.allowed + history.denied))</dd></div>
            <div><dt class="good">✓ allowed</dt><dd>\(String(history.allowed))</dd></div>
            <div><dt class="bad">✗ denied</dt><dd>\(String(history.denied))</dd></div>
            <div><dt>Most</dt><dd>\(String(busiest.allowed + busiest.denied)) in the \(diagram.length) from \(busiest.name)</dd></div>
            </dl>
            <p class="soft">Times are those of the sandbox’s clock. One request can need several decisions.</p>
            <details class="fold"><summary>The latest numbers, for each \(UsageDiagram.words(diagram.step))</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Decisions by interval"><table>
            <thead><tr><th scope="col">From</th><th scope="col" class="number">Allowed</th><th scope="col" class="number">Denied</th></tr></thead>
            <tbody>\(Array(rows))</tbody></table></div></details>

            """
    }

    // MARK: The policies

    private func policies(_ coverage: Document<CoverageMembers>) -> HTML {
        guard !coverage.policies.isEmpty else { return "<p class=\"empty\">There is no policy.</p>\n" }
        let counts = coverage.statements
        var rows: [HTML] = []
        var bytes = 0
        // Those that requests use come first.
        for policy in coverage.policies.sorted(by: { Self.rank($0) > Self.rank($1) }) where bytes < Self.mostBytes {
            let row = row(policy)
            bytes += row.text.utf8.count
            rows.append(row)
        }
        let more = coverage.policies.count - rows.count
        let rest: HTML = more > 0 ? "<p class=\"soft\">\(String(more)) more policies are not shown.</p>\n" : ""
        return """
            <p>Statements: \(String(counts.decided)) decided a request, \(String(counts.applied)) used without changing a decision, \
            \(String(counts.never)) never used. Distinct requests: \(String(coverage.requests)).</p>
            <div class="scroll" tabindex="0" role="region" aria-label="Coverage of policies"><table class="stacked">
            <thead><tr><th scope="col">Policy</th><th scope="col">Of</th><th scope="col" class="number">✓ decided</th>\
            <th scope="col" class="number">○ used</th><th scope="col" class="number">– never</th></tr></thead>
            <tbody>\(rows)</tbody></table></div>\(rest)
            """
    }

    private static func rank(_ policy: Document<CoveredPolicyMembers>) -> Int {
        policy.statements.contains { $0.use == "decided" } ? 2 : policy.statements.contains { $0.use == "applied" } ? 1 : 0
    }

    private func row(_ policy: Document<CoveredPolicyMembers>) -> HTML {
        func cell(_ use: String, _ head: String) -> HTML {
            "<td class=\"number\" data-head=\"\(head)\">\(String(policy.statements.count { $0.use == use }))</td>"
        }
        return """
            <tr><th scope="row"><a href="\(CoveragePage.path(policy.file))">\(Parts.name(policy.policy, limit: 200))</a></th>\
            <td>\(policy.policyType.visible)\(policy.holder.isEmpty ? "" : " of \(Parts.name(policy.holder, limit: 200))" as HTML)</td>\
            \(cell("decided", "✓ decided"))\(cell("applied", "○ used"))\(cell("never", "– never"))</tr>

            """
    }
}
