import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Synchronization
import Testing
import WireFormats

@Suite("Facebook's Graph API by version, app and account")
struct FacebookGraphTests {
    private func token(_ visitor: Visitor, lifetime: Int? = nil) async throws -> String {
        var order = TokenOrder(provider: "facebook", user: "alice")
        order.lifetime = lifetime
        return try await TokenMint(cloud: visitor.cloud).token(order, issuerOrigin: Visitor.origin).token
    }

    @Test("version 1.0 has a user name, permissions as flags, and true for success")
    func versionOne() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("facebook") { $0.people[0].claims["preferred_username"] = "alice.archer" }
        let token = try await token(visitor)
        #expect(try await visitor.get("facebook/v1.0/me", ["access_token": token]).json["username"] == "alice.archer")
        #expect(try await visitor.get("facebook/v2.0/me", ["access_token": token]).json["username"] == nil)
        #expect(
            try await visitor.get("facebook/v1.0/me/permissions", ["access_token": token]).json == [
                "data": [["installed": 1, "public_profile": 1, "email": 1]]
            ])
        #expect(try await visitor.send(.delete, "facebook/v1.0/me/permissions?access_token=\(token)").body == "true")
    }

    @Test("the app's version applies if the path has none")
    func versionOfApp() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.changeApp { $0.version = GraphVersion(major: 2, minor: 0) }
        let token = try await token(visitor)
        #expect(try await visitor.get("facebook/me", ["access_token": token]).json["first_name"] == "Alice")
        #expect(try await visitor.get("facebook/v19.0/me", ["access_token": token]).json["first_name"] == nil)
        let text = try await visitor.get("facebook/oauth/access_token", FacebookTests.client.with(["grant_type": "client_credentials"]))
        #expect(text.body == "access_token=\(FacebookTests.appToken)")
    }

    @Test("fields depend on versions and permissions, and may have parameters and subfields")
    func fields() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.change("facebook") { provider in
            provider.people[0].claims["picture"] = "https://cdn.example/alice.jpg"
            provider.people[0].claims["gender"] = "female"
            provider.people[0].claims["locale"] = "en_GB"
        }
        let token = try await token(visitor)
        let me = try await visitor.get(
            "facebook/me", ["access_token": token, "fields": "id,picture.type(large){url,width},short_name,gender"])
        #expect(me.json["picture"]?["data"]?["url"] == "https://cdn.example/alice.jpg")
        #expect(me.json["short_name"] == "Alice")
        #expect(me.json["gender"] == nil)
        #expect(try await visitor.get("facebook/v2.12/me", ["access_token": token, "fields": "gender"]).json["gender"] == "female")
        #expect(try await visitor.get("facebook/v3.0/me", ["access_token": token, "fields": "locale"]).json["locale"] == "en_GB")
        #expect(try await visitor.get("facebook/v8.0/me", ["access_token": token, "fields": "locale"]).json["error"]?["code"] == 100)
    }

    @Test("an app with app-scoped identifiers sees them everywhere, except in version 1.0")
    func appScopedIDs() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.changeApp { $0.hasScopedIDs = true }
        let token = try await token(visitor)
        let id = try #require(try await visitor.get("facebook/me", ["access_token": token]).json["id"]?.stringValue)
        #expect(id != "100001234567890")
        #expect(id.count == 17)
        #expect(id.allSatisfy { $0.isNumber })
        #expect(try await visitor.get("facebook/v1.0/me", ["access_token": token]).json["id"] == "100001234567890")
        #expect(try await visitor.get("facebook/\(id)", ["access_token": token]).json["name"] == "Alice Archer")
        let debug = try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": FacebookTests.appToken])
        #expect(debug.json["data"]?["user_id"]?.stringValue == id)
        // Another app has another identifier for the same user.
        try await visitor.change("facebook") { provider in
            var other = Client(id: "999", secret: "s", name: "Other", redirectURIs: [], applicationID: nil)
            other.facebook = provider.clients[0].facebook
            provider.clients.append(other)
        }
        let person = try #require(visitor.cloud.directory.providers["facebook"]?.people[0])
        let clients = try #require(visitor.cloud.directory.providers["facebook"]?.clients)
        #expect(clients[0].facebookID(of: person) == id)
        #expect(clients[1].facebookID(of: person) != id)
    }

    @Test("an app can require a proof of its secret")
    func requiredProof() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        try await visitor.changeApp { $0.requiresAppSecretProof = true }
        let token = try await token(visitor)
        let refused = try await visitor.get("facebook/me", ["access_token": token])
        #expect(refused.status == 400)
        #expect(refused.json["error"]?["type"] == "GraphMethodException")
        #expect(refused.json["error"]?["message"] == "API calls from the server require an appsecret_proof argument")
        let proof = hmacSHA256(key: Array("facebook-app-secret".utf8), token).hex
        #expect(try await visitor.get("facebook/me", ["access_token": token, "appsecret_proof": proof]).status == 200)
    }

    @Test("a proof equals a published example")
    func proofVector() {
        #expect(
            hmacSHA256(key: Array("appsecret".utf8), "CAAtoken").hex
                == "b6bf5f280c6dde5af628b5dbc8cbfdc3c2b9e65685ec1a741ddf173162ad06b5")
    }

    @Test("one permission can be revoked, and its field with it")
    func singlePermission() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        let query: FormFields = ["access_token": token, "fields": "email"]
        #expect(try await visitor.get("facebook/me", query).json["email"] != nil)
        // A DELETE from clients that can only send GET.
        let revoked = try await visitor.get("facebook/me/permissions/email", ["access_token": token, "method": "delete"])
        #expect(revoked.json == ["success": true])
        #expect(try await visitor.get("facebook/me", query).json["email"] == nil)
        #expect(try await visitor.send(.delete, "facebook/me/permissions/email?access_token=\(token)").status == 400)
        let debug = try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": FacebookTests.appToken])
        #expect(debug.json["data"]?["scopes"] == ["public_profile"])
    }

    @Test(
        "an error of a blocked account has a subcode",
        arguments: [(FacebookAccount.Block.checkpoint, 459), (.unconfirmed, 464)] as [(FacebookAccount.Block, Int64)])
    func block(block: FacebookAccount.Block, subcode: Int64) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        try await visitor.change("facebook") { provider in
            var account = FacebookAccount()
            account.block = block
            provider.people[0].facebook = account
        }
        let error = try await visitor.get("facebook/me", ["access_token": token]).json["error"]
        #expect(error?["code"] == 190)
        #expect(error?["error_subcode"] == .integer(subcode))
        let debug = try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": FacebookTests.appToken])
        #expect(debug.json["data"]?["is_valid"] == false)
        #expect(debug.json["data"]?["error"]?["subcode"] == .integer(subcode))
    }

    @Test("debug_token returns the issue of a long-lived token, and the app of a revoked one")
    func debugToken() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let short = try await token(visitor)
        let debug: (String) async throws -> JSONValue? = { token in
            try await visitor.get("facebook/debug_token", ["input_token": token, "access_token": FacebookTests.appToken]).json["data"]
        }
        #expect(try await debug(short)?["issued_at"] == nil)
        #expect(try await debug(short)?["data_access_expires_at"] != nil)
        let call = FacebookTests.client.with(["grant_type": "fb_exchange_token", "fb_exchange_token": short])
        let long = try #require(try await visitor.get("facebook/oauth/access_token", call).json["access_token"]?.stringValue)
        let data = try await debug(long)
        let lifetime = try #require(data?["expires_at"]?.integerValue) - #require(data?["issued_at"]?.integerValue)
        #expect(lifetime == 5_184_000)
        _ = try await visitor.send(.delete, "facebook/me/permissions?access_token=\(long)")
        let revoked = try await debug(long)
        #expect(revoked?["is_valid"] == false)
        #expect(revoked?["app_id"]?.stringValue == FacebookTests.app)
        #expect(revoked?["error"]?["subcode"] == 458)
        let other = try await visitor.get("facebook/debug_token", ["input_token": "EAAx", "access_token": FacebookTests.appToken])
        #expect(other.json["data"]?["error"]?["code"] == 190)
        #expect(other.json["data"]?["app_id"] == nil)
    }

    @Test("an app can read only its own node")
    func appNode() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let app = try await visitor.get("facebook/\(FacebookTests.app)", ["access_token": FacebookTests.appToken])
        #expect(app.json == ["id": .string(FacebookTests.app), "name": "Personal Files"])
        #expect(app.headers[.init("facebook-api-version")!] == "v24.0")
        #expect(try await visitor.get("facebook/4711", ["access_token": FacebookTests.appToken]).status == 404)
        // A user who has not logged in to the app.
        #expect(try await visitor.get("facebook/100001234567891", ["access_token": FacebookTests.appToken]).status == 404)
    }

    @Test("errors of the first versions have no trace identifier")
    func traces() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        #expect(try await visitor.get("facebook/v2.0/me").json["error"]?["fbtrace_id"] == nil)
        #expect(try await visitor.get("facebook/v2.3/me").json["error"]?["fbtrace_id"] != nil)
    }

    @Test(
        "fault rules return the Graph API's messages",
        arguments: [
            ("2", 503, 2, nil, true), ("4", 403, 4, nil, true), ("17", 400, 17, nil, true), ("32", 400, 32, nil, true),
            ("1", 500, 1, nil, false), ("190/460", 400, 190, 460, false), ("190/467", 400, 190, 467, false),
            ("ServiceUnavailable", 503, 2, nil, true), ("ThrottlingException", 403, 4, nil, true),
        ] as [(String, Int, Int64, Int64?, Bool)])
    func faults(code: String, status: Int, number: Int64, subcode: Int64?, isTransient: Bool) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let token = try await token(visitor)
        _ = visitor.cloud.faults.add(FaultRule(service: "facebook", action: "Me", failure: .init(code: code)))
        let answer = try await visitor.get("facebook/me", ["access_token": token])
        let error = answer.json["error"]
        #expect(answer.status == status)
        #expect(error?["code"] == .integer(number))
        #expect(error?["error_subcode"]?.integerValue == subcode)
        #expect(error?["is_transient"]?.boolValue == (isTransient ? true : nil))
        #expect(try await visitor.get("facebook/me", ["access_token": token]).status == 200)
    }
}

