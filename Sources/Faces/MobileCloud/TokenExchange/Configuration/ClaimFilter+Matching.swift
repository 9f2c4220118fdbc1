import Federation
import WireFormats

extension ClaimFilter {
    /// Returns whether a token with these claims is accepted.
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
