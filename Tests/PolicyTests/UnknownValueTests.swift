import Testing
import WireFormats

@testable import Policy

@Suite("A value that cannot be known")
struct UnknownValueTests {
    static let conditions: [(String, JSONValue)] = [
        ("IpAddress", "127.0.0.0/8"), ("NotIpAddress", "127.0.0.0/8"), ("IpAddressIfExists", "127.0.0.0/8"),
        ("NotIpAddressIfExists", "127.0.0.0/8"), ("ForAnyValue:IpAddress", "127.0.0.0/8"), ("ForAllValues:IpAddress", "127.0.0.0/8"),
        ("StringEquals", "127.0.0.1"), ("StringNotEquals", "127.0.0.1"), ("StringLike", "*"), ("StringNotLike", "u*"), ("Null", "true"),
        ("Null", "false"),
    ]

    @Test("satisfies no condition of an Allow statement", arguments: conditions)
    func allow(name: String, value: JSONValue) throws { #expect(try !holds(name, "aws:SourceIp", value, ["aws:sourceip": .unknown])) }

    @Test("satisfies each condition of a Deny statement", arguments: conditions)
    func deny(name: String, value: JSONValue) throws {
        let denial = try policy(["Effect": "Deny", "Condition": .one(name, .one("aws:SourceIp", value))])
        let set = PolicySet(identity: [AttachedPolicy("a", try policy()), AttachedPolicy("d", denial)])
        #expect(!set.decision(for: request(with: ["aws:sourceip": .unknown])).isAllowed)
    }

    @Test("does not keep a statement without a condition on it from allowing")
    func others() throws { #expect(try allows([:], request(with: ["aws:sourceip": .unknown]))) }
}
