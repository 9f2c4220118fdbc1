import Fixtures
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Custom APIs in seeds")
struct SeedCustomAPITests {
    private static func api(_ text: String) throws -> CustomAPI? {
        let seed = try decodeSeed("{mobileCloud: {roles: [\"A\", \"Technician\", \"Manager\"], customAPIs: [{name: \"orders\", \(text)}]}}")
        return seed.mobileCloud?.customAPIs.first
    }

    @Test("define callers and responses")
    func reads() throws {
        let api = try #require(
            try Self.api(
                """
                version: "1.2", roles: ["Technician"], endpoints: [
                    {path: "/", body: {a: 1}}, {method: "POST", path: "/{id}", roles: ["Manager"], status: 201, template: "{{path.id}}"},
                    {method: "*", path: "/code/*", forward: "http://127.0.0.1:9000/code"}, {path: "/me", caller: true},
                ]
                """))
        #expect(api.key == "orders(1.2)")
        #expect(api.access == .enterprise(roles: ["Technician"]))
        #expect(api.endpoints.map(\.method) == ["GET", "POST", "*", "GET"])
        #expect(api.endpoints[0].answer == .fixed(status: 200, headers: [:], body: #"{"a":1}"#, isTemplate: false))
        #expect(api.endpoints[1].answer == .fixed(status: 201, headers: [:], body: "{{path.id}}", isTemplate: true))
        #expect(api.endpoints[1].roles == ["Manager"])
        #expect(api.endpoints[2].answer == .forwarded(url: "http://127.0.0.1:9000/code"))
        #expect(api.endpoints[3].answer == .caller)
    }

    @Test(
        "are refused if they contradict themselves",
        arguments: [
            "access: \"open\", roles: [\"A\"]", "access: \"social\", endpoints: [{path: \"/\", roles: [\"A\"]}]",
            "endpoints: [{path: \"orders\"}]", "endpoints: [{path: \"/*/x\"}]", "endpoints: [{path: \"/\", method: \"get\"}]",
            "endpoints: [{path: \"/\", template: \"{{path.id}}\"}]", "endpoints: [{path: \"/\", template: \"{\\\"a\\\": {{query.x}}\"}]",
            "endpoints: [{path: \"/\", status: 204, body: \"x\"}]", "endpoints: [{path: \"/\", headers: {\"Content-Length\": \"1\"}}]",
            "endpoints: [{path: \"/\", headers: {\"a b\": \"1\"}}]", "endpoints: [{path: \"/\", body: \"a\", caller: true}]",
            "endpoints: [{path: \"/\", forward: \"ftp://x\"}]", "endpoints: [{path: \"/\", forward: \"http://x/?a=1\"}]",
            "endpoints: [{path: \"/\", caller: true, status: 201}]",
        ])
    func contradictions(_ text: String) { #expect(throws: SeedError.self) { try Self.api(text) } }
}
