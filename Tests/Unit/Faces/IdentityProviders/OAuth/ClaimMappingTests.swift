import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Claims of tokens")
struct ClaimMappingTests {
    private static let rights: JSONObject = ["groups": ["g"], "roles": ["r"], "entitlements": ["e"], "tenant": "t", "department": "sales"]

    /// Gives alice claims, and changes the provider.
    private static func prepare(_ provider: inout IdentityProvider) {
        ScopeApplicant.addAPIs(&provider)
        guard let index = provider.people.firstIndex(where: { $0.name == "alice" }) else { return }
        for (name, value) in rights.members { provider.people[index].claims[name] = value }
    }

    /// Changes the application.
    private func change(_ app: ScopeApplicant, _ change: (inout Client) -> Void) async throws {
        var client = try #require(app.visitor.cloud.directory.providers["company"]?.client(app.applicant.id))
        change(&client)
        let changed = client
        try await app.visitor.cloud.edit { $0.put(changed, at: "company") }
    }

    @Test(
        "an access token has groups, roles and entitlements (RFC 9068 section 2.2.3.1), and what its APIs want",
        arguments: IdentityProvider.AccessTokenFormat.allCases)
    func authorization(format: IdentityProvider.AccessTokenFormat) async throws {
        let app = try await ScopeApplicant { provider in
            Self.prepare(&provider)
            provider.accessTokenFormat = format
            provider.apis[0].claims = [ClaimMapping("tenant", .attribute("tenant"))]
            provider.apis[1].claims = [ClaimMapping("tier", .constant("gold"))]
        }
        for (scope, tenant, tier) in [("openid", nil, nil), ("orders.read", "t", nil), ("orders.read mail.send", "t", "gold")]
            as [(String, JSONValue?, JSONValue?)]
        {
            let token = try await app.run(.code, scope: scope).token
            var documents = [try await app.status(token)]
            if format == .jwt { documents.append(.object(try await Company.claims(token, at: app.visitor))) }
            for claims in documents {
                #expect(claims["groups"] == ["g"])
                #expect(claims["roles"] == ["r"])
                #expect(claims["entitlements"] == ["e"])
                #expect(claims["tenant"] == tenant)
                #expect(claims["tier"] == tier)
                #expect(claims["department"] == nil, "no API wants it")
            }
        }
    }

    @Test("a client's mappings are in ID token, access token and userinfo, or where they say")
    func places() async throws {
        let app = try await ScopeApplicant { provider in
            Self.prepare(&provider)
            provider.accessTokenFormat = .jwt
        }
        try await change(app) { client in
            client.claims = [
                ClaimMapping("unit", .attribute("department")), ClaimMapping("id", .constant("i"), places: [.idToken]),
                ClaimMapping("access", .template("${username}/${tenant}"), places: [.accessToken]),
                ClaimMapping("info", .groups(prefix: ""), places: [.userinfo]), ClaimMapping("none", .attribute("missing")),
            ]
        }
        let tokens = try await app.run(.code, scope: "openid").answer
        let identity = try JSONWebToken(parsing: tokens.json["id_token"]?.stringValue ?? "").claims
        let access = try JSONWebToken(parsing: tokens.accessToken).claims
        let info = try await app.visitor.get("company/userinfo", headers: [.authorization: "Bearer \(tokens.accessToken)"]).json
        for claims in [.object(identity), .object(access), info] as [JSONValue] {
            #expect(claims["unit"] == "sales")
            #expect(claims["none"] == nil)
        }
        #expect(identity["id"] == "i")
        #expect(access["id"] == nil)
        #expect(info["id"] == nil)
        #expect(access["access"] == "alice/t")
        #expect(identity["access"] == nil)
        #expect(info["info"] == ["g"])
        #expect(access["info"] == nil)
    }

    @Test("a client's own token has its attributes, in the form of the issuer")
    func clientCredentials() async throws {
        let app = try await ScopeApplicant(change: Self.prepare)
        try await change(app) { client in
            client.attributes = ["roles": ["reader"], "groups": ["batch"], "tenant": "t2"]
            client.claims = [ClaimMapping("label", .template("${client_id} of ${tenant}"))]
        }
        let token = try await app.run(.clientCredentials, scope: "orders.read").token
        #expect(try JSONWebToken(parsing: token).header["typ"] == "at+jwt")
        let claims = try await Company.claims(token, at: app.visitor)
        #expect(claims["sub"] == "app")
        #expect(claims["azp"] == "app", "STS compares it with the clients that it trusts")
        #expect(claims["roles"] == ["reader"])
        #expect(claims["groups"] == ["batch"])
        #expect(claims["tenant"] == "t2")
        #expect(claims["label"] == "app of t2")
        #expect(claims["aud"]?.stringValue == ScopeApplicant.orders)
        for name in ["typ", "realm_access", "resource_access", "preferred_username"] { #expect(claims[name] == nil, "\(name)") }

        let realm = Visitor(app.visitor.cloud, base: "/realms/")
        let form = app.applicant.credentials.with(["grant_type": "client_credentials"])
        let answer = try await realm.post("company/protocol/openid-connect/token", form)
        let keycloak = try JSONWebToken(parsing: answer.accessToken).claims
        #expect(keycloak["typ"] == "Bearer")
        #expect(keycloak["azp"] == "app")
        #expect(keycloak["realm_access"] != nil)
        #expect(keycloak["groups"] == ["batch"])
        #expect(keycloak["label"] == "app of t2")
    }

    @Test("an API with opaque tokens gets them from clients, too, and introspects their claims")
    func opaqueClientToken() async throws {
        let app = try await ScopeApplicant { provider in
            Self.prepare(&provider)
            provider.apis[0].tokenFormat = .opaque
        }
        try await change(app) { $0.attributes = ["roles": ["reader"]] }
        let token = try await app.run(.clientCredentials, scope: "orders.read").token
        #expect((try? JSONWebToken(parsing: token)) == nil)
        let status = try await app.status(token)
        #expect(status["active"] == true)
        #expect(status["sub"] == "app")
        #expect(status["client_id"] == "app")
        #expect(status["scope"] == "orders.read")
        #expect(status["roles"] == ["reader"])
    }
}
