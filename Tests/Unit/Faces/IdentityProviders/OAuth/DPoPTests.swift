import Cloud
import Cryptography
import Directory
import HTTPTypes
import Testing
import Tokens
import WireFormats

@Suite("Proof of possession (RFC 9449)")
struct DPoPTests {
    private static let userInfoURL = "\(Visitor.origin)/idp/company/userinfo"

    private func sandbox(secret: String? = nil) async throws -> (Visitor, Applicant) {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant(secret: secret)
        try await applicant.register(at: visitor.cloud, grants: [.password, .tokenExchange])
        return (visitor, applicant)
    }

    private func userInfo(_ visitor: Visitor, _ token: String, scheme: String = "DPoP", proof: String?) async throws -> Answer {
        var headers: HTTPFields = [.authorization: "\(scheme) \(token)"]
        if let proof { headers[.dpop] = proof }
        return try await visitor.get("company/userinfo", headers: headers)
    }

    @Test("a token is bound to the key of the proof (sections 5 and 6)")
    func binding() async throws {
        let (visitor, applicant) = try await sandbox()
        let tokens = try await applicant.tokens(visitor, headers: [.dpop: try applicant.proof()])
        #expect(tokens.status == 200, "\(tokens.body)")
        #expect(tokens.json["token_type"] == "DPoP", "\(tokens.body)")
        let token = tokens.accessToken
        let proof = try applicant.proof(.get, url: Self.userInfoURL, accessToken: token)
        #expect(try await userInfo(visitor, token, proof: proof).json["sub"] == "employee-0001-alice")

        let bearer = try await userInfo(visitor, token, scheme: "Bearer", proof: nil)
        #expect(bearer.status == 401)
        #expect(bearer.error == "invalid_token")
        #expect(bearer.headers[.wwwAuthenticate]?.hasPrefix("DPoP ") == true)
        #expect(try await userInfo(visitor, token, proof: nil).error == "invalid_dpop_proof")
        #expect(try await userInfo(visitor, token, proof: proof).error == "invalid_dpop_proof", "it was used before")
        let withoutHash = try applicant.proof(.get, url: Self.userInfoURL)
        #expect(try await userInfo(visitor, token, proof: withoutHash).error == "invalid_dpop_proof")
        let other = try Applicant()
        let stranger = try other.proof(.get, url: Self.userInfoURL, accessToken: token)
        let refused = try await userInfo(visitor, token, proof: stranger)
        #expect(refused.status == 401)
        #expect(refused.error == "invalid_token")
    }

    @Test("a bearer token is not accepted as a bound one")
    func unbound() async throws {
        let (visitor, applicant) = try await sandbox()
        let token = try await applicant.tokens(visitor).accessToken
        let proof = try applicant.proof(.get, url: Self.userInfoURL, accessToken: token)
        #expect(try await userInfo(visitor, token, proof: proof).error == "invalid_token")
        #expect(try await userInfo(visitor, token, scheme: "Bearer", proof: nil).status == 200)
    }

    @Test("introspection names the key (section 6.2)")
    func introspection() async throws {
        let (visitor, applicant) = try await sandbox(secret: "secret")
        let tokens = try await applicant.tokens(visitor, headers: [.dpop: try applicant.proof()])
        let status = try await visitor.post("company/introspect", applicant.credentials.with(["token": tokens.accessToken])).json
        #expect(status["cnf"] == ["jkt": .string(try applicant.thumbprint)])
        #expect(status["token_type"] == "DPoP")
    }

