import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import Seeds
import Testing
import Tokens
import WireFormats

@Suite("ID tokens with the client's secret (OpenID Connect Core 1.0 section 10.1)")
struct SharedSecretTests {
    private static let secret = String(repeating: "s", count: 64)

    private func sandbox(
        _ algorithm: SignatureAlgorithm = .hs256, applications: Applications = .unreachable,
        _ change: (inout ClientMetadata) -> Void = { _ in }
    ) async throws -> (Visitor, Applicant) {
        let visitor = Visitor(try await Visitor.sandbox(), applications: applications)
        let applicant = try Applicant(secret: Self.secret)
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.idTokenSignedResponseAlg = algorithm.rawValue
            change(&metadata)
        }
        return (visitor, applicant)
    }

    private func verified(_ text: String?, secret: String = Self.secret) throws -> JSONWebToken {
        let token = try JSONWebToken(parsing: try #require(text), accepting: SignatureAlgorithm.sharedSecret)
        try token.verify(secret: Array(secret.utf8))
        return token
    }

    /// A token that the client makes itself about alice.
    private func forged(_ visitor: Visitor, secret: String = Self.secret, _ further: JSONObject = [:]) throws -> String {
        let now = visitor.cloud.clock.now.seconds
        var claims: JSONObject = [
            "iss": .string("\(Visitor.origin)/idp/company"), "aud": "app", "sub": "employee-0001-alice", "iat": .integer(now),
            "exp": .integer(now + 600),
        ]
        for (name, value) in further.members { claims[name] = value }
        return try JSONWebToken.sign(claims: claims, secret: Array(secret.utf8))
    }

    @Test("are authenticated with the algorithm of the registration", arguments: [SignatureAlgorithm.hs256, .hs384, .hs512])
    func login(algorithm: SignatureAlgorithm) async throws {
        let (visitor, applicant) = try await sandbox(algorithm)
        let answer = try await applicant.tokens(visitor)
        let token = try verified(answer.json["id_token"]?.stringValue)
        #expect(token.algorithm == algorithm)
        #expect(token.keyID == nil)
        #expect(token.claims["aud"] == "app")
        #expect(token.claims["sub"] == "employee-0001-alice")
        #expect(token.claims["nonce"] == "n-1")
        #expect(token.claims["at_hash"]?.stringValue == JSONWebToken.accessTokenHash(answer.accessToken, algorithm: algorithm))
        let keys = try await visitor.get("company/jwks")
        #expect(!keys.body.contains("\"\(algorithm.rawValue)\""))
        #expect(!keys.body.contains(Self.secret))
    }

    @Test("are in discovery, and no other message has such an algorithm")
    func discovery() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let metadata = try await visitor.get("company/.well-known/openid-configuration").json
        func listed(_ message: String) -> [String] {
            metadata["\(message)_signing_alg_values_supported"]?.arrayValue?.compactMap(\.stringValue).filter { $0.hasPrefix("HS") } ?? []
        }
        #expect(listed("id_token") == ["HS256", "HS384", "HS512"])
        #expect(listed("userinfo").isEmpty)
        #expect(listed("authorization").isEmpty)
        #expect(listed("introspection").isEmpty)
    }

    private func register(_ visitor: Visitor, _ document: JSONObject) async throws -> Answer {
        var registration: JSONObject = ["redirect_uris": [.string(Visitor.redirectURI)]]
        for (name, value) in document.members { registration[name] = value }
        return try await visitor.send(
            .post, "company/register", body: JSONValue.object(registration).serialized(), headers: [.contentType: "application/json"])
    }

    @Test("are for clients that register for them, with a secret that is long enough", arguments: ["HS256", "HS384", "HS512"])
    func registration(algorithm: String) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let client = try await register(visitor, ["id_token_signed_response_alg": .string(algorithm)])
        #expect(client.status == 201, "\(client.body)")
        let id = client.json["client_id"]?.stringValue ?? ""
        let secret = client.json["client_secret"]?.stringValue ?? ""
        #expect(secret.utf8.count == 64)
        let request = Requests.company.with(["client_id": id])
        let code = try #require(try await visitor.authorize("company/authorize", request).redirected["code"])
        let form: FormFields = ["grant_type": "authorization_code", "code": code, "redirect_uri": Visitor.redirectURI]
        let tokens = try await visitor.post("company/token", form, headers: [.authorization: basic(id, secret)])
        #expect(try verified(tokens.json["id_token"]?.stringValue, secret: secret).algorithm.rawValue == algorithm)
    }

    @Test(
        "are refused to clients without a secret, and for other messages",
        arguments: [
            (["id_token_signed_response_alg": "HS256", "token_endpoint_auth_method": "none"], "needs a client secret"),
            (
                [
                    "id_token_signed_response_alg": "HS256", "token_endpoint_auth_method": "private_key_jwt",
                    "jwks_uri": "https://app.example/keys",
                ], "needs a client secret"
            ), (["userinfo_signed_response_alg": "HS256"], "userinfo_signed_response_alg HS256 is not supported"),
            (["authorization_signed_response_alg": "HS256"], "authorization_signed_response_alg HS256 is not supported"),
            (["introspection_signed_response_alg": "HS256"], "introspection_signed_response_alg HS256 is not supported"),
        ] as [(JSONObject, String)])
    func refusedRegistration(document: JSONObject, reason: String) async throws {
        let answer = try await register(Visitor(try await Visitor.sandbox()), document)
        #expect(answer.error == "invalid_client_metadata")
        #expect(answer.errorDescription?.contains(reason) == true, "\(answer.body)")
    }

    @Test(
        "need a secret of the digest's length in a seed (RFC 7518 section 3.2)",
        arguments: [("HS256", 31, 32), ("HS384", 47, 48), ("HS512", 63, 64), ("HS256", 0, 32)])
    func shortSecret(algorithm: String, count: Int, least: Int) throws {
        func seed(_ count: Int) -> SeedFile {
            let secret = count == 0 ? "" : "secret: '\(String(repeating: "s", count: count))', "
            let client = "{id: 'a', \(secret)metadata: {id_token_signed_response_alg: '\(algorithm)'}}"
            let provider = "{name: 'company', kind: 'openIDConnect', issuer: 'https://login.example', clients: [\(client)], people: []}"
            return SeedFile(name: "seed", text: Array("{identityProviders: [\(provider)]}".utf8))
        }
        let error = #expect(throws: (any Error).self) { try seed(count).decode() }
        let message = error.map { "\($0)" } ?? ""
        #expect(message.contains("at least \(least) bytes"), "\(message)")
        #expect(message.contains(algorithm), "\(message)")
        #expect(try seed(least).decode().identityProviders.first?.client("a")?.idTokenSecret?.count == least)
    }

    @Test("are hints for the client of the secret only")
    func hints() async throws {
        let (visitor, applicant) = try await sandbox()
        let token = try #require(try await applicant.tokens(visitor).json["id_token"]?.stringValue)
        func silent(_ hint: String, client: String = "app") async throws -> String? {
            let request = Requests.company.with(["client_id": client, "prompt": "none", "id_token_hint": hint])
            return try await visitor.get("company/authorize", request).redirected["error"]
        }
        #expect(try await silent(token) == nil)
        #expect(try await silent(token, client: "web-app") == "invalid_request")
        #expect(try await silent(forged(visitor, secret: Self.secret + "x")) == "invalid_request")
        #expect(try await silent(forged(visitor, ["aud": ["app", "web-app"]]), client: "web-app") == "invalid_request")
        #expect(try await silent(forged(visitor, ["azp": "web-app"])) == "invalid_request")
        #expect(try await silent(forged(visitor, ["sub": "employee-0002-bob"])) == "login_required")
        // The secret of a client with another algorithm makes no hints.
        let other = try forged(visitor, secret: "web-app-client-secret", ["aud": "web-app"])
        #expect(try await silent(other, client: "web-app") == "invalid_request")
    }

    @Test("end a session without a question only if the issuer made them in it")
    func logout() async throws {
        let (visitor, applicant) = try await sandbox()
        let token = try #require(try await applicant.tokens(visitor).json["id_token"]?.stringValue)
        for further in [[:], ["sid": "another"]] as [JSONObject] {
            let page = try await visitor.get("company/logout", ["id_token_hint": try forged(visitor, further)])
            #expect(!page.body.contains("Logged out"))
        }
        #expect(try await visitor.get("company/logout", ["id_token_hint": token]).body.contains("Logged out"))
    }

    @Test("are not exchanged, since the client could have made them")
    func exchange() async throws {
        let (visitor, applicant) = try await sandbox()
        let token = try #require(try await applicant.tokens(visitor).json["id_token"]?.stringValue)
        for type in ["id_token", "jwt"] {
            let form: FormFields = [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token,
                "subject_token_type": "urn:ietf:params:oauth:token-type:\(type)",
            ]
            let answer = try await visitor.post("company/token", applicant.credentials.with(form))
            #expect(answer.status == 400, "\(answer.body)")
            #expect(answer.accessToken.isEmpty)
        }
    }

    @Test("and logout tokens have the same algorithm (Back-Channel Logout 1.0 section 2.6)")
    func logoutToken() async throws {
        let web = Web()
        let (visitor, applicant) = try await sandbox(applications: web.applications) {
            $0.backchannelLogoutURI = "https://app.example/logout"
        }
        let token = try #require(try await applicant.tokens(visitor).json["id_token"]?.stringValue)
        _ = try await visitor.get("company/logout", ["id_token_hint": token])
        let notice = try verified(try #require(web.posts.first).form["logout_token"])
        #expect(notice.header["typ"] == "logout+jwt")
        #expect(notice.claims["aud"] == "app")
        // It is no ID token.
        let hint = try #require(web.posts.first?.form["logout_token"])
        #expect(try await visitor.get("company/logout", ["id_token_hint": hint]).status == 400)
    }

    @Test("are a client's setting in a Keycloak realm, too")
    func realm() async throws {
        let cloud = try await Administrator.sandbox()
        let administrator = try await Administrator(cloud)
        let attributes: JSONValue = ["id.token.signed.response.alg": "HS512"]
        let secret = JSONValue.string(Self.secret)
        let id = try await administrator.create(
            "/works/clients",
            ["clientId": "signer", "secret": secret, "directAccessGrantsEnabled": true, "attributes": attributes])
        #expect(try await administrator.get("/works/clients/\(id)")["attributes"]?["id.token.signed.response.alg"] == "HS512")
        let form: FormFields = [
            "client_id": "signer", "client_secret": Self.secret, "grant_type": "password", "username": "dora",
            "password": "dora-password", "scope": "openid",
        ]
        let answer = try await Visitor(cloud, base: "/realms/").post("works/protocol/openid-connect/token", form)
        let token = try verified(answer.json["id_token"]?.stringValue)
        #expect(token.algorithm == .hs512)
        #expect(token.claims["azp"] == "signer")
        // The access token is for others, who do not have the secret.
        #expect(try JSONWebToken(parsing: answer.accessToken).algorithm == .rs256)
        let short = try await administrator.send(.put, "/works/clients/\(id)", ["secret": "short"])
        #expect(short.status == 501)
        #expect(short.body.contains("at least 64 bytes"), "\(short.body)")
        let new = try await administrator.send(.post, "/works/clients/\(id)/client-secret")
        #expect(new.json["value"]?.stringValue?.utf8.count == 64)
    }
}
