import WireFormats

/// A condition on a claim that a token must satisfy. (Using Oracle Mobile Cloud Service, configuration reference, `filters`.)
enum ClaimFilter: Hashable, Sendable {
    /// The claim must have a value that matches one of the patterns.
    case include(claim: String, patterns: [String])
    /// The claim must have no such value.
    case exclude(claim: String, patterns: [String])
    /// A malformed filter, which is never satisfied.
    case malformed

    init(_ entry: JSONValue) {
        let elements = entry["values"]?.arrayValue ?? []
        let patterns = elements.compactMap(\.stringValue)
        guard let claim = entry["name"]?.stringValue, !claim.isEmpty, !patterns.isEmpty, patterns.count == elements.count else {
            self = .malformed
            return
        }
        switch entry["type"] {
        case nil, .null, "include": self = .include(claim: claim, patterns: patterns)
        case "exclude": self = .exclude(claim: claim, patterns: patterns)
        default: self = .malformed
        }
    }

    func isSatisfied(by claims: JSONObject) -> Bool {
        switch self {
        case .include(let claim, let patterns): Self.anyMatch(claims[claim], patterns)
        case .exclude(let claim, let patterns): !Self.anyMatch(claims[claim], patterns)
        case .malformed: false
        }
    }

    private static func anyMatch(_ claim: JSONValue?, _ patterns: [String]) -> Bool {
        let values = (claim?.arrayValue ?? claim.map { [$0] } ?? []).compactMap(text)
        return values.contains { value in patterns.contains { StarPattern($0).matches(value) } }
    }

    /// Returns the text of a scalar; `nil` for any other value.
    private static func text(of value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer, .number, .bool: value.serialized()
        case .null, .array, .object: nil
        }
    }
}