/// The requests that were posted to an app.
private final class Posts: Sendable {
    let forms = Mutex<[(url: String, form: String)]>([])
}

@Suite("Facebook's deauthorize callback")
struct FacebookDeauthorizationTests {
    private func removal(status: Int) async throws -> (Posts, Answer) {
        let posts = Posts()
        let applications = Applications(
            fetch: { _ in throw CancellationError() },
            post: { url, form in
                posts.forms.withLock { $0.append((url, form)) }
                return status
            })
        let visitor = Visitor(try await Visitor.sandbox(), applications: applications)
        try await visitor.changeApp { $0.deauthorizeCallbackURL = "https://app.example/deauthorized" }
        let answer = try await visitor.authorize("facebook/dialog/oauth", Requests.facebook.with(["response_type": "token"]))
        let token = try #require(answer.redirected["access_token"])
        return (posts, try await visitor.send(.delete, "facebook/me/permissions?access_token=\(token)"))
    }

    @Test("an app receives a signed request when a user removes it")
    func callback() async throws {
        let (posts, answer) = try await removal(status: 200)
        #expect(answer.json == ["success": true])
        #expect(answer.entry.errorCode == nil)
        let posted = try #require(posts.forms.withLock { $0.first })
        #expect(posted.url == "https://app.example/deauthorized")
        let parts = try #require(FormFields(parsing: posted.form)?["signed_request"]).split(separator: ".").map(String.init)
        #expect(parts[0] == hmacSHA256(key: Array("facebook-app-secret".utf8), parts[1]).base64url)
        #expect(try JSONValue(parsing: try #require([UInt8](base64url: parts[1])))["user_id"] == "100001234567890")
    }

    @Test("an app that refuses the request is removed nevertheless, which the journal shows")
    func failure() async throws {
        let (_, answer) = try await removal(status: 500)
        #expect(answer.json == ["success": true])
        #expect(answer.entry.errorCode == "deauthorize_callback_failed")
    }
}
