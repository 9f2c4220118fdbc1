import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@Suite("Device logins at GitHub")
struct GitHubDeviceTests {
    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    private func begin(_ app: GitHubApp, _ further: FormFields = [:]) async throws -> Answer {
        let form: FormFields = ["client_id": GitHubApp.id, "scope": "user:email"]
        return try await app.visitor.post("github/login/device/code", form.with(further), headers: GitHubApp.json)
    }

    private func poll(_ app: GitHubApp, _ code: String) async throws -> Answer {
        try await app.visitor.post(
            GitHubApp.tokenPath, ["client_id": GitHubApp.id, "device_code": code, "grant_type": Self.grantType], headers: GitHubApp.json)
    }

    @Test("end with a token once the user has entered the code, without a secret")
    func approved() async throws {
        let app = try await GitHubApp()
        // The clock is frozen, so that the duration of the test does not affect polls.
        try await app.visitor.cloud.change(clock: .freeze(at: nil))
        let begun = try await begin(app).json
        #expect(begun["expires_in"] == 900)
        #expect(begun["interval"] == 5)
        #expect(begun["verification_uri"]?.stringValue == "\(Visitor.origin)/idp/github/login/device")
        let device = try #require(begun["device_code"]?.stringValue)
        #expect(device.utf8.count == 40)
        let user = try #require(begun["user_code"]?.stringValue)
        #expect(user.utf8.count == 9)
        #expect(user.contains("-"))

        let pending = try await poll(app, device)
        #expect(pending.status == 200)
        #expect(pending.error == "authorization_pending")
        let early = try await poll(app, device)
        #expect(early.error == "slow_down")
        #expect(early.json["interval"] == 10)

        let login = try await app.visitor.get("github/login/device", ["user_code": user])
        let consent = try await app.visitor.press("person", "alice", on: login)
        #expect(consent.isConsent)
        _ = try await app.visitor.press("action", "allow", on: consent)
        let tokens = try await poll(app, device)
        #expect(tokens.accessToken.hasPrefix("gho_"))
        #expect(tokens.json["scope"] == "user:email")
        #expect(try await app.get("user", tokens.accessToken).json["login"] == "alice")
        #expect(try await poll(app, device).error == "incorrect_device_code")
    }

    @Test("fail in GitHub's words")
    func refusals() async throws {
        let app = try await GitHubApp()
        let unknown = try await begin(app, ["client_id": "nobody"])
        #expect(unknown.status == 404)
        #expect(unknown.json == ["error": "Not Found"])
        let device = try #require(try await begin(app).json["device_code"]?.stringValue)
        try await app.visitor.cloud.age(by: .seconds(900))
        #expect(try await poll(app, device).error == "expired_token")

        let other = try await begin(app).json
        let login = try await app.visitor.get("github/login/device", ["user_code": other["user_code"]?.stringValue ?? ""])
        _ = try await app.visitor.press("action", "deny", on: login)
        #expect(try await poll(app, other["device_code"]?.stringValue ?? "").error == "access_denied")

        try await app.visitor.change("github") { $0.clients[0].furtherGrants = nil }
        let disabled = try await begin(app)
        #expect(disabled.status == 200)
        #expect(disabled.error == "device_flow_disabled")
    }
}
