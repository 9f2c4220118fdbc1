import Testing
import WireFormats

@testable import Directory

@Suite("Sources of claims")
struct ClaimSourceTests {
    private static let alice: JSONObject = [
        "department": "sales", "level": 3, "address": ["country": "IS"], "groups": ["app-admins", "app-users", "staff"], "a.b": "dotted",
        "username": "alice",
    ]

    @Test(
        "have the values of attributes, groups, templates and constants",
        arguments: [
            ("attribute:department", "sales"), ("attribute:level", 3), ("attribute:address", ["country": "IS"]),
            ("attribute:address.country", "IS"), ("attribute:a.b", "dotted"), ("attribute:groups", ["app-admins", "app-users", "staff"]),
            ("attribute:title", nil), ("attribute:address.city", nil), ("groups", ["app-admins", "app-users", "staff"]),
            ("groups:app-", ["app-admins", "app-users"]), ("groups:x", []), ("=gold", "gold"), ("=", ""), ("=attribute:x", "attribute:x"),
            (true, true), (7, 7), (["a"], ["a"]), (["a": "b"], ["a": "b"]), ("template:plain", "plain"),
            ("template:${username}@${department}!", "alice@sales!"), ("template:${level}-${address.country}", "3-IS"),
            ("template:${groups}", "app-admins,app-users,staff"), ("template:${title}", nil),
        ] as [(JSONValue, JSONValue?)])
    func value(text: JSONValue, value: JSONValue?) throws {
        let source = try #require(ClaimSource(text))
        #expect(source.value(from: Self.alice) == value)
        #expect(source.json == text)
    }

    @Test(
        "that are malformed are refused",
        arguments: ["department", "attribute:", "groups:", "template:${", "template:${}", "", nil, "Groups"] as [JSONValue])
    func malformed(text: JSONValue) { #expect(ClaimSource(text) == nil) }

    @Test("have the groups of SCIM by their values")
    func objects() throws {
        let source = try #require(ClaimSource("groups:a"))
        let person: JSONObject = ["groups": [["value": "admins", "display": "Administrators"], ["value": "staff"]]]
        #expect(source.value(from: person) == ["admins"])
        #expect(source.value(from: [:]) == nil)
    }
}
