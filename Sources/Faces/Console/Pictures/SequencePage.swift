import Calls
import ControlDocuments
import WireFormats

/// The requests of a trace, a walk or a caller as a sequence diagram. The parameters are those of the journal's filters, or the `walk`.
struct SequencePage {
    let visit: Visit

    private var filter: JournalFilter { JournalFilter(query: visit.query) }

    /// The requests, the oldest first.
    private struct Selection {
        var title: String
        var steps: [JournalStep]
        /// How many earlier requests were not read.
        var earlier = 0
        var refusal: ConsoleRefusal?
    }

    func response() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let selection = if let walk = visit.query.first("walk") { await requests(ofWalk: walk) } else { await selected() }
        let diagram = SequenceDiagram(selection.steps, earlier: selection.earlier)
        let picture: HTML =
            selection.steps.isEmpty
            ? "<p class=\"empty\">No request yet.</p>\n"
            : "\(Picture.frame(diagram.html(title: selection.title, entries: Visit.path("/journal/")), label: selection.title))\(list(selection.steps))"
        let content: HTML = """
            <p><a href="\(Visit.path("/journal"))">← Journal</a></p>
            <h1>\(Parts.value(selection.title))</h1>
            \(selection.refusal.map { refusal -> HTML in "<p class=\"error\" role=\"alert\">\(Parts.value(refusal.message))</p>" } ?? "")
            <p class="soft">Time runs from top to bottom. Each arrow opens its entry of the journal; a cross is a request that failed. \
            \(diagram.leftOutSentence ?? "")</p>
            \(picture)\(call)
            """
        var page = ConsolePage(title: "Sequence diagram", section: .journal, content: content)
        page.isWide = true
        return page.response(for: visit, info: info)
    }

    // MARK: Requests

    private func selected() async -> Selection {
        let title =
            if !filter["trace_id"].isEmpty { "Trace \(filter["trace_id"])" } else if !filter["caller"].isEmpty {
                "Requests of \(filter["caller"])"
            } else { "Requests as a sequence diagram" }
        let (steps, count, refusal) = await read(filter.request)
        return Selection(title: title, steps: steps, earlier: max(0, count - steps.count), refusal: refusal)
    }

    /// Returns the requests of a walk: those that the console sent in its trace, and those of the browser to the login page.
    private func requests(ofWalk walk: String) async -> Selection {
        let (sent, count, refusal) = await read(["trace_id": WalkTrace(walk: walk).id])
        // The walk is named in the `state` of its logins.
        let logins = await read(["path": walk, "exclude": "face:control"]).steps.filter { $0.receiver == .provider }
        var signIns: [JournalStep] = []
        if let first = logins.first {
            let after = await read(["operation": "SignIn", "after": String(first.number)]).steps
            signIns = after.filter { step in logins.contains { $0.face == step.face } && Self.belongs(step, to: logins, before: sent) }
        }
        var steps: [JournalStep] = []
        for step in (sent + logins + signIns).sorted(by: { $0.number < $1.number }) where steps.last?.number != step.number {
            steps.append(step)
        }
        return Selection(title: "Requests of a walk", steps: steps, earlier: max(0, count - sent.count), refusal: refusal)
    }

    /// Returns whether a form of a login page follows a login of the walk, before the console's next request to the provider.
    private static func belongs(_ step: JournalStep, to logins: [JournalStep], before sent: [JournalStep]) -> Bool {
        guard let login = logins.last(where: { $0.number < step.number && $0.face == step.face }) else { return false }
        let next = sent.first { $0.number > login.number }
        return next.map { step.number < $0.number } ?? true
    }

    /// Reads the newest requests that a filter selects, and how many it selects.
    private func read(_ filter: FormFields) async -> (steps: [JournalStep], count: Int, refusal: ConsoleRefusal?) {
        var request = filter
        request.fields.append(.init(name: "limit", value: String(SequenceDiagram.mostArrows)))
        request.fields.append(.init(name: "count", value: "true"))
        let answer = await visit.client.get("/journal", request)
        let journal = answer.document(JournalMembers.self)
        let steps = journal.entries.reversed().map { JournalStep(json: $0.json) }
        return (steps, Int(journal.selected ?? 0), answer.refusal)
    }

    // MARK: Words

    /// The requests as a list, for those who do not see the picture.
    private func list(_ steps: [JournalStep]) -> HTML {
        let items = steps.suffix(SequenceDiagram.mostArrows).map { step -> HTML in
            let outcome = Outcome(step)
            let reason: HTML =
                if step.hasFailed, let reason = step.reason { "<br><span class=\"bad\">\(Parts.value(reason, limit: 200))</span>" } else {
                    ""
                }
            return """
                <li value="\(String(step.number))"><a href="\(Visit.path("/journal/\(step.number)"))">\(Parts.value(step.name, limit: 60))</a> \
                from \(step.sender.title) to \(step.receiver.title): \(Parts.outcome(outcome)) \(String(step.status))\(reason)</li>

                """
        }
        return "<details class=\"fold\"><summary>The requests as a list</summary><ol>\n\(items)</ol></details>\n"
    }

    private var call: HTML {
        guard visit.query.first("walk") == nil else { return "" }
        let url = "\(visit.place.services)/_virga/journal/diagram?\(filter.request.encoded)"
        return """
            <details class="fold"><summary>The picture as a file</summary>
            \(Parts.code("curl --output requests.svg '\(url)'", id: "call", label: "the call"))</details>

            """
    }
}

extension Outcome {
    fileprivate init(_ step: JournalStep) {
        if step.isRefused {
            self.init(kind: "bad", sign: "✗", word: "refused")
        } else if step.hasFailed {
            self.init(kind: "warn", sign: "!", word: "failed")
        } else {
            self.init(kind: "good", sign: "✓", word: "ok")
        }
    }
}
