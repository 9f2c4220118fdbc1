import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// One request of the journal: what was sent and answered, and what the policies decided.
struct JournalEntryPage {
    let visit: Visit
    /// The number or request ID.
    let id: String

    func response() async throws -> Response {
        let info = try await CloudInfo(visit.client)
        let answer = await visit.client.get("/journal/\(percentEncoded(id))")
        guard answer.isSuccess else { return gone(info) }
        let detail = answer.document(EntryDetailMembers.self)
        let entry = detail.entry
        var original: Document<EntryMembers>?
        if let of = visit.query.first("of") {
            let answer = await visit.client.get("/journal/\(percentEncoded(of))")
            if answer.isSuccess { original = answer.document() }
        }
        let decisions = detail.decisions
        let content: HTML = """
            <p><a href="\(Visit.path("/journal"))">← Journal</a></p>
            <h1>\(JournalTable.name(entry))</h1>
            \(original.map(comparison) ?? "")
            \(facts(entry))
            \(error(entry))
            <section aria-labelledby="decisions"><h2 id="decisions">Decisions</h2>
            \(decisions.isEmpty ? noDecision(entry) : "\(decisions.enumerated().map { DecisionView(decision: $1, index: $0).html })")
            </section>
            <section aria-labelledby="messages"><h2 id="messages">Request and response</h2>
            \(MessageView(detail).html)
            </section>
            \(again(detail, info))
            <details class="fold"><summary>The entry as JSON</summary>
            \(Parts.code(detail.json.serialized(pretty: true), id: "json", label: "the entry"))</details>
            """
        return ConsolePage(title: "Request \(id)", section: .journal, content: content).response(for: visit, info: info)
    }

    private func gone(_ info: CloudInfo) -> Response {
        let content: HTML = """
            <h1>Not in the journal</h1>
            <p>The journal has no entry \(Parts.value(id)). It keeps the last requests, and a reset empties it.</p>
            <p><a href="\(Visit.path("/journal"))">Back to the journal</a></p>
            """
        var page = ConsolePage(title: "Not in the journal", section: .journal, content: content)
        page.status = .notFound
        return page.response(for: visit, info: info)
    }

    private func facts(_ entry: Document<EntryMembers>) -> HTML {
        let faults = entry.faults.joined(separator: ", ")
        var rows: [(String, HTML)] = [
            ("Result", "\(Parts.outcome(Outcome(entry))) \(String(entry.status))"),
            ("Request", "<code>\(Parts.value(entry.method)) \(Parts.value(entry.target, limit: 1_000))</code>"),
            ("Host", "<code>\(Parts.value(entry.host))</code>"),
            ("Caller", "\(Parts.name(JournalTable.caller(entry), limit: 1_000))"),
            ("Time", "\(Parts.value(entry.time))"),
            ("Request ID", "<code>\(Parts.value(entry.requestID))</code>"),
        ]
        if let trace = entry.traceID { rows.append(("Trace", Self.sequence("trace_id", trace))) }
        if let caller = entry.caller { rows.append(("Picture", Self.sequence("caller", caller, "All requests of this caller"))) }
        if let key = entry.claimedKey { rows.append(("Claimed key", "<code>\(Parts.value(key))</code>")) }
        if let upstream = entry.upstream {
            let status = entry.upstreamStatus.map { "answered \($0)" } ?? "did not answer"
            rows.append(("Forwarded to", "<code>\(Parts.value(upstream))</code>, which \(Parts.value(status))"))
        }
        if entry.duration != nil { rows.append(("Duration", "\(JournalTable.duration(entry)) ms")) }
        if !faults.isEmpty { rows.append(("Errors on demand", "\(Parts.value(faults))")) }
        let lines = rows.map { name, value -> HTML in "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n" }
        return "<dl class=\"facts\">\n\(lines)</dl>\n"
    }

    /// A link to the requests with the same value as a sequence diagram.
    private static func sequence(_ name: String, _ value: String, _ text: String? = nil) -> HTML {
        "<a href=\"\(Visit.path("/journal/sequence"))?\(name)=\(percentEncoded(value))\">\(Parts.value(text ?? value))</a>"
    }

    private func error(_ entry: Document<EntryMembers>) -> HTML {
        guard let code = entry.error else { return "" }
        let reason = Parts.value(entry.reason ?? "", limit: 2_000)
        return "<div class=\"error\"><p><strong>\(Parts.value(code))</strong></p><p>\(reason)</p></div>\n"
    }

    private func noDecision(_ entry: Document<EntryMembers>) -> HTML {
        let text =
            switch (entry.face, entry.refused) {
            case ("control", _): "Control request: no policy is evaluated."
            case (_, true): "The request was refused before any policy was evaluated: its signature, token or login was not accepted."
            case (_, _) where entry.caller?.hasSuffix(":root") == true: "Root user: there is nothing to evaluate."
            default: "No policy was evaluated for this request."
            }
        return "<p class=\"soft\">\(text)</p>"
    }

    private func comparison(_ original: Document<EntryMembers>) -> HTML {
        """
        <div class="notice" role="note"><p>This is a replay of <a href="\(Visit.path("/journal/\(original.number)"))">request \(String(original.number))</a>, \
        which ended with \(Parts.outcome(Outcome(original))) \(String(original.status)) as \
        \(Parts.name(JournalTable.caller(original))).</p></div>

        """
    }

    private func again(_ detail: Document<EntryDetailMembers>, _ info: CloudInfo) -> HTML {
        let entry = detail.entry
        var callers: [String] = []
        for caller in [entry.caller, info.root] {
            if let caller, !callers.contains(caller), caller.hasPrefix("arn:") || caller.hasPrefix("acs:") { callers.append(caller) }
        }
        let options = (callers + ["anonymous"]).map { caller -> HTML in
            "<option value=\"\(caller)\">\(caller.visible)</option>"
        }
        let lacksBody = !entry.captured && ["POST", "PUT"].contains(entry.method)
        let note: HTML =
            lacksBody
            ? "<p class=\"soft\">The body of this request was not captured, so the replay has none. Capture bodies, and send the request once more.</p>"
            : ""
        return """
            <section aria-labelledby="again"><h2 id="again">Send it again</h2>
            \(note)<form method="post" action="\(Visit.path("/journal/\(percentEncoded(id))/replay"))" class="row">\(visit.formToken)
            <label for="as">As</label><select id="as" name="as">\(options)</select>
            <button>Replay</button></form>
            \(Parts.code(detail.curl, id: "curl", label: "curl command"))
            </section>

            """
    }
}