    @Test("an invalid proof is refused (section 4.3)")
    func faults() async throws {
        let (visitor, applicant) = try await sandbox(secret: "secret")
        let other = try Applicant()
        let rsa = try Applicant(algorithm: .rs256)
        let now = Timestamp.now().seconds
        var privateKey = try applicant.key.jsonWebKey.json
        privateKey["d"] = "AAAA"
        let proofs: [String: String] = [
            "no token": "garbage",
            "typ": try applicant.proof(header: ["typ": "JWT"]),
            "method": try applicant.proof(.get),
            "url": try applicant.proof(url: "\(Visitor.origin)/idp/company/userinfo"),
            "host": try applicant.proof(url: "https://evil.example/idp/company/token"),
            "old": try applicant.proof(claims: ["iat": .integer(now - 3600)]),
            "future": try applicant.proof(claims: ["iat": .integer(now + 3600)]),
            "no time": try applicant.proof(claims: ["iat": .null]),
            "no jti": try applicant.proof(claims: ["jti": .null]),
            "another's key": try applicant.proof(header: ["jwk": .object(try other.key.jsonWebKey.json)]),
            "a key of another kind": try applicant.proof(header: ["jwk": .object(try rsa.key.jsonWebKey.json)]),
            "no key": try applicant.proof(header: ["jwk": .null]),
            "a private key": try applicant.proof(header: ["jwk": .object(privateKey)]),
            "another path": try applicant.proof(url: "\(Visitor.origin)/idp/company/token/"),
            "an escaped slash": try applicant.proof(url: "\(Visitor.origin)/idp/company%2Ftoken"),
            "symmetric": try applicant.proof(header: ["alg": "HS256"]),
            "unsigned": try applicant.proof(header: ["alg": "none"]),
        ]
        for (name, proof) in proofs {
            let form = applicant.credentials.with(["grant_type": "password", "username": "alice", "password": "alice-password"])
            let answer = try await visitor.post("company/token", form, headers: [.dpop: proof])
            #expect(answer.status == 400, "\(name): \(answer.body)")
            #expect(answer.error == "invalid_dpop_proof", "\(name): \(answer.body)")
        }
    }

    @Test("an issuer that requires a nonce sends one, and accepts no other (sections 8 and 9)")
    func nonces() async throws {
        let (visitor, applicant) = try await sandbox(secret: "secret")
        try await Company.change(visitor.cloud) { $0.requiresDPoPNonce = true }
        let form = applicant.credentials.with([
            "grant_type": "password", "username": "alice", "password": "alice-password", "scope": "openid",
        ])
        let first = try await visitor.post("company/token", form, headers: [.dpop: try applicant.proof()])
        #expect(first.status == 400, "\(first.body)")
        #expect(first.error == "use_dpop_nonce", "\(first.body)")
        #expect(first.headers[.accessControlExposeHeaders]?.contains("DPoP-Nonce") == true)
        let nonce = try #require(first.headers[.dpopNonce])
        let made = try await visitor.post("company/token", form, headers: [.dpop: try applicant.proof(claims: ["nonce": .string(nonce)])])
        #expect(made.status == 200, "\(made.body)")
        #expect(made.json["token_type"] == "DPoP", "\(made.body)")
        #expect(made.headers[.dpopNonce] != nil, "\(made.body)")
        let token = made.accessToken
        let bare = try await userInfo(visitor, token, proof: try applicant.proof(.get, url: Self.userInfoURL, accessToken: token))
        #expect(bare.status == 401)
        #expect(bare.headers[.wwwAuthenticate]?.contains("error=\"use_dpop_nonce\"") == true)
        let fresh = try #require(bare.headers[.dpopNonce])
        let full = try applicant.proof(.get, url: Self.userInfoURL, accessToken: token, claims: ["nonce": .string(fresh)])
        #expect(try await userInfo(visitor, token, proof: full).json["sub"] == "employee-0001-alice")
        for wrong in ["", "guess", String(nonce.reversed())] {
            let proof = try applicant.proof(claims: ["nonce": .string(wrong)])
            #expect(try await visitor.post("company/token", form, headers: [.dpop: proof]).error == "use_dpop_nonce")
        }
        // An issuer without nonces accepts a proof without one, and sends none.
        try await Company.change(visitor.cloud) { $0.requiresDPoPNonce = nil }
        let without = try await visitor.post("company/token", form, headers: [.dpop: try applicant.proof()])
        #expect(without.status == 200)
        #expect(without.headers[.dpopNonce] == nil)
    }

    @Test(
        "the URL is compared without query, under every name of this process (section 4.3, item 9)",
        arguments: [
            "http://localhost:4566/idp/company/token?x=1", "http://virga:4566/idp/company/token#a", "https://127.0.0.1/idp/company/token",
            "HTTP://LOCALHOST:4566/idp/company/token", "http://localhost:4566/idp/./company/%74oken",
            "http://localhost:4566/idp/other/../company/token", "http://virga:80/idp/company/token",
        ])
    func urls(url: String) async throws {
        let (visitor, applicant) = try await sandbox(secret: "secret")
        let form = applicant.credentials.with(["grant_type": "password", "username": "alice", "password": "alice-password"])
        #expect(try await visitor.post("company/token", form, headers: [.dpop: try applicant.proof(url: url)]).json["token_type"] == "DPoP")
    }

