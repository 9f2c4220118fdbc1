import Cloud
import Cryptography
import HTTPTypes
import Testing
import WireFormats

@testable import IdentityProviders

@Suite("Facebook's login dialog")
struct FacebookDialogTests {
    private static let token = Requests.facebook.with(["response_type": "token"])

    @Test(
        "accepts redirect URIs that every app may use",
        arguments: [
            "fbconnect://success", "fb1234567890123456://authorize", "https://www.facebook.com/connect/login_success.html",
            "http://localhost/callback", "\(Visitor.origin)/idp/facebook/connect/login_success.html",
        ])
    func builtInRedirects(uri: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize("facebook/dialog/oauth", Self.token.with(["redirect_uri": uri]))
        #expect(answer.status == 302)
        #expect(answer.location.hasPrefix(uri + "#access_token="))
    }

    @Test(
        "refuses redirect URIs of other apps and hosts",
        arguments: ["fb999://authorize", "fbconnect://success/x", "https://www.facebook.com/", "http://localhost/callback2"])
    func otherRedirects(uri: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.get("facebook/dialog/oauth", Self.token.with(["redirect_uri": uri]))
        #expect(answer.status == 400)
        #expect(answer.location.isEmpty)
        #expect(answer.entry.errorCode == "191")
    }

