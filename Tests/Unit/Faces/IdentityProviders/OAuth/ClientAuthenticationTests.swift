import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Synchronization
import Testing
import Tokens
import WireFormats

@Suite("Client authentication (RFC 7523, OpenID Connect Core 1.0 section 9)")
struct ClientAuthenticationTests {
    private func sandbox(_ applicant: Applicant, _ change: (inout ClientMetadata) throws -> Void) async throws -> Visitor {
        let visitor = Visitor(try await Visitor.sandbox())
        try await applicant.register(at: visitor.cloud, change: change)
        return visitor
    }

    @Test("private_key_jwt: a client signs with its key", arguments: [SignatureAlgorithm.rs256, .es256, .es384, .ps256, .edDSA, .ed25519])
    func privateKey(algorithm: SignatureAlgorithm) async throws {
        let applicant = try Applicant(secret: nil, algorithm: algorithm)
        let visitor = try await sandbox(applicant) {
            $0.tokenEndpointAuthMethod = "private_key_jwt"
            $0.jwks = try applicant.jwks
        }
        let answer = try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion()))
        #expect(answer.status == 200, "\(answer.body)")
        #expect(answer.entry.caller == "app", "\(answer.body)")
    }

    @Test("private_key_jwt: the key is fetched once from the client's JWKS")
    func publishedKey() async throws {
        let applicant = try Applicant(secret: nil)
        let asked = Mutex<[String]>([])
        let document = JSONValue.object(try applicant.jwks).serializedBytes()
        let applications = Applications(
            fetch: { url in
                asked.withLock { $0.append(url) }
                return FetchedDocument(status: 200, body: document)
            }, post: { _, _ in 500 })
        let visitor = Visitor(try await Visitor.sandbox(), applications: applications)
        try await applicant.register(at: visitor.cloud) {
            $0.tokenEndpointAuthMethod = "private_key_jwt"
            $0.jwksURI = "https://app.example/keys"
        }
        for _ in 0..<3 {
            #expect(try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion())).status == 200)
        }
        #expect(asked.withLock { $0 } == ["https://app.example/keys"])
    }

    @Test(
        "an assertion may name the issuer or the token endpoint, in any spelling",
        arguments: [
            "http://localhost:4566/idp/company", "http://localhost:4566/idp/company/token", "http://127.0.0.1:4566/idp/company/token",
            "https://virga/idp/company", "https://login.company.example", "http://virga:80/realms/company/protocol/openid-connect/token",
        ])
    func audiences(audience: String) async throws {
        let applicant = try Applicant(secret: nil)
        let visitor = try await sandbox(applicant) { metadata in
            metadata.tokenEndpointAuthMethod = "private_key_jwt"
            metadata.jwks = try applicant.jwks
        }
        for value in [JSONValue.string(audience), ["https://other.example", .string(audience)]] {
            let form = Applicant.form(asserting: try applicant.assertion(["aud": value]))
            #expect(try await visitor.post("company/token", form).status == 200)
        }
    }

    @Test(
        "an invalid assertion is refused (RFC 7523 section 3)",
        arguments: [
            ["aud": "https://other.example/token"], ["aud": "http://localhost:4566/idp/google"], ["aud": "http://evil.example/idp/company"],
            ["aud": []], ["iss": "web-app"], ["sub": "web-app"], ["iss": "nobody", "sub": "nobody"], ["exp": 1_000_000_000],
            ["exp": "soon"], ["exp": 99_999_999_999], ["nbf": 99_999_999_999], ["iat": 99_999_999_999], ["iat": "yesterday"],
        ] as [JSONObject])
    func assertionFaults(claims: JSONObject) async throws {
        let applicant = try Applicant(secret: nil)
        let visitor = try await sandbox(applicant) { $0.jwks = try applicant.jwks }
        let answer = try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion(claims)))
        #expect(answer.status == 401, "\(answer.body)")
        #expect(answer.error == "invalid_client", "\(answer.body)")
    }

    @Test("an assertion that lives for more than an hour is refused (RFC 7523 section 3, item 4)", arguments: [(3600, 200), (4000, 401)])
    func lifetime(seconds: Int64, status: Int) async throws {
        let applicant = try Applicant(secret: nil)
        let visitor = try await sandbox(applicant) { metadata in
            metadata.tokenEndpointAuthMethod = "private_key_jwt"
            metadata.jwks = try applicant.jwks
        }
        let claims: JSONObject = ["exp": .integer(Timestamp.now().seconds + seconds)]
        let answer = try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion(claims)))
        #expect(answer.status == status, "\(answer.body)")
    }

    @Test("an assertion without a required claim is refused", arguments: ["iss", "sub", "aud", "exp", "jti"])
    func missingClaims(name: String) async throws {
        let applicant = try Applicant(secret: nil)
        let visitor = try await sandbox(applicant) { $0.jwks = try applicant.jwks }
        let answer = try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion(without: name)))
        #expect(answer.status == 401)
        #expect(answer.error == "invalid_client")
    }

    @Test("an assertion is accepted once (RFC 7523 section 3, item 7)")
    func replay() async throws {
        let applicant = try Applicant(secret: nil)
        let visitor = try await sandbox(applicant) { metadata in
            metadata.tokenEndpointAuthMethod = "private_key_jwt"
            metadata.jwks = try applicant.jwks
        }
        let form = Applicant.form(asserting: try applicant.assertion())
        #expect(try await visitor.post("company/token", form).status == 200)
        let again = try await visitor.post("company/token", form)
        #expect(again.error == "invalid_client")
        #expect(again.json["error_description"] == "The assertion was used before.")
    }

    @Test("an assertion with another key, a modified one, and one of another type are refused")
    func forgery() async throws {
        let applicant = try Applicant(secret: nil)
        let visitor = try await sandbox(applicant) { metadata in
            metadata.tokenEndpointAuthMethod = "private_key_jwt"
            metadata.jwks = try applicant.jwks
        }
        let other = try SigningKey.generate(algorithm: .es256, created: Timestamp.now())
        let genuine = try applicant.assertion()
        let parts = genuine.split(separator: ".")
        let changed = "\(parts[0]).\(parts[1]).\(try applicant.assertion().split(separator: ".")[2])"
        // A key in the header of the assertion proves nothing.
        let selfMade = try applicant.assertion(key: other, header: ["jwk": .object(try other.jsonWebKey.json)])
        for assertion in [try applicant.assertion(key: other), changed, selfMade, "garbage", "", "\(parts[0]).\(parts[1])."] {
            let answer = try await visitor.post("company/token", Applicant.form(asserting: assertion))
            #expect(answer.status == 401)
            #expect(answer.error == "invalid_client")
        }
        let type: FormFields = ["client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:saml2-bearer"]
        let form = Applicant.form(asserting: genuine).with(type)
        #expect(try await visitor.post("company/token", form).error == "invalid_client")
        #expect(try await visitor.post("company/token", Applicant.form(asserting: genuine)).status == 200, "it was not spent")
    }

    @Test("client_secret_jwt: only the client's own secret is accepted")
    func sharedSecret() async throws {
        let applicant = try Applicant()
        let visitor = try await sandbox(applicant) { $0.tokenEndpointAuthMethod = "client_secret_jwt" }
        let secret = try #require(applicant.secret)
        #expect(try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion(secret: secret))).status == 200)
        for wrong in ["", "another secret", String(secret.dropLast())] {
            let answer = try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion(secret: wrong)))
            #expect(answer.error == "invalid_client")
        }
    }

    @Test("HS256 with a public key as secret is refused")
    func confusion() async throws {
        let applicant = try Applicant(secret: nil, algorithm: .rs256)
        let visitor = try await sandbox(applicant) { $0.jwks = try applicant.jwks }
        guard case .rsa(let publicKey) = applicant.key.verificationKey else {
            Issue.record("no RSA key")
            return
        }
        let document = String(decoding: JSONValue.object(try applicant.jwks).serializedBytes(), as: UTF8.self)
        for secret in [document, publicKey.subjectPublicKeyInfo.base64] {
            let answer = try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion(secret: secret)))
            #expect(answer.error == "invalid_client")
        }
    }

    @Test(
        "a client must use its registered authentication method (RFC 7591 section 2)",
        arguments: ["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"])
    func stated(method: String) async throws {
        let hasSecret = method != "none" && method != "private_key_jwt"
        let applicant = try Applicant(secret: hasSecret ? "a secret of 256 bits, or so they say" : nil)
        let visitor = try await sandbox(applicant) {
            $0.tokenEndpointAuthMethod = method
            $0.jwks = try applicant.jwks
        }
        let secret = applicant.secret ?? "guess"
        let form: FormFields = ["grant_type": "magic"]
        let attempts: [(String, FormFields, HTTPFields)] = [
            ("client_secret_basic", form, [.authorization: basic("app", secret)]),
            ("client_secret_post", form.with(["client_id": "app", "client_secret": secret]), [:]),
            ("client_secret_jwt", Applicant.form(asserting: try applicant.assertion(secret: secret)).with(form), [:]),
            ("private_key_jwt", Applicant.form(asserting: try applicant.assertion()).with(form), [:]),
            ("none", form.with(["client_id": "app"]), [:]),
        ]
        for (attempt, fields, headers) in attempts {
            let answer = try await visitor.post("company/token", fields, headers: headers)
            #expect(answer.error == (attempt == method ? "unsupported_grant_type" : "invalid_client"), "\(attempt): \(answer.body)")
            if attempt != method { #expect(answer.status == 401) }
        }
    }

    @Test("a client must use its registered algorithm (OpenID Connect Registration 1.0 section 2)")
    func registeredAlgorithm() async throws {
        let applicant = try Applicant(secret: nil, algorithm: .es256)
        let visitor = try await sandbox(applicant) {
            $0.jwks = try applicant.jwks
            $0.tokenEndpointAuthSigningAlg = "RS256"
        }
        let answer = try await visitor.post("company/token", Applicant.form(asserting: try applicant.assertion()))
        #expect(answer.error == "invalid_client")
        #expect(answer.json["error_description"] == "The client has registered to sign its assertions with RS256.")
    }

    @Test("a key that is published for EdDSA verifies assertions with Ed25519 (RFC 9864)")
    func names() async throws {
        let applicant = try Applicant(secret: nil, algorithm: .edDSA)
        let visitor = try await sandbox(applicant) {
            $0.tokenEndpointAuthMethod = "private_key_jwt"
            $0.jwks = try applicant.jwks
        }
        let renamed = try SigningKey(pem: applicant.key.pem, algorithm: .ed25519, created: applicant.key.created)
        let form = Applicant.form(asserting: try applicant.assertion(key: renamed))
        #expect(try await visitor.post("company/token", form).status == 200)
    }

    @Test("an algorithm that is not supported is refused by its name", arguments: ["Ed448", "ES256K", "none"])
    func unsupported(algorithm: String) async throws {
        let applicant = try Applicant(secret: nil)
        let visitor = try await sandbox(applicant) { $0.jwks = try applicant.jwks }
        let assertion = try applicant.assertion(header: ["alg": .string(algorithm)])
        let answer = try await visitor.post("company/token", Applicant.form(asserting: assertion))
        #expect(answer.status == 401)
        let text = answer.json["error_description"]?.stringValue ?? ""
        #expect(text.hasPrefix("The assertion names the algorithm \(algorithm), which is not supported: "), "\(text)")
    }

    @Test("a request uses one authentication method (RFC 6749 section 2.3)")
    func severalWays() async throws {
        let applicant = try Applicant()
        let visitor = try await sandbox(applicant) { $0.jwks = try applicant.jwks }
        let secret = try #require(applicant.secret)
        let form = Applicant.form(asserting: try applicant.assertion())
        #expect(try await visitor.post("company/token", form.with(["client_secret": secret])).error == "invalid_request")
        let header = try await visitor.post("company/token", form, headers: [.authorization: basic("app", secret)])
        #expect(header.status == 400)
        #expect(header.error == "invalid_request")
        #expect(try await visitor.post("company/token", form.with(["client_id": "web-app"])).error == "invalid_client")
        #expect(try await visitor.post("company/token", form.with(["client_id": "app"])).status == 200)
        // Also the same secret, in the header and in the body.
        let both: FormFields = ["grant_type": "client_credentials", "client_id": "app", "client_secret": secret]
        let twice = try await visitor.post("company/token", both, headers: [.authorization: basic("app", secret)])
        #expect(twice.status == 400)
        #expect(twice.error == "invalid_request")
    }
}
