import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Policy
import Testing
import Tokens
import WireFormats

@testable import CredentialsFace

@Suite("AWS Sign-In")
struct SignInTests {
    private static let client = "arn:aws:signin:::devtools/same-device"
    private static let redirect = "http://127.0.0.1:4000/oauth/callback"
    private static let alice = "arn:aws:iam::111122223333:user/alice"
    private static let verifier = String(repeating: "v", count: 43)
    private static let policy = """
        {Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "signin:*",
          Resource: "arn:aws:signin:us-east-1:111122223333:oauth2/public-client/localhost"}]}
        """
    private static let seed = """
        {accounts: [{id: "111122223333", users: [{name: "alice", policies: {own: \(policy)}}, {name: "bob"}]}]}
        """

    private static let authorization: FormFields = [
        "response_type": "code", "client_id": client, "state": "s", "code_challenge_method": "SHA-256", "scope": "openid",
        "redirect_uri": redirect, "code_challenge": SHA256.hash(verifier).base64url,
    ]

    /// Returns a proof of a key.
    private static func proof(
        _ key: SigningKey, _ sandbox: DoorSandbox, identifier: String? = nil, changing changes: JSONObject = [:]
    ) throws -> String {
        let jti = try identifier ?? randomBytes(8).hex
        var claims: JSONObject = [
            "htm": "POST", "htu": "http://127.0.0.1:4566/v1/token", "iat": .integer(sandbox.cloud.clock.wall.seconds), "jti": .string(jti),
        ]
        for (name, value) in changes.members { claims[name] = value }
        let header: JSONObject = ["typ": "dpop+jwt", "jwk": .object(try JSONWebKey(key.verificationKey).json)]
        return try JSONWebToken.sign(header: header, claims: claims, key: key)
    }

    /// Logs an identity in, and returns the answer of the page.
    private static func choose(_ identity: String, _ sandbox: DoorSandbox) async throws -> FaceAnswer {
        let page = try await sandbox.send(.get, "/v1/authorize?\(authorization.encoded)").text
        let form = page.components(between: "name=\"form\" value=\"", and: "\"")
        let fields: FormFields = ["form": form, "identity": identity]
        return try await sandbox.send(
            .post, "/v1/authorize", ["Content-Type": "application/x-www-form-urlencoded"], body: fields.encoded)
    }

    private static func code(_ sandbox: DoorSandbox) async throws -> String {
        let location = try await choose(alice, sandbox).fields[.location] ?? ""
        return FormFields(parsing: String(location.drop { $0 != "?" }.dropFirst()))?.first("code") ?? ""
    }

    private static func token(_ order: JSONObject, _ proof: String?, _ sandbox: DoorSandbox) async throws -> FaceAnswer {
        var order = order
        if order["clientId"] == nil { order["clientId"] = .string(client) }
        let fields = proof.map { ["DPoP": $0, "Content-Type": "application/json"] } ?? [:]
        return try await sandbox.send(.post, "/v1/token", fields, body: JSONValue.object(order).serialized())
    }

    private static func exchange(_ code: String) -> JSONObject {
        [
            "grantType": "authorization_code", "code": .string(code), "codeVerifier": .string(verifier), "redirectUri": .string(redirect),
        ]
    }

    private static func key() throws -> SigningKey { try .generate(algorithm: .es256, created: Timestamp(seconds: 0)) }

