import Cloud
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import MobileCloudFace

@Suite("Tokens of the mobile cloud")
struct MobileTokensTests {
    @Test("are signed JWTs that contain backend, user, times and kind (R33, R136)")
    func claims() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let backend = try mobile.backend()
            let user = try #require(mobile.cloud.directory.mobile.realms["Default(1.0)"]?.user(named: "joe"))
            let token = try JSONWebToken(parsing: try await mobile.token("joe", furtherRoles: ["Guest"]))
            #expect(token.algorithm == .rs256)
            #expect(token.claims["backend_id"] == .string(backend.id))
            #expect(token.claims["sub"] == "joe")
            #expect(token.claims["prn"] == "joe")
            #expect(token.claims["user_id"] == .string(user.id))
            #expect(token.claims["oracle.oauth.tk_context"] == "user_assertion")
            #expect(token.claims["roles"] == ["Guest"])
            let (issued, expires) = (token.claims["iat"]?.integerValue ?? 0, token.claims["exp"]?.integerValue ?? 0)
            #expect(expires == issued + 3600)
            let key = try #require(try await mobile.cloud.verificationKey(token.keyID ?? "", of: MobileTokens.issuer))
            #expect(throws: Never.self) { try token.verify(with: key) }
            let ofClient = try JSONWebToken(parsing: try await mobile.token(nil))
            #expect(ofClient.claims["oracle.oauth.tk_context"] == "client_assertion")
            #expect(ofClient.claims["sub"] == .string(backend.clientID))
            #expect(ofClient.claims["user_id"] == nil)
            let ofVirtual = try JSONWebToken(
                parsing: try await mobile.token(
                    "eva", method: .jwtBearer, virtual: .init(issuer: "https://idp.example", roles: ["Technician"])))
            #expect(ofVirtual.claims["virtual"] == true)
            #expect(ofVirtual.claims["issuer"] == "https://idp.example")
            #expect(ofVirtual.claims["roles"] == ["Technician"])
        }
    }

    @Test("can be decoded by clients that know one base64 alphabet only", arguments: ["a~b?c>d", "üñ~ñ?", "日本語>>>???~~~", "👩‍🔧\u{7F}"])
    func alphabet(_ name: String) async throws {
        try await MobileSandbox.run { mobile async throws in
            // Each further character shifts the others to another position in a group of three.
            for padding in ["", "x", "xx"] {
                let username = padding + name
                let text = try await mobile.token(username, method: .exchange, virtual: .init(issuer: "i~", roles: ["r?"]))
                let payload = try #require(text.split(separator: ".").dropFirst().first)
                #expect(!payload.contains("-"))
                #expect(!payload.contains("_"))
                #expect(try JSONWebToken(parsing: text).claims["sub"] == .string(username))
                #expect(try await mobile.caller(.bearer(text)).name == username)
            }
        }
    }

    @Test("are valid under every host name, and for their own backend whatever the header says (R32, R33, R137)")
    func everywhere() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            var fields = HTTPFields.bearer(try await mobile.token("joe"))
            for authority in ["localhost:4566", "mobile.example:80", "127.0.0.1:9999"] {
                let answer = try await mobile.send(.get, "/mobile/platform/users/~", fields: fields, authority: authority)
                #expect(answer.status == 200)
                #expect(answer["username"] == "joe")
            }
            fields[.backendID] = try mobile.backend("other").id
            #expect(try await mobile.caller(fields).backend.name == "app")
            fields[.backendID] = "nonsense"
            #expect(try await mobile.caller(fields).backend.name == "app")
        }
    }

    @Test("expire by the sandbox's clock")
    func expiry() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let token = try await mobile.token("joe", lifetime: 3600)
            try await mobile.cloud.age(by: .seconds(3000))
            #expect(try await mobile.get("/mobile/platform/users/~", .bearer(token)).status == 200)
            try await mobile.cloud.age(by: .seconds(600))
            let answer = try await mobile.get("/mobile/platform/users/~", .bearer(token))
            #expect(answer.status == 401)
            #expect(answer.errorCode == MobileErrorKind.invalidToken.code)
            #expect(answer.fields[.wwwAuthenticate] == "Bearer realm=\"mobile cloud\", error=\"invalid_token\"")
        }
    }

    @Test("are invalid after a reset")
    func reset() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let token = try await mobile.token("joe")
            #expect(try await mobile.get("/mobile/platform/users/~", .bearer(token)).status == 200)
            try await mobile.cloud.reset()
            let after = try await mobile.get("/mobile/platform/users/~", .bearer(token))
            #expect(after.status == 401)
            #expect(after.errorCode == MobileErrorKind.invalidToken.code)
            #expect(try await mobile.get("/mobile/platform/users/~", .bearer(try await mobile.token("joe"))).status == 200)
        }
    }

    @Test("end with their backend and with their user, also if another user gets the name (R138)")
    func deletion() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let (token, others) = (try await mobile.token("joe"), try await mobile.token("joe", backend: "other"))
            var realm = try #require(mobile.cloud.directory.mobile.realms["Default(1.0)"])
            let place = try #require(realm.users.firstIndex { $0.username == "joe" })
            realm.users[place].id = "somebody-else"
            let changed = realm
            try await mobile.cloud.edit { $0.put(.mobile(.realm(changed))) }
            #expect(try await mobile.get("/mobile/platform/users/~", .bearer(token)).errorCode == MobileErrorKind.invalidToken.code)
            #expect(try await mobile.get("/mobile/platform/users/~", .basic("joe:pass:word", mobile.backend())).status == 200)
            try await mobile.cloud.edit { $0.remove(.init(.mobile, MobileCloudRecord.Kind.backend("other(1.0)").name)) }
            #expect(try await mobile.get("/mobile/platform/users/~", .bearer(others)).errorCode == MobileErrorKind.invalidToken.code)
        }
    }

    @Test("are those of the user that the request has found, also if another user has got the name since")
    func requestInFlight() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let (found, now) = (mobile.cloud.directory.mobile, mobile.cloud.clock.now)
            var realm = try #require(found.realms["Default(1.0)"])
            let place = try #require(realm.users.firstIndex { $0.username == "joe" })
            realm.users[place].id = "somebody-else"
            let changed = realm
            try await mobile.cloud.edit { $0.put(.mobile(.realm(changed))) }
            let content = MobileTokens.Content(
                backendID: try mobile.backend().id, username: "joe", method: .oauth, issued: now, expires: now + .seconds(3600))
            let token = try await MobileTokens(cloud: mobile.cloud).issue(content, in: found)
            #expect(try await mobile.get("/mobile/platform/users/~", .bearer(token)).errorCode == MobileErrorKind.invalidToken.code)
        }
    }

    /// A method, and the change to a backend that ends its tokens.
    struct Switch: Sendable {
        var method: MobileCaller.Method
        var change: @Sendable (inout MobileBackend) -> Void
    }

    @Test(
        "are refused while their method is off, and with Facebook Login (R2, R5, R7, R34, R122, X13)",
        arguments: [
            Switch(method: .oauth) { $0.allowsOAuth = false }, Switch(method: .exchange) { $0.allowsBasic = false },
            Switch(method: .jwtBearer) { $0.allowsBasic = false }, Switch(method: .jwtBearer) { $0.allowsOAuth = false },
            Switch(method: .singleSignOn) { $0.allowsSingleSignOn = false }, Switch(method: .singleSignOn) { $0.allowsOAuth = false },
            Switch(method: .oauth) { $0.facebook = .init(appID: "1", appSecret: "2") },
            Switch(method: .exchange) { $0.facebook = .init(appID: "1", appSecret: "2") },
            Switch(method: .jwtBearer) { $0.facebook = .init(appID: "1", appSecret: "2") },
            Switch(method: .singleSignOn) { $0.facebook = .init(appID: "1", appSecret: "2") },
        ])
    func switches(_ example: Switch) async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            try await mobile.change { $0.allowsSingleSignOn = true }
            let token = try await mobile.token("joe", method: example.method)
            #expect(try await mobile.caller(.bearer(token)).method == example.method)
            try await mobile.change("app", example.change)
            let answer = try await mobile.get("/mobile/platform/users/~", .bearer(token))
            #expect(answer.status == 401)
            #expect(answer.errorCode == MobileErrorKind.authenticationMethodOff.code)
        }
    }

    @Test("of other issuers are refused")
    func forgeries() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let token = try await mobile.token("joe")
            let claims = try JSONWebToken(parsing: token).claims
            let foreign = try SigningKey.generate(created: .now())
            let own = try #require(try JSONWebToken(parsing: token).keyID)
            let forgeries = [
                try JSONWebToken.sign(claims: claims, key: foreign), try JSONWebToken.sign(claims: claims, key: foreign.named(own)),
                JSONWebToken.unsigned(claims: claims), String(token.dropLast(8)), token + "A", "undefined", "a.b.c",
            ]
            for forgery in forgeries {
                let answer = try await mobile.get("/mobile/platform/users/~", .bearer(forgery))
                #expect(answer.status == 401)
                #expect(answer.errorCode == MobileErrorKind.invalidToken.code)
            }
        }
    }

    @Test("give a realm user the assigned roles and the token's, a virtual user only the token's (R11, R101)")
    func roles() async throws {
        try await MobileSandbox.run(MobileSandbox.staff) { mobile async throws in
            let user = try await mobile.caller(.bearer(try await mobile.token("joe", method: .exchange, furtherRoles: ["Guest"])))
            #expect(user.roles == ["Technician", "Guest"])
            let virtual = try await mobile.caller(
                .bearer(try await mobile.token("joe", method: .exchange, virtual: .init(issuer: "i", roles: ["Guest"]))))
            #expect(virtual.roles == ["Guest"])
            guard case .virtual(let name, let issuer) = virtual.identity else { throw MobileSandbox.NoSuchBackend(name: "virtual") }
            #expect(name == "joe")
            #expect(issuer == "i")
        }
    }
}
