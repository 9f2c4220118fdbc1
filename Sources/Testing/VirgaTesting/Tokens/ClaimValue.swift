import WireFormats

/// The value of a claim. Literals of Swift are values: `["groups": ["staff"], "email_verified": true]`.
public enum ClaimValue: Sendable, Hashable {
    /// The value `null`.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([ClaimValue])
    /// An object.
    case object([String: ClaimValue])

    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(Int64(value))
        case .number(let value): .number(value)
        case .string(let value): .string(value)
        case .array(let values): .array(values.map(\.json))
        case .object(let members): .object(JSONObject(claims: members))
        }
    }
}

extension ClaimValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// The value `null`.
    public init(nilLiteral: ()) { self = .null }
    /// A Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A list.
    public init(arrayLiteral values: ClaimValue...) { self = .array(values) }
    /// An object. The last of several members with one name counts.
    public init(dictionaryLiteral members: (String, ClaimValue)...) { self = .object(Dictionary(members) { $1 }) }
}

extension JSONObject {
    /// The members in the order of their names, so that equal claims make equal tokens.
    init(claims: [String: ClaimValue]) {
        self = [:]
        for (name, value) in claims.sorted(by: { $0.key < $1.key }) { self[name] = value.json }
    }
}
