import Cloud
import HTTPTypes
import Testing
import WireFormats

@Suite("The device authorization grant (RFC 8628)")
struct DeviceFlowTests {
    private func sandbox() async throws -> (Visitor, Applicant) {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant(secret: nil)
        try await applicant.register(at: visitor.cloud)
        return (visitor, applicant)
    }

    private func begin(_ visitor: Visitor, _ applicant: Applicant, scope: String = "openid offline_access") async throws -> Answer {
        let answer = try await visitor.post("company/device_authorization", applicant.credentials.with(["scope": scope]))
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.headers[.cacheControl] == "no-store", "\(answer.body)")
        return answer
    }

    private func poll(_ visitor: Visitor, _ applicant: Applicant, _ begun: Answer) async throws -> Answer {
        let form: FormFields = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": begun.json["device_code"]?.stringValue ?? "",
        ]
        return try await visitor.post("company/token", form.with(applicant.credentials))
    }

    /// Takes the user from the verification page to the decision.
    private func decide(_ visitor: Visitor, _ begun: Answer, allow: Bool) async throws -> Answer {
        var page = try await visitor.get("company/device", ["user_code": begun.json["user_code"]?.stringValue ?? ""])
        if page.isLogin { page = try await visitor.press("person", "bob", on: page) }
        #expect(page.isConsent, "the person is always asked (section 5.4)")
        return try await visitor.press("action", allow ? "allow" : "deny", on: page)
    }

    @Test("a user authorizes a device, which gets its tokens once (sections 3.2 to 3.5)")
    func approval() async throws {
        let (visitor, applicant) = try await sandbox()
        let begun = try await begin(visitor, applicant)
        let page = "\(Visitor.origin)/idp/company/device"
        #expect(begun.json["verification_uri"]?.stringValue == page)
        let userCode = try #require(begun.json["user_code"]?.stringValue)
        #expect(begun.json["verification_uri_complete"]?.stringValue == "\(page)?user_code=\(userCode)")
        #expect(begun.json["expires_in"] == 600)
        #expect(begun.json["interval"] == 5)
        #expect(try await poll(visitor, applicant, begun).error == "authorization_pending")
        _ = try await decide(visitor, begun, allow: true)
        let tokens = try await poll(visitor, applicant, begun)
        #expect(tokens.status == 200, "\(tokens.body)")
        #expect(!tokens.refreshToken.isEmpty, "\(tokens.body)")
        #expect(tokens.json["id_token"] != nil, "\(tokens.body)")
        let info = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(tokens.accessToken)"])
        #expect(info.json["sub"] == "employee-0002-bob")
        #expect(try await poll(visitor, applicant, begun).error == "invalid_grant")
    }

    @Test("a user denies a device (section 3.5)")
    func refusal() async throws {
        let (visitor, applicant) = try await sandbox()
        let begun = try await begin(visitor, applicant)
        _ = try await decide(visitor, begun, allow: false)
        let answer = try await poll(visitor, applicant, begun)
        #expect(answer.status == 400)
        #expect(answer.error == "access_denied")
    }

    @Test("a client that polls too often is told to slow down (section 3.5)")
    func slowDown() async throws {
        let (visitor, applicant) = try await sandbox()
        try await visitor.cloud.change(clock: .freeze(at: nil))
        let begun = try await begin(visitor, applicant)
        #expect(try await poll(visitor, applicant, begun).error == "authorization_pending")
        #expect(try await poll(visitor, applicant, begun).error == "slow_down")
    }

    @Test("codes expire by the sandbox's clock")
    func end() async throws {
        let (visitor, applicant) = try await sandbox()
        let begun = try await begin(visitor, applicant)
        try await visitor.cloud.age(by: .seconds(600))
        #expect(try await poll(visitor, applicant, begun).error == "expired_token")
        let page = try await visitor.get("company/device", ["user_code": begun.json["user_code"]?.stringValue ?? ""])
        #expect(page.status == 400)
    }

    @Test("a code is bound to its client, which must have the device grant")
    func clients() async throws {
        let (visitor, applicant) = try await sandbox()
        let begun = try await begin(visitor, applicant)
        let other = try Applicant(id: "other", secret: nil)
        try await other.register(at: visitor.cloud)
        #expect(try await poll(visitor, other, begun).error == "invalid_grant")
        let refused = try await visitor.post("company/device_authorization", ["client_id": "cli"])
        #expect(refused.status == 400)
        #expect(refused.error == "unauthorized_client")
        #expect(try await visitor.post("company/device_authorization", ["client_id": "nobody"]).error == "invalid_client")
        let form: FormFields = ["grant_type": "urn:ietf:params:oauth:grant-type:device_code"]
        #expect(try await visitor.post("company/token", form.with(applicant.credentials)).error == "invalid_request")
    }
}