    @Test("proofs are signed with Ed25519 under either name (RFC 9864)", arguments: [SignatureAlgorithm.edDSA, .ed25519])
    func edwards(algorithm: SignatureAlgorithm) async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant(secret: "secret", algorithm: algorithm)
        try await applicant.register(at: visitor.cloud, grants: [.password])
        let form = applicant.credentials.with(["grant_type": "password", "username": "alice", "password": "alice-password"])
        let answer = try await visitor.post("company/token", form, headers: [.dpop: try applicant.proof()])
        #expect(answer.json["token_type"] == "DPoP", "\(answer.body)")
    }

    @Test("a proof with an algorithm or a key that is not supported is refused by name")
    func unsupported() async throws {
        let (visitor, applicant) = try await sandbox(secret: "secret")
        let form = applicant.credentials.with(["grant_type": "password", "username": "alice", "password": "alice-password"])
        let curve = try applicant.proof(header: ["alg": "ES256K"])
        let first = try await visitor.post("company/token", form, headers: [.dpop: curve])
        let reason = "The proof names the algorithm ES256K, which is not supported: the curve secp256k1 is not supported."
        #expect(first.json["error_description"]?.stringValue == reason)
        let key: JSONObject = ["kty": "OKP", "crv": "Ed448", "x": .string([UInt8](repeating: 1, count: 57).base64url)]
        let second = try await visitor.post("company/token", form, headers: [.dpop: try applicant.proof(header: ["jwk": .object(key)])])
        #expect(second.json["error_description"]?.stringValue?.contains("OKP with Ed25519") == true)
    }

    @Test("a proof is accepted once (section 11.1), and a request has only one")
    func replay() async throws {
        let (visitor, applicant) = try await sandbox(secret: "secret")
        let form = applicant.credentials.with(["grant_type": "password", "username": "alice", "password": "alice-password"])
        let proof = try applicant.proof()
        #expect(try await visitor.post("company/token", form, headers: [.dpop: proof]).status == 200)
        #expect(try await visitor.post("company/token", form, headers: [.dpop: proof]).error == "invalid_dpop_proof")
        var headers: HTTPFields = [:]
        headers.append(HTTPField(name: .dpop, value: try applicant.proof()))
        headers.append(HTTPField(name: .dpop, value: try applicant.proof()))
        #expect(try await visitor.post("company/token", form, headers: headers).error == "invalid_dpop_proof")
    }

    @Test("refresh tokens of a public client are bound, those of another are not (section 5)", arguments: [nil, "secret"] as [String?])
    func refresh(secret: String?) async throws {
        let (visitor, applicant) = try await sandbox(secret: secret)
        let first = try await applicant.tokens(visitor, headers: [.dpop: try applicant.proof()])
        let other = try Applicant()
        let form = applicant.credentials.with(["grant_type": "refresh_token", "refresh_token": first.refreshToken])
        let stranger = try await visitor.post("company/token", form, headers: [.dpop: try other.proof()])
        if secret == nil {
            #expect(stranger.status == 400)
            #expect(stranger.error == "invalid_grant")
            #expect(try await visitor.post("company/token", form).error == "invalid_grant")
            let owner = try await visitor.post("company/token", form, headers: [.dpop: try applicant.proof()])
            #expect(owner.json["token_type"] == "DPoP")
        } else {
            #expect(stranger.status == 200)
            #expect(stranger.json["token_type"] == "DPoP")
        }
    }

    @Test("a client registered for bound tokens must send a proof (section 5.2)")
    func required() async throws {
        let (visitor, applicant) = try await sandbox(secret: "secret")
        try await applicant.register(at: visitor.cloud) { $0.dpopBoundAccessTokens = true }
        let form = applicant.credentials.with(["grant_type": "password", "username": "alice", "password": "alice-password"])
        #expect(try await visitor.post("company/token", form).error == "invalid_dpop_proof")
        #expect(try await visitor.post("company/token", form, headers: [.dpop: try applicant.proof()]).json["token_type"] == "DPoP")
    }

    @Test("a client's own token is bound to the key (section 6.1)")
    func signedToken() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud)
        let answer = try await visitor.post(
            "company/token", applicant.credentials.with(["grant_type": "client_credentials"]), headers: [.dpop: try applicant.proof()])
        #expect(answer.json["token_type"] == "DPoP")
        #expect(try JSONWebToken(parsing: answer.accessToken).claims["cnf"] == ["jkt": .string(try applicant.thumbprint)])
    }
}
