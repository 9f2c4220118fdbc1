package import WireFormats

/// A condition on a claim that a token must satisfy. (Using Oracle Mobile Cloud Service, configuration reference, `filters`.)
package enum ClaimFilter: Hashable, Sendable {
    /// The claim must have a value that matches one of the patterns.
    case include(claim: String, patterns: [String])
    /// The claim must have no such value.
    case exclude(claim: String, patterns: [String])
    /// A malformed filter, which is never satisfied.
    case malformed

    /// Reads a filter of a configuration. One with a defect is ``malformed``.
    package init(_ entry: JSONValue) {
        guard Self.defect(of: entry) == nil, let claim = entry["name"]?.stringValue else {
            self = .malformed
            return
        }
        let patterns = (entry["values"]?.arrayValue ?? []).compactMap(\.stringValue)
        self = entry["type"] == "exclude" ? .exclude(claim: claim, patterns: patterns) : .include(claim: claim, patterns: patterns)
    }

    /// Returns why a filter is malformed; `nil` if it is not.
    package static func defect(of entry: JSONValue) -> String? {
        guard let members = entry.objectValue else { return "it is not an object" }
        if members["name"]?.stringValue?.isEmpty ?? true { return "name is missing" }
        let values = members["values"]?.arrayValue ?? []
        if values.isEmpty { return "values is missing or empty" }
        if !values.allSatisfy({ $0.stringValue != nil }) { return "values must be strings" }
        switch members["type"] {
        case nil, .null, "include", "exclude": return nil
        default: return "type must be include or exclude"
        }
    }
}
