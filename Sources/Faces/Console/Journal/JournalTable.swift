import Calls
import WireFormats

/// A table of requests. The script adds rows of the same form.
struct JournalTable {
    let entries: [JSONValue]
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

    private func row(_ entry: JSONValue) -> HTML {
        let number = entry["number"]?.integerValue ?? 0
        let reason = entry["reason"]?.stringValue
        let reasonLine: HTML =
            if withReason, let reason, entry["refused"]?.boolValue == true {
                "<p class=\"reason\">\(Parts.value(reason))</p>"
            } else {
                ""
            }
        return """
            <tr data-number="\(String(number))"><td>\(Parts.time(entry["time"]?.stringValue ?? ""))</td>\
            <td>\(Parts.outcome(Outcome(entry))) <span class="soft">\(String(entry["status"]?.integerValue ?? 0))</span></td>\
            <td><a href="\(Visit.path("/journal/\(number)"))">\(Self.name(entry))</a>\(reasonLine)</td>\
            <td>\(Parts.value(Self.caller(entry), limit: 120))</td><td>\(Parts.value(Self.resource(entry), limit: 160))</td>\
            <td class="number">\(Self.duration(entry))</td></tr>

            """
    }

    /// The face and operation, or the method and path of a request that is no operation.
    static func name(_ entry: JSONValue) -> HTML {
        let face = entry["face"]?.stringValue ?? ""
        if let operation = entry["operation"]?.stringValue { return "\(Parts.value("\(face) \(operation)", limit: 100))" }
        return "\(Parts.value("\(face) \(entry["method"]?.stringValue ?? "") \(path(entry))", limit: 100))"
    }

    static func caller(_ entry: JSONValue) -> String { entry["caller"]?.stringValue ?? "anonymous" }

    /// The resource of the last decision, or the path.
    static func resource(_ entry: JSONValue) -> String {
        entry["decisions"]?.arrayValue?.last?["resource"]?.stringValue ?? path(entry)
    }

    static func path(_ entry: JSONValue) -> String { String((entry["target"]?.stringValue ?? "").prefix { $0 != "?" }) }

    static func duration(_ entry: JSONValue) -> String {
        guard let milliseconds = entry["duration_ms"]?.numberValue else { return "" }
        let tenths = Int((milliseconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
