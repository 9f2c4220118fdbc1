import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("An issuer of Microsoft Entra ID")
struct EntraTests {
    private static let tenant = "11111111-2222-3333-4444-555555555555"
    private static let issuer = "https://login.microsoftonline.com/\(tenant)/v2.0"

    private func sandbox() async throws -> Cloud {
        let cloud = try await Visitor.sandbox()
        try await Company.change(cloud) { provider in
            provider.issuer = Self.issuer
            provider.product = .entra
        }
        return cloud
    }

    private func visitor(_ cloud: Cloud) -> Visitor { Visitor(cloud, host: "login.microsoftonline.com") }

    @Test("discovery has the tenant's endpoints, and a placeholder for any tenant")
    func discovery() async throws {
        let visitor = visitor(try await sandbox())
        let own = try await visitor.get("/\(Self.tenant)/v2.0/.well-known/openid-configuration").json
        #expect(own["issuer"]?.stringValue == Self.issuer)
        #expect(own["token_endpoint"]?.stringValue == "http://login.microsoftonline.com/\(Self.tenant)/oauth2/v2.0/token")
        #expect(own["jwks_uri"]?.stringValue == "http://login.microsoftonline.com/\(Self.tenant)/discovery/v2.0/keys")
        #expect(own["userinfo_endpoint"] == "http://graph.microsoft.com/oidc/userinfo")
        let common = try await visitor.get("/common/v2.0/.well-known/openid-configuration").json
        #expect(common["issuer"] == "https://login.microsoftonline.com/{tenantid}/v2.0")
        #expect(common["authorization_endpoint"] == "http://login.microsoftonline.com/common/oauth2/v2.0/authorize")
    }

    @Test("a login through any tenant has tokens of the own one, with the claims of Entra ID")
    func login() async throws {
        let cloud = try await sandbox()
        let visitor = visitor(cloud)
        let request = Requests.company.with(["scope": "openid profile offline_access User.Read"])
        let code = try #require(try await visitor.authorize("/common/oauth2/v2.0/authorize", request).redirected["code"])
        let tokens = try await visitor.post(
            "/common/oauth2/v2.0/token",
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI, "client_id": "web-app",
                "client_secret": "web-app-client-secret", "client_info": "1",
            ])
        #expect(tokens.json["scope"] == "openid profile offline_access User.Read")
        #expect(tokens.json["ext_expires_in"] == tokens.json["expires_in"])
        let claims = try await Company.claims(tokens.json["id_token"]?.stringValue, at: Visitor(cloud))
        #expect(claims["iss"]?.stringValue == Self.issuer)
        #expect(claims["tid"]?.stringValue == Self.tenant)
        #expect(claims["ver"] == "2.0")
        #expect(claims["nbf"] == claims["iat"])
        #expect(claims["uti"] != nil)
        #expect(claims["preferred_username"] != nil)
        let object = try #require(claims["oid"]?.stringValue)
        #expect(object.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12])
        let info = try #require([UInt8](base64url: tokens.json["client_info"]?.stringValue ?? ""))
        #expect(try JSONValue(parsing: info) == ["uid": .string(object), "utid": .string(Self.tenant)])
        let refreshed = try await visitor.post(
            "/\(Self.tenant)/oauth2/v2.0/token",
            [
                "grant_type": "refresh_token", "refresh_token": tokens.json["refresh_token"]?.stringValue ?? "", "client_id": "web-app",
                "client_secret": "web-app-client-secret", "scope": "User.Read openid profile offline_access",
            ])
        #expect(refreshed.status == 200)
    }

    @Test("access tokens that are JWTs have the claims of version 2.0")
    func accessToken() async throws {
        let cloud = try await sandbox()
        try await Company.change(cloud) { $0.accessTokenFormat = .jwt }
        let visitor = visitor(cloud)
        let request = Requests.company.with(["scope": "openid api://orders/read"])
        let code = try #require(try await visitor.authorize("/\(Self.tenant)/oauth2/v2.0/authorize", request).redirected["code"])
        let tokens = try await visitor.post(
            "/\(Self.tenant)/oauth2/v2.0/token",
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI, "client_id": "web-app",
                "client_secret": "web-app-client-secret",
            ])
        let claims = try await Company.claims(tokens.json["access_token"]?.stringValue, at: Visitor(cloud))
        #expect(claims["aud"] == "orders")
        #expect(claims["scp"] == "read")
        #expect(claims["azp"] == "web-app")
        #expect(claims["tid"]?.stringValue == Self.tenant)
    }

    @Test("instance discovery returns the tenant's metadata and the host's names")
    func instance() async throws {
        let visitor = visitor(try await sandbox())
        let endpoint = "https://login.microsoftonline.com/\(Self.tenant)/oauth2/v2.0/authorize"
        let known = try await visitor.get("/common/discovery/instance", ["api-version": "1.1", "authorization_endpoint": endpoint])
        #expect(
            known.json["tenant_discovery_endpoint"]?.stringValue
                == "http://login.microsoftonline.com/\(Self.tenant)/v2.0/.well-known/openid-configuration")
        #expect(known.json["metadata"]?.arrayValue?.first?["aliases"] == ["login.microsoftonline.com"])
        let other = try await visitor.get(
            "/common/discovery/instance", ["api-version": "1.1", "authorization_endpoint": "https://login.other.example/common"])
        #expect(other.status == 400)
        #expect(other.error == "invalid_instance")
    }

    @Test("the paths are also below /idp/<name>, beside those of every issuer")
    func ownPaths() async throws {
        let visitor = Visitor(try await sandbox())
        let metadata = try await visitor.get("company/v2.0/.well-known/openid-configuration").json
        #expect(metadata["issuer"]?.stringValue == "\(Visitor.origin)/idp/company")
        #expect(metadata["token_endpoint"]?.stringValue == "\(Visitor.origin)/idp/company/oauth2/v2.0/token")
        for path in ["company/discovery/v2.0/keys", "company/jwks"] {
            let keys = try await visitor.get(path).json["keys"]?.arrayValue
            #expect(keys?.first?["x5t"] != nil, "\(path)")
        }
    }

    @Test("a logout returns to a redirect URI without naming a client")
    func logout() async throws {
        let visitor = visitor(try await sandbox())
        let answer = try await visitor.get(
            "/\(Self.tenant)/oauth2/v2.0/logout", ["post_logout_redirect_uri": Visitor.redirectURI])
        #expect(answer.location == Visitor.redirectURI)
        let other = try await visitor.get(
            "/\(Self.tenant)/oauth2/v2.0/logout", ["post_logout_redirect_uri": "https://other.example/"])
        #expect(other.status == 400)
    }
}
