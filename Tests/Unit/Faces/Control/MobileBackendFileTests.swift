import Cloud
import Directory
import HTTPTypes
import Testing
import WireFormats

@Suite("Settings of mobile backends")
struct MobileBackendFileTests {
    private static let mobile = """
        realms: [{name: "Default"}], customAPIs: [{name: "orders"}, {name: "orders", version: "2.0"}],
        backends: [
            {name: "app", sso: true, clientSecret: "a<b&c"},
            {name: "plain", basic: false, apis: ["orders"]},
            {name: "skiers", apis: "all", facebook: {appID: "1234", appSecret: "s"}}]
        """
    private static let base = "http://localhost:4566"

    private func run(_ test: (ControlSandbox) async throws -> Void) async throws { try await ControlSandbox.run(mobile: Self.mobile, test) }

    @Test("contain the environment's URLs, with that of single sign-on if it is on (R109, R133)")
    func urls() async throws {
        try await run { control async throws in
            let app = try await control.send(.get, "/mobile/backends/app(1.0)").json
            #expect(app["environmentURLs"]?["baseURL"]?.stringValue == Self.base)
            #expect(app["environmentURLs"]?["oauthTokenEndpoint"]?.stringValue == Self.base + "/oam/oauth2/tokens")
            #expect(app["environmentURLs"]?["ssoTokenEndpoint"]?.stringValue == Self.base + "/mobile/platform/sso/token")
            let plain = try await control.send(.get, "/mobile/backends/plain(1.0)").json
            #expect(plain["environmentURLs"]?["ssoTokenEndpoint"] == nil)
            // A response can be sent back as a request.
            let again = try await control.send(.put, "/mobile/backends/app(1.0)", app.serialized())
            #expect(again.status == 200)
            #expect(again.json == app)
            let renewed = try await control.send(.post, "/mobile/backends/app(1.0)/regenerate")
            #expect(renewed.json["environmentURLs"] == app["environmentURLs"])
        }
    }

    @Test("select the custom APIs that the backend offers")
    func selection() async throws {
        try await run { control async throws in
            #expect(try await control.send(.get, "/mobile/backends/app(1.0)").json["apis"] == [])
            #expect(try await control.send(.get, "/mobile/backends/plain(1.0)").json["apis"] == ["orders"])
            #expect(try await control.send(.get, "/mobile/backends/skiers(1.0)").json["apis"] == "all")
            let path = "/mobile/backends/app(1.0)"
            let one = try await control.send(.put, path, "{name: 'app', apis: ['orders(2.0)']}")
            #expect(one.status == 200)
            #expect(one.json["apis"] == ["orders(2.0)"])
            let unknown = try await control.send(.put, path, "{name: 'app', apis: ['orders(3.0)']}")
            #expect(unknown.status == 409)
            #expect(unknown.error == "inconsistent")
            #expect(try await control.send(.put, path, "{name: 'app', apis: 'some'}").error == "malformed_backend")
            // An API that a backend offers cannot be removed.
            #expect(try await control.send(.delete, "/mobile/apis/orders(2.0)").error == "inconsistent")
            #expect(try await control.send(.put, path, "{name: 'app', apis: []}").status == 200)
            #expect(try await control.send(.delete, "/mobile/apis/orders(2.0)").status == 200)
        }
    }

    @Test("are the configuration files of the SDKs (R8, R109, R125)")
    func files() async throws {
        try await run { control async throws in
            func file(_ backend: String, _ name: String) async throws -> String {
                let answer = try await control.sendRaw(.get, "/mobile/backends/\(backend)(1.0)/sdk/\(name)")
                #expect(answer.status == 200)
                let disposition = try #require(HTTPField.Name("Content-Disposition"))
                #expect(answer.fields[disposition] == "attachment; filename=\"\(name)\"")
                return answer.text
            }
            let app = try #require(control.cloud.directory.mobile.backends["app(1.0)"])
            let json = try JSONValue(parsing: try await file("app", "oracle_mobile_cloud_config.json"))
            let entry = try #require(json["mobileBackends"]?["app"])
            #expect(entry["baseUrl"]?.stringValue == Self.base)
            #expect(entry["default"] == true)
            #expect(entry["authType"] == "basicAuth")
            let ways = try #require(entry["authorization"]?.objectValue)
            #expect(ways.names == ["basicAuth", "oAuth", "ssoAuth", "tokenAuth"])
            #expect(ways["basicAuth"] == ["backendId": .string(app.id), "anonymousToken": .string(app.anonymousKey)])
            #expect(ways["oAuth"]?["clientSecret"] == "a<b&c")
            #expect(ways["ssoAuth"]?["tokenEndpoint"]?.stringValue == Self.base + "/mobile/platform/sso/token")
            let script = try await file("app", "oracle_mobile_cloud_config.js")
            #expect(script == "var mcs_config = \(json.serialized());\n")

            let list = try XMLElement(parsing: Array(try await file("app", "OMC.plist").utf8))
            #expect(list.name == "plist")
            let text = try await file("app", "OMC.plist")
            #expect(text.contains("<key>mobileBackendID</key><string>\(app.id)</string>"))
            #expect(text.contains("<key>clientSecret</key><string>a&lt;b&amp;c</string>"))
            let resource = try await file("app", "oracle_mobile_cloud_config.xml")
            #expect(resource.contains("<mbeName>app</mbeName>"))
            #expect(resource.contains("<baseUrl>\(Self.base)</baseUrl>"))
            #expect(resource.contains("<anonymousKey>\(app.anonymousKey)</anonymousKey>"))

            // The file contains only the methods of authentication that are on.
            let plain = try JSONValue(parsing: try await file("plain", "oracle_mobile_cloud_config.json"))
            #expect(plain["mobileBackends"]?["plain"]?["authorization"]?.objectValue?.names == ["oAuth"])
            let skiers = try JSONValue(parsing: try await file("skiers", "oracle_mobile_cloud_config.json"))
            #expect(skiers["mobileBackends"]?["skiers"]?["authorization"]?["facebookAuth"]?["facebookAppId"] == "1234")
            #expect(skiers["mobileBackends"]?["skiers"]?["authorization"]?.objectValue?.names == ["facebookAuth"])
            #expect(try await control.send(.get, "/mobile/backends/app(1.0)/sdk/other.txt").error == "unknown_file")
            #expect(try await control.send(.get, "/mobile/backends/none(1.0)/sdk/OMC.plist").error == "unknown_backend")
            #expect(try await control.send(.put, "/mobile/backends/app(1.0)/sdk/OMC.plist").status == 405)
        }
    }
}