    @Test("refuses other machines, whose users are not asked for a password")
    func otherMachines() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let remote = ["X-Forwarded-For": "192.0.2.1"]
            #expect(try await sandbox.send(.get, "/v1/authorize?\(Self.authorization.encoded)", remote).status == 403)
            let form = ["Content-Type": "application/x-www-form-urlencoded"].merging(remote) { $1 }
            #expect(try await sandbox.send(.post, "/v1/authorize", form, body: "form=a&identity=\(Self.alice)").status == 403)
            let json = ["Content-Type": "application/json"].merging(remote) { $1 }
            #expect(try await sandbox.send(.post, "/v1/token", json, body: "{}").status == 403)
        }
    }

    @Test("issues credentials of the identity for 15 minutes (K21, K22, K23)")
    func credentials() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let key = try Self.key()
            let answer = try await Self.token(Self.exchange(Self.code(sandbox)), Self.proof(key, sandbox), sandbox)
            #expect(answer.status == 200)
            #expect(answer.json["expiresIn"] == 900)
            #expect(answer.journal.face == "signin")
            let credentials = answer.json["accessToken"]
            let token = try #require(credentials?["sessionToken"]?.stringValue)
            let session = try sandbox.sessions.open(token, accessKeyID: credentials?["accessKeyId"]?.stringValue ?? "")
            #expect(session.principal.name == Self.alice)
            #expect(session.credentials.isSignIn)
            #expect(session.credentials.expires.seconds - session.credentials.issued.seconds == 900)
            let claims = try JSONWebToken(parsing: try #require(answer.member("idToken"))).claims
            #expect(claims["sub"] == .string(Self.alice))
            #expect(claims["session_arn"] == .string(Self.alice))
        }
    }

    @Test("requires a good proof with each request, once (K21)")
    func proofs() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let key = try Self.key()
            let code = try await Self.code(sandbox)
            let changes: [JSONObject] = [
                ["htm": "GET"], ["htu": "http://127.0.0.1:4566/v1/other"], ["htu": "http://evil/v1/token"],
                ["htu": "http://127.0.0.1:4567/v1/token"], ["iat": 0], ["jti": ""],
            ]
            for change in changes {
                let wrong = try await Self.token(Self.exchange(code), Self.proof(key, sandbox, changing: change), sandbox)
                #expect(wrong.status == 400)
                #expect(wrong.member("error") == "INVALID_REQUEST")
            }
            let missing = try await Self.token(Self.exchange(code), nil, sandbox)
            #expect(missing.member("error") == "INVALID_REQUEST")
            let proof = try Self.proof(key, sandbox, identifier: "once")
            #expect(try await Self.token(Self.exchange(code), proof, sandbox).status == 200)
            #expect(try await Self.token(Self.exchange(Self.code(sandbox)), proof, sandbox).status == 400)
        }
    }

    @Test("rotates refresh tokens, which are bound to the key and end after twelve hours (K21, K22)")
    func refresh() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let key = try Self.key()
            let first = try await Self.token(Self.exchange(Self.code(sandbox)), Self.proof(key, sandbox), sandbox)
            var order: JSONObject = ["grantType": "refresh_token", "refreshToken": first.json["refreshToken"] ?? .null]
            let foreign = try await Self.token(order, Self.proof(Self.key(), sandbox), sandbox)
            #expect(foreign.member("error") == "INVALID_REQUEST")
            let second = try await Self.token(order, Self.proof(key, sandbox), sandbox)
            #expect(second.status == 200)
            #expect(second.json["idToken"] == nil)
            order["refreshToken"] = second.json["refreshToken"]
            try await sandbox.cloud.age(by: .seconds(12 * 3600 + 1))
            let late = try await Self.token(order, Self.proof(key, sandbox), sandbox)
            #expect(late.status == 403)
            #expect(late.member("error") == "TOKEN_EXPIRED")
        }
    }

    @Test("ends a login whose refresh token is used twice (RFC 9700 section 4.14.2)")
    func replay() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let key = try Self.key()
            let first = try await Self.token(Self.exchange(Self.code(sandbox)), Self.proof(key, sandbox), sandbox)
            let other = try await Self.token(Self.exchange(Self.code(sandbox)), Self.proof(key, sandbox), sandbox)
            func refresh(_ answer: FaceAnswer) async throws -> FaceAnswer {
                let order: JSONObject = ["grantType": "refresh_token", "refreshToken": answer.json["refreshToken"] ?? .null]
                return try await Self.token(order, Self.proof(key, sandbox), sandbox)
            }
            let second = try await refresh(first)
            #expect(second.status == 200)
            // Processes that share a cache of tokens may refresh at the same time.
            #expect(try await refresh(first).member("error") == "TOKEN_EXPIRED")
            let third = try await refresh(second)
            #expect(third.status == 200)
            try await sandbox.cloud.age(by: .seconds(61))
            #expect(try await refresh(first).member("error") == "TOKEN_EXPIRED")
            #expect(try await refresh(third).member("error") == "TOKEN_EXPIRED")
            // Another login of the same person goes on.
            #expect(try await refresh(other).status == 200)
        }
    }

    @Test("knows used codes, refresh tokens and proofs after the sandbox was closed and opened")
    func survival() async throws {
        try await withTemporaryFolder { folder in
            let key = try Self.key()
            var (code, proof, next) = ("", "", JSONValue.null)
            try await DoorSandbox.run(Self.seed, folder: folder) { sandbox async throws in
                code = try await Self.code(sandbox)
                let first = try await Self.token(Self.exchange(code), Self.proof(key, sandbox), sandbox)
                proof = try Self.proof(key, sandbox)
                let order: JSONObject = ["grantType": "refresh_token", "refreshToken": first.json["refreshToken"] ?? .null]
                let second = try await Self.token(order, proof, sandbox)
                #expect(second.status == 200)
                next = second.json["refreshToken"] ?? .null
            }
            try await DoorSandbox.run(Self.seed, folder: folder) { sandbox async throws in
                let order: JSONObject = ["grantType": "refresh_token", "refreshToken": next]
                #expect(try await Self.token(order, proof, sandbox).member("error") == "INVALID_REQUEST")
                #expect(try await Self.token(Self.exchange(code), Self.proof(key, sandbox), sandbox).member("error") == "AUTHCODE_EXPIRED")
            }
        }
    }

    @Test("binds codes to the verifier and the redirect, for ten minutes (K21, K22)")
    func codes() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let key = try Self.key()
            let code = try await Self.code(sandbox)
            for (name, value) in [
                ("codeVerifier", String(repeating: "w", count: 43)), ("redirectUri", "http://127.0.0.1:1/oauth/callback"),
            ] {
                var order = Self.exchange(code)
                order[name] = .string(value)
                #expect(try await Self.token(order, Self.proof(key, sandbox), sandbox).member("error") == "INVALID_REQUEST")
            }
            try await sandbox.cloud.age(by: .seconds(601))
            let late = try await Self.token(Self.exchange(code), Self.proof(key, sandbox), sandbox)
            #expect(late.member("error") == "AUTHCODE_EXPIRED")
        }
    }

    @Test("ends logins of users who were created again (K22)")
    func changed() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let code = try await Self.code(sandbox)
            try await sandbox.cloud.edit { directory in
                guard var user = directory.user("alice", in: "111122223333")?.user else { return }
                user.loginProfile = LoginProfile(password: "p", created: Timestamp(seconds: 0), mustChange: false)
                directory.put(.user(user))
            }
            let answer = try await Self.token(Self.exchange(code), Self.proof(Self.key(), sandbox), sandbox)
            #expect(answer.member("error") == "USER_CREDENTIALS_CHANGED")
        }
    }

    @Test("needs a permission of the user (K22)")
    func permissions() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let answer = try await Self.choose("arn:aws:iam::111122223333:user/bob", sandbox)
            #expect(answer.status == 403)
            #expect(answer.member("error") == "INSUFFICIENT_PERMISSIONS")
            #expect(answer.journal.denial?.action == "signin:AuthorizeOAuth2Access")
        }
    }

    @Test(
        "checks the request of the page (K21)",
        arguments: [
            ("code_challenge_method", "S256"), ("code_challenge", "x"), ("response_type", "token"), ("client_id", "x"), ("scope", "email"),
            ("state", ""), ("redirect_uri", "http://127.0.0.1/oauth/callback"), ("redirect_uri", "https://evil.example/oauth/callback"),
            ("redirect_uri", "http://127.0.0.1:05000/oauth/callback"), ("redirect_uri", "http://127.0.0.1:70000/oauth/callback"),
        ])
    func page(name: String, value: String) async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            var fields = Self.authorization
            fields.fields = fields.fields.map { $0.name == name ? .init(name: name, value: value) : $0 }
            let answer = try await sandbox.send(.get, "/v1/authorize?\(fields.encoded)")
            #expect(answer.status == 400)
            #expect(answer.member("error") == "INVALID_REQUEST")
        }
    }

    @Test("refuses other names of hosts, and pages at the token endpoint (K38)")
    func pages() async throws {
        try await DoorSandbox.run(Self.seed) { sandbox async throws in
            let target = "/v1/authorize?\(Self.authorization.encoded)"
            #expect(try await sandbox.send(.get, target, authority: "rebound.example").status == 403)
            #expect(try await sandbox.send(.post, "/v1/token", ["Origin": "null"], body: "{}").status == 403)
            #expect(try await sandbox.send(.post, "/v1/token?x-amz-client-auth-method=iam", body: "{}").status == 404)
        }
    }
}

extension String {
    /// Returns the text between the first occurrence of one text and the next of another.
    fileprivate func components(between start: String, and end: String) -> String {
        guard let first = firstRange(of: start) else { return "" }
        let rest = String(self[first.upperBound...])
        guard let last = rest.firstRange(of: end) else { return "" }
        return String(rest[..<last.lowerBound])
    }
}
