import ControlDocuments
import WireFormats

/// A member in which a token differs from a good one of the same person.
struct TokenDifference: Sendable, Equatable {
    /// Such as `claim aud`.
    var name: String
    /// The values as JSON; `nil` for a missing member.
    var found: String?
    var good: String?

    /// Members that differ in every token.
    private static let volatile: Set = ["jti", "sid", "session_state", "nonce", "at_hash", "c_hash", "auth_time", "iat"]
    private static let times: Set = ["exp", "nbf", "iat"]

    /// Compares two inspections of tokens or SAML responses.
    /// - Parameter compared: members that count although they usually differ.
    static func all(
        _ inspection: Document<InspectionMembers>, good: Document<InspectionMembers>, compared: Set<String> = []
    ) -> [TokenDifference] {
        let (found, expected) = (inspection.decoded, good.decoded)
        var differences: [TokenDifference] = []
        for (part, name) in [("header", "header"), ("claims", "claim")] {
            differences += members(
                found[part]?.objectValue ?? found["nested"]?[part]?.objectValue ?? [:], expected[part]?.objectValue ?? [:], name, compared)
        }
        for name in ["issuer", "audiences", "recipients"] {
            differences += member(name, found[name], expected[name], label: name)
        }
        differences += members(attributes(found), attributes(expected), "attribute", compared)
        return differences
    }

    private static func attributes(_ decoded: JSONValue) -> JSONObject {
        (decoded["attributes"]?.arrayValue ?? []).reduce(into: [:]) { $0[$1["name"]?.stringValue ?? ""] = $1["values"] }
    }

    private static func members(_ found: JSONObject, _ good: JSONObject, _ kind: String, _ compared: Set<String>) -> [TokenDifference] {
        let names = found.names + good.names.filter { found[$0] == nil }
        return names.filter { !volatile.contains($0) || compared.contains($0) || isFarApart(found[$0], good[$0], $0) }
            .flatMap { member($0, found[$0], good[$0], label: "\(kind) \($0)") }
    }

    private static func member(_ name: String, _ found: JSONValue?, _ good: JSONValue?, label: String) -> [TokenDifference] {
        if found == good || times.contains(name) && !isFarApart(found, good, name) { return [] }
        return [TokenDifference(name: label, found: found?.serialized(), good: good?.serialized())]
    }

    /// Whether two times differ by more than tokens that were issued one after the other.
    private static func isFarApart(_ found: JSONValue?, _ good: JSONValue?, _ name: String) -> Bool {
        guard times.contains(name) else { return false }
        guard let found = found?.integerValue, let good = good?.integerValue else { return found != good }
        return found.magnitude > 1 << 50 || abs(found - good) > 300
    }
}
