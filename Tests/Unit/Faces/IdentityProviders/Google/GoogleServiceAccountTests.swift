import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Google's service accounts")
struct GoogleServiceAccountTests {
    static let mail = "robot@project.iam.gserviceaccount.com"
    static let audience = "\(Visitor.origin)/idp/google/token"

    /// A sandbox with a service account, and the key of the account.
    private func sandbox(delegating scopes: String? = nil) async throws -> (Visitor, SigningKey) {
        let visitor = Visitor(try await Visitor.sandbox())
        let key = try SigningKey.generate(created: visitor.cloud.clock.now)
        let set = try JSONWebKeySet([key.jsonWebKey]).json.objectValue
        try await visitor.change("google") { provider in
            var client = Client(
                id: Self.mail, secret: nil, name: "Robot", redirectURIs: [], applicationID: nil, furtherGrants: [.jwtBearer])
            client.metadata.jwks = set
            client.metadata.scope = scopes
            provider.clients.append(client)
        }
        return (visitor, key)
    }

    private func claims(_ visitor: Visitor, _ further: JSONObject) -> JSONObject {
        let now = visitor.cloud.clock.now.seconds
        var claims: JSONObject = [
            "iss": .string(Self.mail), "scope": "https://www.googleapis.com/auth/userinfo.email", "aud": .string(Self.audience),
            "iat": .integer(now), "exp": .integer(now + 3600),
        ]
        for (name, value) in further.members { claims[name] = value == .null ? nil : value }
        return claims
    }

    private func post(_ visitor: Visitor, _ assertion: String) async throws -> Answer {
        try await visitor.post(
            "google/token", ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": assertion])
    }

    @Test("an assertion is exchanged for an access token of the account")
    func accessToken() async throws {
        let (visitor, key) = try await sandbox()
        let answer = try await post(visitor, try JSONWebToken.sign(claims: claims(visitor, [:]), key: key))
        #expect(answer.json["token_type"] == "Bearer")
        #expect(answer.json["expires_in"] == 3600)
        #expect(answer.json["refresh_token"] == nil)
        let token = try #require(answer.json["access_token"]?.stringValue)
        let info = try await visitor.get("google/tokeninfo", ["access_token": token]).json
        #expect(info["azp"]?.stringValue == Self.mail)
        #expect(info["email"]?.stringValue == Self.mail)
        #expect(info["sub"]?.stringValue?.count == 21)
        #expect(try await visitor.get("google/v1/userinfo", ["access_token": token]).json["email"]?.stringValue == Self.mail)
        #expect(try await visitor.post("google/revoke", ["token": token]).status == 200)
        #expect(try await visitor.get("google/tokeninfo", ["access_token": token]).status == 400)
    }

    @Test("an assertion is checked against real time, whatever the sandbox's time")
    func clock() async throws {
        for time: Int64 in [1_000_000_000, 4_000_000_000] {
            let (visitor, key) = try await sandbox()
            let assertion = try JSONWebToken.sign(claims: claims(visitor, [:]), key: key)
            try await visitor.cloud.change(clock: .freeze(at: Timestamp(seconds: time)))
            let answer = try await post(visitor, assertion)
            #expect(answer.status == 200, "\(answer.body)")
        }
    }

    @Test("a target audience makes the token an ID token")
    func idToken() async throws {
        let (visitor, key) = try await sandbox()
        let assertion = try JSONWebToken.sign(
            claims: claims(visitor, ["scope": .null, "target_audience": "https://service.example"]), key: key)
        let answer = try await post(visitor, assertion)
        let token = try JSONWebToken(parsing: try #require(answer.json["id_token"]?.stringValue))
        #expect(token.claims["aud"] == "https://service.example")
        #expect(token.claims["azp"]?.stringValue == Self.mail)
        #expect(token.claims["email"]?.stringValue == Self.mail)
        #expect(token.claims["iss"] == "https://accounts.google.com")
        #expect(answer.json["access_token"] == nil)
    }

    @Test("an account acts for users of its domain with the delegated scopes")
    func delegation() async throws {
        let scope = "https://www.googleapis.com/auth/userinfo.email"
        let (visitor, key) = try await sandbox(delegating: scope)
        let answer = try await post(visitor, try JSONWebToken.sign(claims: claims(visitor, ["sub": "bob@example.com"]), key: key))
        let token = try #require(answer.json["access_token"]?.stringValue)
        #expect(try await visitor.get("google/v1/userinfo", ["access_token": token]).json["email"] == "bob@example.com")
        let other = claims(visitor, ["sub": "bob@example.com", "scope": "https://www.googleapis.com/auth/drive"])
        let refused = try await post(visitor, try JSONWebToken.sign(claims: other, key: key))
        #expect(refused.status == 401)
        #expect(refused.json["error"] == "unauthorized_client")
        let nobody = try await post(visitor, try JSONWebToken.sign(claims: claims(visitor, ["sub": "x@example.com"]), key: key))
        #expect(nobody.json == ["error": "invalid_grant", "error_description": "Invalid email or User ID"])
    }

    @Test("an account without delegation cannot act for users")
    func noDelegation() async throws {
        let (visitor, key) = try await sandbox()
        let answer = try await post(visitor, try JSONWebToken.sign(claims: claims(visitor, ["sub": "bob@example.com"]), key: key))
        #expect(answer.json["error"] == "unauthorized_client")
    }

    @Test(
        "invalid assertions",
        arguments: [
            (["iss": "nobody@example.com"], "invalid_grant", "account not found"),
            (["aud": "https://other.example"], "invalid_grant", "audience"),
            (["exp": 1], "invalid_grant", "short-lived"), (["iat": .null], "invalid_grant", "short-lived"),
            (["iat": 1], "invalid_grant", "short-lived"), (["scope": "magic"], "invalid_scope", "Invalid OAuth scope"),
            (["scope": .null], "invalid_scope", "Invalid OAuth scope"), (["target_audience": "x"], "invalid_scope", "Invalid OAuth scope"),
        ] as [(JSONObject, String, String)])
    func faults(further: JSONObject, error: String, text: String) async throws {
        let (visitor, key) = try await sandbox()
        let answer = try await post(visitor, try JSONWebToken.sign(claims: claims(visitor, further), key: key))
        #expect(answer.status == 400)
        #expect(answer.json["error"]?.stringValue == error)
        #expect(answer.json["error_description"]?.stringValue?.contains(text) == true, "\(answer.body)")
    }

    @Test("another key, another client and a text that is not a JWT are refused")
    func strangers() async throws {
        let (visitor, _) = try await sandbox()
        let key = try SigningKey.generate(created: visitor.cloud.clock.now)
        let forged = try await post(visitor, try JSONWebToken.sign(claims: claims(visitor, [:]), key: key))
        #expect(forged.json == ["error": "invalid_grant", "error_description": "Invalid JWT Signature."])
        let client = try await post(
            visitor, try JSONWebToken.sign(claims: claims(visitor, ["iss": .string(GoogleTests.clientID)]), key: key))
        #expect(client.json["error_description"] == "Invalid grant: account not found")
        #expect(try await post(visitor, "x").json["error"] == "invalid_grant")
        #expect(
            try await visitor.post("google/token", ["grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer"]).json["error"]
                == "invalid_request")
    }
}