    @Test("has a success page for an app's own browser")
    func successPage() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let page = try await visitor.get("facebook/connect/login_success.html")
        #expect(page.status == 200)
        #expect(page.body.contains("Success"))
    }

    @Test("returns code and token together, and supports the older `type`")
    func responseTypes() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let both = try await visitor.authorize("facebook/dialog/oauth", Requests.facebook.with(["response_type": "code token"]))
        #expect(both.location.contains("#access_token="))
        #expect(both.redirected["code"] != nil)
        let old = try await visitor.authorize("facebook/dialog/oauth", Requests.facebook.with(["type": "user_agent"]))
        #expect(old.location.contains("#access_token="))
        #expect(old.redirected["code"] == nil)
        #expect(old.redirected["state"] == "s")
        let web = try await visitor.authorize("facebook/dialog/oauth", Requests.facebook.with(["type": "web_server"]))
        #expect(web.redirected["code"] != nil)
        #expect(web.redirected["access_token"] == nil)
    }

    @Test("returns a signed request with a code that is redeemed with an empty redirect URI")
    func signedRequest() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize(
            "facebook/dialog/oauth", Requests.facebook.with(["response_type": "token,signed_request,graph_domain"]))
        let parts = try #require(answer.redirected["signed_request"]).split(separator: ".").map(String.init)
        #expect(parts[0] == hmacSHA256(key: Array("facebook-app-secret".utf8), parts[1]).base64url)
        let payload = try JSONValue(parsing: try #require([UInt8](base64url: parts[1])))
        #expect(payload["algorithm"] == "HMAC-SHA256")
        #expect(payload["user_id"] == "100001234567890")
        #expect(payload["issued_at"] != nil)
        let code = try #require(payload["code"]?.stringValue)
        let call = FacebookTests.client.with(["redirect_uri": "", "code": code])
        #expect(try await visitor.get("facebook/oauth/access_token", call).json["access_token"] != nil)
        let other = try #require(try await visitor.authorize("facebook/dialog/oauth", Requests.facebook).redirected["code"])
        let refused = try await visitor.get("facebook/oauth/access_token", call.with(["code": other]))
        #expect(refused.json["error"]?["code"] == 191)
    }

    @Test("encodes a signed request as a published example")
    func signedRequestVector() {
        let request = SignedRequest(
            userID: "100001234567890", issuedAt: Timestamp(seconds: 1_376_368_380), further: ["code": "AQC1"])
        #expect(
            request.text(secret: "appsecret")
                == "bq4nBKXJimYDIOev83c7hWTL2y2mBe0wexixZixz_Zk.eyJhbGdvcml0aG0iOiJITUFDLVNIQTI1NiIsImNvZGUiOiJBUUMxIiwiaXNzdWVkX2F0IjoxMzc2MzY4MzgwLCJ1c2VyX2lkIjoiMTAwMDAxMjM0NTY3ODkwIn0"
        )
    }

    @Test("reports declined permissions, and asks for them again only with auth_type=rerequest")
    func declinedPermissions() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let request = Self.token.with(["response_type": "token,granted_scopes", "scope": "email,user_birthday"])
        let login = try await visitor.get("facebook/dialog/oauth", request)
        let consent = try await visitor.press("person", "alice", on: login)
        #expect(consent.body.contains("name=\"decline\" value=\"email\""))
        #expect(!consent.body.contains("value=\"public_profile\""))
        let answer = try await visitor.press("action", "allow", on: consent, filling: ["decline": "email", "decline": "public_profile"])
        #expect(answer.redirected["granted_scopes"] == "public_profile,user_birthday")
        #expect(answer.redirected["denied_scopes"] == "email")
        let token = try #require(answer.redirected["access_token"])
        #expect(try await visitor.get("facebook/me", ["access_token": token, "fields": "email"]).json["email"] == nil)
        let listed = try await visitor.get("facebook/me/permissions", ["access_token": token]).json["data"]
        #expect(
            listed == [
                ["permission": "public_profile", "status": "granted"], ["permission": "user_birthday", "status": "granted"],
                ["permission": "email", "status": "declined"],
            ])

        let silent = try await visitor.get("facebook/dialog/oauth", request)
        #expect(silent.redirected["denied_scopes"] == "email")
        let again = try await visitor.get("facebook/dialog/oauth", request.with(["auth_type": "rerequest"]))
        #expect(again.isConsent)
        let agreed = try await visitor.press("action", "allow", on: again)
        #expect(agreed.redirected["denied_scopes"] == "")
        // Permissions belong to user and app, so the older token can now read the email address.
        #expect(
            try await visitor.get("facebook/me", ["access_token": token, "fields": "email"]).json["email"] == "alice@example.com")
    }

    @Test(
        "lists the scopes for return_scopes=true, as the SDKs ask for them",
        arguments: ["code", "token", "token,signed_request,graph_domain", "code token"])
    func returnScopes(type: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let request = Requests.facebook.with(["response_type": type, "scope": "email", "return_scopes": "true"])
        let login = try await visitor.get("facebook/dialog/oauth", request)
        let consent = try await visitor.press("person", "alice", on: login)
        let answer = try await visitor.press("action", "allow", on: consent, filling: ["decline": "email"])
        #expect(answer.redirected["granted_scopes"] == "public_profile")
        #expect(answer.redirected["denied_scopes"] == "email")
        #expect((answer.redirected["code"] != nil) == type.contains("code"))
        #expect((answer.redirected["access_token"] != nil) == type.contains("token"))
        let without = try await visitor.get("facebook/dialog/oauth", request.with(["return_scopes": "false"]))
        #expect(without.redirected["granted_scopes"] == nil)
        #expect(without.redirected["denied_scopes"] == nil)
    }

    @Test("issues tokens that also have earlier permissions")
    func earlierPermissions() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        _ = try await visitor.authorize("facebook/dialog/oauth", Self.token.with(["scope": "email"]))
        let answer = try await visitor.authorize("facebook/dialog/oauth", Self.token.with(["response_type": "token,granted_scopes"]))
        #expect(answer.redirected["granted_scopes"] == "public_profile,email")
    }

    @Test("asks for the password again with auth_type=reauthenticate, and debug_token returns its nonce")
    func reauthenticate() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        _ = try await visitor.authorize("facebook/dialog/oauth", Self.token)
        #expect(try await visitor.get("facebook/dialog/oauth", Self.token).status == 302)
        let request = Self.token.with(["auth_type": "reauthenticate", "auth_nonce": "n-1"])
        let login = try await visitor.get("facebook/dialog/oauth", request)
        #expect(login.isLogin)
        let token = try #require(try await visitor.press("person", "alice", on: login).redirected["access_token"])
        let debug = try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": FacebookTests.appToken])
        #expect(debug.json["data"]?["metadata"] == ["auth_nonce": "n-1"])
    }

    @Test("reports a denial to a mobile app in another form")
    func deniedWebDialog() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let page = try await visitor.get("facebook/dialog/oauth", Self.token.with(["redirect_uri": "fbconnect://success"]))
        let answer = try await visitor.press("action", "deny", on: page)
        #expect(answer.location.hasPrefix("fbconnect://success?error_code=4201&error_message="))
        #expect(answer.redirected["error"] == nil)
    }

    @Test("returns the data access expiry in the versions that have it")
    func dataAccess() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let new = try await visitor.authorize("facebook/v19.0/dialog/oauth", Self.token)
        #expect(new.redirected["data_access_expiration_time"] != nil)
        let old = try await visitor.authorize("facebook/v2.5/dialog/oauth", Self.token)
        #expect(old.redirected["data_access_expiration_time"] == nil)
    }
}
