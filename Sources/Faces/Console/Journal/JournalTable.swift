import Calls
import ControlDocuments
import WireFormats

/// A table of requests. The script adds rows of the same form.
struct JournalTable {
    let entries: [Document<EntryMembers>]
    /// Whether a second line of the row has the reason of a refusal.
    var withReason = true

    var html: HTML {
        """
        <table class="journal"><thead><tr><th scope="col">Time</th><th scope="col">Result</th><th scope="col">Request</th>\
        <th scope="col">Caller</th><th scope="col">Resource</th><th scope="col" class="number">ms</th></tr></thead>
        <tbody>
        \(entries.map(row))</tbody></table>
        """
    }

    private func row(_ entry: Document<EntryMembers>) -> HTML {
        let number = entry.number
        let reasonLine: HTML =
            if withReason, let reason = entry.reason, entry.refused {
                "<p class=\"reason\">\(Parts.value(reason))</p>"
            } else {
                ""
            }
        return """
            <tr data-number="\(String(number))"><td>\(Parts.time(entry.time))</td>\
            <td>\(Parts.outcome(Outcome(entry))) <span class="soft">\(String(entry.status))</span></td>\
            <td><a href="\(Visit.path("/journal/\(number)"))">\(Self.name(entry))</a>\(reasonLine)</td>\
            <td>\(Parts.name(Self.caller(entry), limit: 120))</td><td>\(Parts.name(Self.resource(entry), limit: 160))</td>\
            <td class="number">\(Self.duration(entry))</td></tr>

            """
    }

    /// The face and operation, or the method and path of a request that is no operation.
    static func name(_ entry: Document<EntryMembers>) -> HTML {
        if let operation = entry.operation { return "\(Parts.value("\(entry.face) \(operation)", limit: 100))" }
        return "\(Parts.value("\(entry.face) \(entry.method) \(path(entry))", limit: 100))"
    }

    static func caller(_ entry: Document<EntryMembers>) -> String { entry.caller ?? "anonymous" }

    /// The resource of the last decision, or the path.
    static func resource(_ entry: Document<EntryMembers>) -> String {
        entry.decisions.last?.resource ?? path(entry)
    }

    static func path(_ entry: Document<EntryMembers>) -> String { String(entry.target.prefix { $0 != "?" }) }

    static func duration(_ entry: Document<EntryMembers>) -> String {
        guard let milliseconds = entry.duration else { return "" }
        let tenths = Int((milliseconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
