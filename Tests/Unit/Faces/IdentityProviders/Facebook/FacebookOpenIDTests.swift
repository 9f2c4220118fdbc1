import Cloud
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Facebook's OpenID Connect")
struct FacebookOpenIDTests {
    private static let openID = Requests.facebook.with(["scope": "openid email", "nonce": "n-1"])

    /// The claims of an ID token, verified with Facebook's published keys.
    private func claims(_ text: String?, at visitor: Visitor) async throws -> JSONObject {
        let token = try JSONWebToken(parsing: try #require(text))
        let keys = try await visitor.get("facebook/.well-known/oauth/openid/jwks/")
        let key = try #require(JSONWebKeySet(parsing: Array(keys.body.utf8))?.keys.first { $0.keyID == token.keyID })
        try token.verify(with: key.key)
        return token.claims
    }

    @Test("a code with PKCE is redeemed without the secret, for an access token and an ID token")
    func manualFlow() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let request = Self.openID.with(["code_challenge": Requests.challenge, "code_challenge_method": "S256"])
        let code = try #require(try await visitor.authorize("facebook/v19.0/dialog/oauth", request).redirected["code"])
        let redemption: FormFields = ["client_id": FacebookTests.app, "redirect_uri": Visitor.redirectURI, "code": code]
        let wrong = try await visitor.get(
            "facebook/v19.0/oauth/access_token", redemption.with(["code_verifier": Requests.verifier + "x"]))
        #expect(wrong.status == 400)
        let bare = try await visitor.get("facebook/v19.0/oauth/access_token", redemption)
        #expect(bare.json["error"]?["code"] == 1, "neither a secret nor a verifier")
        let tokens = try await visitor.get(
            "facebook/v19.0/oauth/access_token", redemption.with(["code_verifier": Requests.verifier]))
        #expect(tokens.status == 200)
        let claims = try await claims(tokens.json["id_token"]?.stringValue, at: visitor)
        #expect(claims["iss"]?.stringValue == "\(Visitor.origin)/idp/facebook")
        #expect(claims["aud"]?.stringValue == FacebookTests.app)
        #expect(claims["sub"] == "100001234567890")
        #expect(claims["nonce"] == "n-1")
        #expect(claims["email"] == "alice@example.com")
        #expect(claims["name"] == "Alice Archer")
        #expect(claims["picture"] != nil)
        #expect(claims["jti"] != nil)
        let access = try #require(tokens.json["access_token"]?.stringValue)
        #expect(claims["at_hash"]?.stringValue == JSONWebToken.accessTokenHash(access))
        let debug = try await visitor.get("facebook/debug_token", ["input_token": access, "access_token": FacebookTests.appToken])
        #expect(debug.json["data"]?["metadata"] == nil, "the nonce is not that of a reauthentication")
    }

    @Test("Limited Login returns an ID token and no access token")
    func limitedLogin() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let request = Self.openID.with(["response_type": "id_token,graph_domain"])
        let answer = try await visitor.authorize("facebook/v19.0/dialog/oauth", request)
        #expect(answer.location.contains("#id_token="))
        #expect(answer.redirected["access_token"] == nil)
        #expect(answer.redirected["code"] == nil)
        #expect(answer.redirected["graph_domain"] == "facebook")
        #expect(answer.redirected["state"] == "s")
        #expect(try await claims(answer.redirected["id_token"], at: visitor)["nonce"] == "n-1")
        let unscoped = try await visitor.get("facebook/v19.0/dialog/oauth", Requests.facebook.with(["response_type": "id_token"]))
        #expect(unscoped.status == 400)
    }

    @Test("a login without the scope openid has no ID token")
    func withoutOpenID() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try #require(try await visitor.authorize("facebook/dialog/oauth", Requests.facebook).redirected["code"])
        let redemption = FacebookTests.client.with(["redirect_uri": Visitor.redirectURI, "code": code])
        let tokens = try await visitor.get("facebook/oauth/access_token", redemption)
        #expect(tokens.status == 200)
        #expect(tokens.json["id_token"] == nil)
    }

    @Test("the keys are also published as certificates, and discovery has the keys' URL")
    func documents() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let document = try await visitor.get("facebook/.well-known/openid-configuration/")
        #expect(document.json["issuer"]?.stringValue == "\(Visitor.origin)/idp/facebook")
        #expect(document.json["jwks_uri"]?.stringValue == "\(Visitor.origin)/idp/facebook/.well-known/oauth/openid/jwks/")
        let keys = try await visitor.get("facebook/.well-known/oauth/openid/jwks").json["keys"]?.arrayValue
        let certificates = try await visitor.get("facebook/.well-known/oauth/openid/certs/").json.objectValue
        let name = try #require(keys?.first?["kid"]?.stringValue)
        #expect(certificates?[name]?.stringValue?.hasPrefix("-----BEGIN CERTIFICATE-----") == true)
    }
}
