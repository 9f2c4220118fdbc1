import Calls
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
        let entry = answer.json
        var original: JSONValue?
        if let of = visit.query.first("of") {
            let answer = await visit.client.get("/journal/\(percentEncoded(of))")
            if answer.isSuccess { original = answer.json }
        }
        let decisions = entry["decisions"]?.arrayValue ?? []
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
            \(MessageView(entry: entry).html)
            </section>
            \(again(entry, info))
            <details class="fold"><summary>The entry as JSON</summary>
            \(Parts.code(entry.serialized(pretty: true), id: "json", label: "the entry"))</details>
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

    private func facts(_ entry: JSONValue) -> HTML {
        func text(_ name: String) -> String { entry[name]?.stringValue ?? "" }
        let faults = (entry["faults"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: ", ")
        var rows: [(String, HTML)] = [
            ("Result", "\(Parts.outcome(Outcome(entry))) \(String(entry["status"]?.integerValue ?? 0))"),
            ("Request", "<code>\(Parts.value(text("method"))) \(Parts.value(text("target"), limit: 1_000))</code>"),
            ("Host", "<code>\(Parts.value(text("host")))</code>"),
            ("Caller", "\(Parts.value(JournalTable.caller(entry), limit: 1_000))"),
            ("Time", "\(Parts.value(text("time")))"),
            ("Request ID", "<code>\(Parts.value(text("request_id")))</code>"),
        ]
        if let trace = entry["trace_id"]?.stringValue { rows.append(("Trace", Self.sequence("trace_id", trace))) }
        if let caller = entry["caller"]?.stringValue {
            rows.append(("Picture", Self.sequence("caller", caller, "All requests of this caller")))
        }
        if let key = entry["claimed_key"]?.stringValue { rows.append(("Claimed key", "<code>\(Parts.value(key))</code>")) }
        if entry["duration_ms"] != nil { rows.append(("Duration", "\(JournalTable.duration(entry)) ms")) }
        if !faults.isEmpty { rows.append(("Errors on demand", "\(Parts.value(faults))")) }
        let lines = rows.map { name, value -> HTML in "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n" }
        return "<dl class=\"facts\">\n\(lines)</dl>\n"
    }

    /// A link to the requests with the same value as a sequence diagram.
    private static func sequence(_ name: String, _ value: String, _ text: String? = nil) -> HTML {
        "<a href=\"\(Visit.path("/journal/sequence"))?\(name)=\(percentEncoded(value))\">\(Parts.value(text ?? value))</a>"
    }

    private func error(_ entry: JSONValue) -> HTML {
        guard let code = entry["error"]?.stringValue else { return "" }
        let reason = entry["reason"]?.stringValue ?? ""
        return "<div class=\"error\"><p><strong>\(Parts.value(code))</strong></p><p>\(Parts.value(reason, limit: 2_000))</p></div>\n"
    }

    private func noDecision(_ entry: JSONValue) -> HTML {
        let text =
            switch (entry["face"]?.stringValue, entry["refused"]?.boolValue) {
            case ("control", _): "Control request: no policy is evaluated."
            case (_, true): "The request was refused before any policy was evaluated: its signature, token or login was not accepted."
            case (_, _) where entry["caller"]?.stringValue?.hasSuffix(":root") == true: "Root user: there is nothing to evaluate."
            default: "No policy was evaluated for this request."
            }
        return "<p class=\"soft\">\(text)</p>"
    }

    private func comparison(_ original: JSONValue) -> HTML {
        let number = original["number"]?.integerValue ?? 0
        return """
            <div class="notice" role="note"><p>This is a replay of <a href="\(Visit.path("/journal/\(number)"))">request \(String(number))</a>, \
            which ended with \(Parts.outcome(Outcome(original))) \(String(original["status"]?.integerValue ?? 0)) as \
            \(Parts.value(JournalTable.caller(original))).</p></div>

            """
    }

    private func again(_ entry: JSONValue, _ info: CloudInfo) -> HTML {
        let curl = entry["curl"]?.stringValue
        var callers: [String] = []
        for caller in [entry["caller"]?.stringValue, info.root] {
            if let caller, !callers.contains(caller), caller.hasPrefix("arn:") || caller.hasPrefix("acs:") { callers.append(caller) }
        }
        let options = (callers + ["anonymous"]).map { caller -> HTML in
            "<option value=\"\(caller)\">\(caller.visible)</option>"
        }
        let lacksBody = entry["captured"]?.boolValue != true && ["POST", "PUT"].contains(entry["method"]?.stringValue ?? "")
        let note: HTML =
            lacksBody
            ? "<p class=\"soft\">The body of this request was not captured, so the replay has none. Capture bodies, and send the request once more.</p>"
            : ""
        return """
            <section aria-labelledby="again"><h2 id="again">Send it again</h2>
            \(note)<form method="post" action="\(Visit.path("/journal/\(percentEncoded(id))/replay"))" class="row">\(visit.formToken)
            <label for="as">As</label><select id="as" name="as">\(options)</select>
            <button>Replay</button></form>
            \(curl.map { Parts.code($0, id: "curl", label: "curl command") } ?? "")
            </section>

            """
    }
}
