import WireFormats

/// The filters of the journal's list. They are in the URL, so that a view can be shared and reopened.
struct JournalFilter {
    /// The filters that the control API knows by the same names.
    private static let names = ["text", "face", "operation", "caller", "status", "trace_id"]

    let query: FormFields

    subscript(name: String) -> String { query.first(name) ?? "" }

    var deniedOnly: Bool { query.first("denied") == "true" }
    var faultedOnly: Bool { query.first("faulted") == "true" }
    /// Whether calls of the control API are shown.
    var showsControl: Bool { query.first("control") == "true" }
    /// Whether any filter is set.
    var isActive: Bool { deniedOnly || faultedOnly || Self.names.contains { !self[$0].isEmpty } }

    /// The query for `GET /_virga/journal`, without the limit.
    var request: FormFields {
        var request: FormFields = [:]
        func add(_ name: String, _ value: String) { request.fields.append(.init(name: name, value: value)) }
        for name in Self.names where !self[name].isEmpty { add(name, self[name].trimmed) }
        if deniedOnly { add("denied", "true") }
        if faultedOnly { add("faulted", "true") }
        if !showsControl { add("exclude", "face:control") }
        return request
    }
}
