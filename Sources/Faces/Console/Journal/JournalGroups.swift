import Calls
import ControlDocuments
import WireFormats

/// Requests by their traces: the newest trace first, and the requests of each trace in the order of time.
struct JournalGroups {
    /// The requests of one trace, or successive ones without a trace. The newest request is the first.
    struct Group {
        var trace: String?
        var entries: [Document<EntryMembers>]
    }

    let groups: [Group]

    /// - Parameter entries: the newest first.
    init(_ entries: [Document<EntryMembers>]) {
        var groups: [Group] = []
        var places: [String: Int] = [:]
        for entry in entries {
            let trace = entry.traceID
            let place: Int? =
                if let trace { places[trace] } else { groups.last.map { $0.trace == nil } == true ? groups.count - 1 : nil }
            if let place {
                groups[place].entries.append(entry)
            } else {
                if let trace { places[trace] = groups.count }
                groups.append(Group(trace: trace, entries: [entry]))
            }
        }
        self.groups = groups
    }

    var html: HTML { "\(groups.enumerated().map { Self.section($1, isOpen: $0 < 3) })" }

    private static func section(_ group: Group, isOpen: Bool) -> HTML {
        let entries = Array(group.entries.reversed())
        let refused = entries.count { $0.refused }
        let title: HTML = group.trace.map { "Trace <code>\(Parts.value($0, limit: 64))</code>" } ?? "Without a trace"
        let failures: HTML = refused == 0 ? "" : ", <span class=\"bad\">✗ \(String(refused)) denied</span>"
        let links: HTML =
            group.trace.map { trace -> HTML in
                let query: FormFields = ["trace_id": trace]
                return """
                    <p><a href="\(Visit.path("/journal/sequence"))?\(query.encoded)">As a sequence diagram</a>, \
                    <a href="\(Visit.path("/journal"))?\(query.encoded)">only this trace</a></p>
                    """
            } ?? ""
        return """
            <details class="card fold"\(isOpen ? " open" : "")><summary>\(title): \(counted(entries.count))\(failures), \
            <span class="soft">from \(Parts.time(entries.first?.time ?? "")) to \(Parts.time(entries.last?.time ?? ""))</span></summary>
            \(links)<div class="scroll" tabindex="0" role="region" aria-label="Requests">\(JournalTable(entries: entries).html)</div></details>

            """
    }

    private static func counted(_ count: Int) -> String { count == 1 ? "1 request" : "\(count) requests" }
}
