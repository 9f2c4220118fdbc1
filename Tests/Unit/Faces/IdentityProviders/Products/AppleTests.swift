import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("An issuer of Sign in with Apple")
struct AppleTests {
    private static let issuer = "https://appleid.apple.com"
    private static let client = "com.example.web"
    private static let request: FormFields = [
        "client_id": client, "redirect_uri": Visitor.redirectURI, "response_type": "code id_token", "response_mode": "form_post",
        "scope": "name email", "state": "s", "nonce": "n",
    ]

    private func sandbox(_ applicant: Applicant) async throws -> Cloud {
        let cloud = try await Visitor.sandbox()
        try await Company.change(cloud) { provider in
            provider.issuer = Self.issuer
            provider.product = .apple
        }
        try await applicant.register(at: cloud, grants: []) { metadata in
            metadata.jwks = try applicant.jwks
            metadata.tokenEndpointAuthMethod = "private_key_jwt"
            metadata.responseTypes = ["code", "code id_token"]
        }
        return cloud
    }

    private func secret(_ applicant: Applicant, _ further: JSONObject = [:]) throws -> String {
        let now = Timestamp.now().seconds
        var claims: JSONObject = [
            "iss": "TEAM123456", "sub": .string(Self.client), "aud": .string(Self.issuer), "iat": .integer(now),
            "exp": .integer(now + 86_400),
        ]
        for (name, value) in further.members { claims[name] = value }
        return try JSONWebToken.sign(claims: claims, key: applicant.key)
    }

    @Test("the user's name comes once, in the posted form, and a code is redeemed with a signed client secret")
    func login() async throws {
        let applicant = try Applicant(id: Self.client, secret: nil)
        let cloud = try await sandbox(applicant)
        let visitor = Visitor(cloud, host: "appleid.apple.com")
        let first = try await visitor.authorize("/auth/authorize", Self.request)
        #expect(first.status == 200)
        #expect(first.hiddenField("user").contains("firstName"))
        #expect(first.hiddenField("state") == "s")
        let front = try await Company.claims(first.hiddenField("id_token"), at: Visitor(cloud))
        #expect(front["iss"]?.stringValue == Self.issuer)
        #expect(front["nonce_supported"] == true)
        #expect(front["email"] == "alice@company.example")
        #expect(front["name"] == nil)
        let redemption: FormFields = [
            "grant_type": "authorization_code", "code": first.hiddenField("code"), "redirect_uri": Visitor.redirectURI,
            "client_id": Self.client,
        ]
        let tokens = try await visitor.post("/auth/token", redemption.with(["client_secret": try secret(applicant)]))
        #expect(tokens.status == 200)
        #expect(tokens.json["refresh_token"] != nil)
        #expect(tokens.json["id_token"] != nil)
        let second = try await visitor.authorize("/auth/authorize", Self.request)
        #expect(second.hiddenField("code").isEmpty == false)
        #expect(second.hiddenField("user").isEmpty)
    }

    @Test(
        "a client secret must be for Apple, of the client, and at most six months long",
        arguments: [["aud": "https://other.example"], ["sub": "another"], ["iss": ""], ["exp": 1], ["exp": 99_999_999_999]] as [JSONObject])
    func invalidSecret(claims: JSONObject) async throws {
        let applicant = try Applicant(id: Self.client, secret: nil)
        let visitor = Visitor(try await sandbox(applicant), host: "appleid.apple.com")
        let answer = try await visitor.post(
            "/auth/token",
            [
                "grant_type": "refresh_token", "refresh_token": "x", "client_id": Self.client,
                "client_secret": try secret(applicant, claims),
            ])
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_client")
    }

    @Test("another key does not sign client secrets")
    func otherKey() async throws {
        let visitor = Visitor(try await sandbox(try Applicant(id: Self.client, secret: nil)), host: "appleid.apple.com")
        let stranger = try Applicant(id: Self.client, secret: nil)
        let answer = try await visitor.post(
            "/auth/token",
            ["grant_type": "refresh_token", "refresh_token": "x", "client_id": Self.client, "client_secret": try secret(stranger)])
        #expect(answer.error == "invalid_client")
    }

    @Test("name and email need the response mode form_post")
    func responseMode() async throws {
        let visitor = Visitor(try await sandbox(try Applicant(id: Self.client, secret: nil)), host: "appleid.apple.com")
        let answer = try await visitor.get("/auth/authorize", Self.request.with(["response_mode": "fragment"]))
        #expect(answer.redirected["error"] == "invalid_request")
    }

    @Test("discovery has what Apple has, and nothing else")
    func discovery() async throws {
        let visitor = Visitor(try await sandbox(try Applicant(id: Self.client, secret: nil)), host: "appleid.apple.com")
        let metadata = try await visitor.get("/.well-known/openid-configuration").json
        #expect(metadata["issuer"]?.stringValue == Self.issuer)
        #expect(metadata["jwks_uri"] == "http://appleid.apple.com/auth/keys")
        #expect(metadata["userinfo_endpoint"] == nil)
        #expect(try await visitor.get("/auth/keys").json["keys"]?.arrayValue?.isEmpty == false)
    }
}
