import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Further flows of Google")
struct GoogleFlowTests {
    private static let endpoint = "google/o/oauth2/v2/auth"

    @Test(
        "the authorization response has what the response type names, in the fragment",
        arguments: ["token", "id_token", "token id_token", "code token", "code id_token", "code token id_token"])
    func frontChannel(type: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize(Self.endpoint, Requests.google.with(["response_type": type]))
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "#state=s"))
        let fields = answer.redirected
        let types = type.split(separator: " ")
        #expect((fields["code"] != nil) == types.contains("code"))
        #expect((fields["access_token"] != nil) == types.contains("token"))
        #expect((fields["token_type"] == "Bearer") == types.contains("token"))
        guard types.contains("id_token") else {
            #expect(fields["id_token"] == nil)
            return
        }
        let claims = try JSONWebToken(parsing: try #require(fields["id_token"])).claims
        #expect(claims["nonce"] == "n")
        #expect(claims["iss"] == "https://accounts.google.com")
        #expect(claims["at_hash"]?.stringValue == fields["access_token"].map { JSONWebToken.accessTokenHash($0) })
        #expect(claims["c_hash"]?.stringValue == fields["code"].map { JSONWebToken.codeHash($0) })
    }

    @Test(
        "an application without a redirect reads the code from the page's title, or its user copies it",
        arguments: ["urn:ietf:wg:oauth:2.0:oob", "urn:ietf:wg:oauth:2.0:oob:auto"])
    func outOfBand(redirectURI: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let request = Requests.google.with(["redirect_uri": redirectURI])
        #expect(try await visitor.get(Self.endpoint, request).body.contains("redirect_uri_mismatch"))
        try await visitor.change("google") { $0.clients[0].redirectURIs.append("urn:ietf:wg:oauth:2.0:oob") }
        #expect(try await visitor.get(Self.endpoint, request.with(["response_type": "token"])).status == 400)
        let answer = try await visitor.authorize(Self.endpoint, request)
        #expect(answer.status == 200)
        #expect(answer.location.isEmpty)
        let title = try #require(answer.body.firstRange(of: "<title>Success ")).upperBound
        let fields = try #require(FormFields(parsing: String(answer.body[title...].prefix { $0 != "<" }).replacing("&amp;", with: "&")))
        let code = try #require(fields["code"])
        #expect(fields["state"] == "s")
        #expect(answer.body.contains("<code id=\"code\">\(code)</code>") == !redirectURI.hasSuffix("auto"))
        let client = try #require(visitor.cloud.directory.providers["google"]?.clients[0])
        let tokens = try await visitor.post(
            "google/token",
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": redirectURI, "client_id": client.id,
                "client_secret": client.secret ?? "",
            ])
        #expect(tokens.status == 200, "\(tokens.body)")
        #expect(tokens.json["id_token"] != nil, "\(tokens.body)")
        var step = try await visitor.get(Self.endpoint, request.with(["prompt": "consent"]))
        #expect(step.isConsent)
        step = try await visitor.press("action", "deny", on: step)
        #expect(step.body.contains("<title>Denied "))
        #expect(step.body.contains("error=access_denied"))
    }

    @Test("a response can be posted, and the response type none returns nothing")
    func modes() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let posted = try await visitor.authorize(
            Self.endpoint, Requests.google.with(["response_type": "id_token", "response_mode": "form_post"]))
        #expect(posted.status == 200)
        #expect(posted.body.contains("name=\"id_token\""))
        #expect(posted.body.contains("action=\"\(Visitor.redirectURI)\""))
        let none = try await visitor.authorize(Self.endpoint, Requests.google.with(["response_type": "none"]))
        #expect(none.redirected["state"] == "s")
        #expect(none.redirected["code"] == nil)
        #expect(none.redirected["scope"] == nil)
    }

    @Test(
        "errors of the authorization endpoint",
        arguments: [
            ["response_type": "id_token", "nonce": ""], ["response_type": "token token"], ["response_type": "token none"],
            ["response_type": "granted_scopes"], ["response_type": "token", "response_mode": "query"], ["response_mode": "magic"],
            ["approval_prompt": "force", "prompt": "consent"], ["include_granted_scopes": "perhaps"],
        ] as [FormFields])
    func faults(parameters: FormFields) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get(Self.endpoint, Requests.google.with(parameters))
        #expect(answer.status == 400)
        #expect(answer.location.isEmpty)
    }

    @Test("prompt=none returns an error if a page would be needed")
    func silent() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let request = Requests.google.with(["prompt": "none"])
        let stranger = try await visitor.get(Self.endpoint, request)
        #expect(stranger.redirected["error"] == "interaction_required")
        #expect(stranger.redirected["error_subtype"] == "access_denied")
        _ = try await visitor.authorize(Self.endpoint, Requests.google)
        #expect(try await visitor.get(Self.endpoint, request).redirected["code"] != nil)
        let more = request.with(["scope": "openid https://www.googleapis.com/auth/drive"])
        #expect(try await visitor.get(Self.endpoint, more).redirected["error"] == "interaction_required")
    }

    @Test(
        "an installed application may use any port (Google Identity, \"OAuth 2.0 for Mobile & Desktop Apps\")",
        arguments: [("http://localhost:49152/", true), ("http://localhost:49152", true), ("http://127.0.0.1:49152/", false)])
    func installed(uri: String, isTaken: Bool) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("google") { provider in
            provider.clients[0].redirectURIs = ["http://localhost"]
            provider.clients[0].metadata.applicationType = "native"
        }
        let answer = try await visitor.authorize(Self.endpoint, Requests.google.with(["redirect_uri": uri]))
        #expect((answer.status == 302) == isTaken, "\(answer.location)")
        #expect(answer.location.hasPrefix(uri) == isTaken, "\(answer.location)")
    }

    @Test("a denial in the implicit flow is reported in the fragment")
    func deny() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let page = try await visitor.get(Self.endpoint, Requests.google.with(["response_type": "token"]))
        let answer = try await visitor.press("action", "deny", on: page)
        #expect(answer.location.hasPrefix(Visitor.redirectURI + "#error=access_denied"))
    }

    @Test("include_granted_scopes adds the scopes that were granted before")
    func incremental() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let first = Requests.google.with(["response_type": "token", "scope": "openid email"])
        _ = try await visitor.authorize(Self.endpoint, first)
        let drive = "https://www.googleapis.com/auth/drive"
        let alone = try await visitor.authorize(Self.endpoint, first.with(["scope": drive]))
        #expect(alone.redirected["scope"] == drive)
        let both = try await visitor.authorize(Self.endpoint, first.with(["scope": drive, "include_granted_scopes": "true"]))
        #expect(both.redirected["scope"] == "\(drive) openid https://www.googleapis.com/auth/userinfo.email")
    }

    @Test("the older approval_prompt=force asks again, and returns a refresh token")
    func approvalPrompt() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        _ = try await visitor.authorize(Self.endpoint, Requests.google)
        let request = Requests.google.with(["access_type": "offline", "approval_prompt": "force"])
        #expect(try await visitor.get("google/o/oauth2/auth", request).isConsent)
        let code = try #require(try await visitor.authorize("google/o/oauth2/auth", request).redirected["code"])
        let answer = try await visitor.post("google/token", GoogleTests.client.with(["grant_type": "authorization_code", "code": code]))
        #expect(answer.json["refresh_token"] != nil)
    }

    @Test("a login hint or a domain of another user shows the login page")
    func hints() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("google") { $0.people[1].claims["hd"] = "company.example" }
        _ = try await visitor.authorize(Self.endpoint, Requests.google)
        #expect(try await visitor.get(Self.endpoint, Requests.google.with(["login_hint": "alice@example.com"])).status == 302)
        let hinted = try await visitor.get(Self.endpoint, Requests.google.with(["login_hint": "bob@example.com"]))
        #expect(hinted.isLogin)
        #expect(hinted.body.contains("value=\"bob\" autocomplete"))
        let domain = Requests.google.with(["hd": "company.example"])
        let login = try await visitor.get(Self.endpoint, domain)
        #expect(login.isLogin)
        let consent = try await visitor.press("person", "bob", on: login)
        let answer = try await visitor.press("action", "allow", on: consent)
        #expect(answer.redirected["hd"] == "company.example")
        #expect(try await visitor.get(Self.endpoint, domain).status == 302)
        #expect(try await visitor.get(Self.endpoint, Requests.google.with(["hd": "*"])).status == 302)
    }

    @Test("tokens of the older endpoint have the issuer without its scheme")
    func oldIssuer() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let code = try #require(try await visitor.authorize("google/o/oauth2/auth", Requests.google).redirected["code"])
        let answer = try await visitor.post(
            "google/o/oauth2/token", GoogleTests.client.with(["grant_type": "authorization_code", "code": code]))
        let token = try JSONWebToken(parsing: try #require(answer.json["id_token"]?.stringValue))
        #expect(token.claims["iss"] == "accounts.google.com")
    }

    @Test("version 1 of the keys is a map of certificates, version 2 a key set")
    func oldKeys() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let keys = try await visitor.get("google/oauth2/v2/certs").json["keys"]?.arrayValue
        let identifier = try #require(keys?.first?["kid"]?.stringValue)
        let certificates = try #require(try await visitor.get("google/oauth2/v1/certs").json.objectValue)
        let pem = try #require(certificates[identifier]?.stringValue)
        #expect(pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(pem.hasSuffix("-----END CERTIFICATE-----\n"))
        #expect(try X509Certificate(pem: pem).notAfter > 0)
    }

    @Test("version 1 of userinfo and tokeninfo has Google's former names, and numbers")
    func versionOne() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize(
            Self.endpoint, Requests.google.with(["response_type": "token id_token", "scope": "openid email"]))
        let token = try #require(answer.redirected["access_token"])
        let info = try await visitor.get("google/oauth2/v1/userinfo", headers: [.authorization: "Bearer \(token)"]).json
        #expect(info == ["id": "110169484474386276334", "email": "alice@example.com", "verified_email": true])
        // The path of `userinfo.v2.me.get` in the discovery document of the API.
        let me = try await visitor.get("google/userinfo/v2/me", headers: [.authorization: "Bearer \(token)"]).json
        #expect(me == info)
        let access = try await visitor.get("google/oauth2/v1/tokeninfo", ["access_token": token]).json
        #expect(access["issued_to"]?.stringValue == GoogleTests.clientID)
        #expect(access["audience"] == access["issued_to"])
        #expect(access["user_id"] == "110169484474386276334")
        #expect(access["verified_email"] == true)
        #expect((1...3600).contains(try #require(access["expires_in"]?.integerValue)))
        let identity = try await visitor.get("google/oauth2/v1/tokeninfo", ["id_token": try #require(answer.redirected["id_token"])]).json
        #expect(identity["issuer"] == "https://accounts.google.com")
        #expect(identity["user_id"] == "110169484474386276334")
        #expect(identity["email_verified"] == true)
        #expect(identity["issued_at"]?.integerValue != nil)
        let refused = try await visitor.get("google/oauth2/v2/userinfo", headers: [.authorization: "Bearer x"])
        #expect(refused.status == 401)
        #expect(refused.json["error"]?["status"] == "UNAUTHENTICATED")
        #expect(refused.json["error"]?["code"] == 401)
    }

    @Test("userinfo also accepts the token in a form")
    func userInfoForm() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize(Self.endpoint, Requests.google.with(["response_type": "token"]))
        let token = try #require(answer.redirected["access_token"])
        #expect(try await visitor.post("google/v1/userinfo", ["access_token": token]).json["sub"] == "110169484474386276334")
    }

    @Test("a token is revoked by a GET of the older endpoint")
    func oldRevocation() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize(Self.endpoint, Requests.google.with(["response_type": "token"]))
        let token = try #require(answer.redirected["access_token"])
        #expect(try await visitor.get("google/o/oauth2/revoke", ["token": token]).status == 200)
        #expect(try await visitor.get("google/tokeninfo", ["access_token": token]).status == 400)
    }

    @Test("discovery contains the supported endpoints and values")
    func discovery() async throws {
        let document = try await Visitor(try await Visitor.sandbox()).get("google/.well-known/openid-configuration").json
        #expect(document["device_authorization_endpoint"]?.stringValue == "\(Visitor.origin)/idp/google/device/code")
        #expect(document["response_types_supported"]?.arrayValue?.count == 8)
        #expect(document["grant_types_supported"]?.arrayValue?.contains("urn:ietf:params:oauth:grant-type:jwt-bearer") == true)
    }
}
