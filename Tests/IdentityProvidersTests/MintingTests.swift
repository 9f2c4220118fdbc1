import Cloud
import Federation
import Testing
import Tokens
import WireFormats

@Suite("Tokens without a login")
struct MintingTests {
    private func mint(
        _ cloud: Cloud, _ provider: String, user: String = "alice", client: String? = nil, claims: JSONObject = [:],
        lifetime: Int? = nil
    ) async throws -> MintedToken {
        var order = TokenOrder(provider: provider, user: user)
        order.client = client
        order.claims = claims
        order.lifetime = lifetime
        return try await TokenMint(cloud: cloud).token(order, issuerOrigin: Visitor.origin)
    }

    @Test("an ID token carries the claims that were asked for in place of its own")
    func claims() async throws {
        let cloud = try await Visitor.sandbox()
        let minted = try await mint(
            cloud, "company", user: "bob", client: "cli", claims: ["email": "b@b.example", "groups": ["staff"]], lifetime: 60)
        #expect(minted.subject == "employee-0002-bob" && minted.client == "cli" && minted.expiresIn == 60)
        let token = try JSONWebToken(parsing: minted.token)
        #expect(token.claims["iss"]?.stringValue == "\(Visitor.origin)/idp/company" && token.claims["aud"] == "cli")
        #expect(token.claims["email"] == "b@b.example" && token.claims["groups"] == ["staff"])
        #expect(token.claims["name"] == "Bob Baker")
        let lifetime = try #require(token.claims["exp"]?.integerValue) - #require(token.claims["iat"]?.integerValue)
        #expect(lifetime == 60)
        #expect(try await mint(cloud, "company", claims: ["sub": "nobody"]).subject == "nobody")
    }

    @Test("Facebook's and Amazon's are access tokens of the first client", arguments: ["facebook", "amazon"])
    func accessTokens(provider: String) async throws {
        let cloud = try await Visitor.sandbox()
        let minted = try await mint(cloud, provider)
        let grant = try #require(try cloud.grants.find(minted.token, kind: .accessToken, at: provider))
        #expect(grant.person == "alice" && grant.client == minted.client)
        #expect(minted.expiresIn == (provider == "facebook" ? 5400 : 3600))
        let target = provider == "facebook" ? "facebook/me" : "amazon/user/profile"
        #expect(try await Visitor(cloud).get(target, ["access_token": minted.token]).status == 200)
    }

    @Test("a social token is made for scopes, of an app's own identifiers, long-lived, expired or revoked")
    func socialTokens() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.changeApp { $0.hasScopedIDs = true }
        let mint = TokenMint(cloud: visitor.cloud)
        var order = TokenOrder(provider: "facebook", user: "alice")
        order.scopes = ["public_profile", "user_birthday"]
        order.lifetime = 5_184_000
        let minted = try await mint.token(order, issuerOrigin: Visitor.origin)
        let debug: (String) async throws -> JSONValue? = { token in
            try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": FacebookTests.appToken]).json["data"]
        }
        let data = try await debug(minted.token)
        #expect(data?["user_id"]?.stringValue == minted.subject && data?["scopes"] == ["public_profile", "user_birthday"])
        #expect(data?["issued_at"] != nil, "it lives long")
        order.fault = .revoked
        let revoked = try await debug(try await mint.token(order, issuerOrigin: Visitor.origin).token)
        #expect(revoked?["error"]?["subcode"] == 458)
        order.fault = .expired
        let expired = try await debug(try await mint.token(order, issuerOrigin: Visitor.origin).token)
        #expect(expired?["error"]?["subcode"] == 463)
        var other = TokenOrder(provider: "google", user: "alice")
        other.fault = .revoked
        await #expect(throws: MintingError.kindNotPossible(.idToken)) { try await mint.token(other, issuerOrigin: Visitor.origin) }
        other.kind = .accessToken
        let token = try await mint.token(other, issuerOrigin: Visitor.origin).token
        #expect(try await visitor.get("google/tokeninfo", ["access_token": token]).status == 400)
    }

    @Test("what cannot be made is refused by name")
    func faults() async throws {
        let cloud = try await Visitor.sandbox()
        await #expect(throws: MintingError.unknownProvider("x")) { try await mint(cloud, "x") }
        await #expect(throws: MintingError.unknownUser("dave")) { try await mint(cloud, "company", user: "dave") }
        await #expect(throws: MintingError.unknownClient("x")) { try await mint(cloud, "company", client: "x") }
        await #expect(throws: MintingError.opaque(.accessToken)) { try await mint(cloud, "facebook", claims: ["a": 1]) }
        for lifetime in [0, -1, Int.max] {
            await #expect(throws: MintingError.invalidLifetime) { try await mint(cloud, "google", lifetime: lifetime) }
        }
    }
}
