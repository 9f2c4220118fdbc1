import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

/// The key pair of an application that receives encrypted tokens.
struct Receiver {
    let key: DecryptionKey

    init() throws {
        key = try DecryptionKey(try SigningKey.generate(algorithm: .es256, created: Timestamp(seconds: 0)))
    }

    var jwks: JSONObject { ["keys": [.object(key.json)]] }

    /// The content of an encrypted message, whose header must be this one.
    func open(
        _ text: String?, algorithm: String = "ECDH-ES", encryption: String = "A128CBC-HS256", type: String? = "JWT"
    ) throws -> String {
        let message = try JSONWebEncryption(parsing: try #require(text))
        #expect(message.algorithm.rawValue == algorithm)
        #expect(message.encryption.rawValue == encryption)
        #expect(message.header["cty"]?.stringValue == type)
        return String(decoding: try message.decrypt(with: [key]), as: UTF8.self)
    }
}

@Suite("Encrypted tokens (OpenID Connect Core 1.0 section 10.2)")
struct EncryptedTokenTests {
    private let receiver: Receiver

    init() throws { receiver = try Receiver() }

    private func sandbox(
        applications: Applications = .unreachable, _ change: (inout ClientMetadata) -> Void
    ) async throws -> (Visitor, Applicant) {
        let visitor = Visitor(try await Visitor.sandbox(), applications: applications)
        let applicant = try Applicant()
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.jwks = receiver.jwks
            change(&metadata)
        }
        return (visitor, applicant)
    }

    @Test(
        "ID tokens are signed and then encrypted",
        arguments: ["ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW"], ["A128GCM", "A256GCM", "A128CBC-HS256"])
    func idToken(algorithm: String, encryption: String) async throws {
        let (visitor, applicant) = try await sandbox {
            $0.idTokenEncryptedResponseAlg = algorithm
            $0.idTokenEncryptedResponseEnc = encryption
        }
        let tokens = try await applicant.tokens(visitor)
        let text = try receiver.open(tokens.json["id_token"]?.stringValue, algorithm: algorithm, encryption: encryption)
        let claims = try await Company.claims(text, at: visitor)
        #expect(claims["aud"] == "app")
        #expect(claims["sub"] == "employee-0001-alice")
    }

    @Test("ID tokens from the authorization endpoint are encrypted, too")
    func frontChannel() async throws {
        let (visitor, _) = try await sandbox {
            $0.idTokenEncryptedResponseAlg = "ECDH-ES"
            $0.responseTypes = ["id_token"]
        }
        let request = Requests.company.with(["client_id": "app", "response_type": "id_token", "nonce": "n-1"])
        let answer = try await visitor.authorize("company/authorize", request)
        let claims = try await Company.claims(try receiver.open(answer.redirected["id_token"]), at: visitor)
        #expect(claims["nonce"] == "n-1")
    }

    @Test("userinfo is encrypted JSON, or an encrypted signed token")
    func userInfo() async throws {
        let (visitor, applicant) = try await sandbox { $0.userinfoEncryptedResponseAlg = "ECDH-ES" }
        let token = try await applicant.tokens(visitor).accessToken
        let plain = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(token)"])
        #expect(plain.headers[.contentType] == "application/jwt")
        let claims = try JSONValue(parsing: try receiver.open(plain.body, type: nil))
        #expect(claims["name"] == "Alice Archer")
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.jwks = receiver.jwks
            metadata.userinfoEncryptedResponseAlg = "ECDH-ES"
            metadata.userinfoSignedResponseAlg = "ES256"
        }
        let nested = try await visitor.get("company/userinfo", headers: [.authorization: "Bearer \(token)"])
        let signed = try await Company.claims(try receiver.open(nested.body), at: visitor)
        #expect(signed["name"] == "Alice Archer")
        #expect(signed["aud"] == "app")
    }

    @Test("the key is fetched from the client's JWKS; without one there is a reason")
    func publishedKey() async throws {
        let document = JSONValue.object(receiver.jwks).serializedBytes()
        let applications = Applications(
            fetch: { url in FetchedDocument(status: url == "https://app.example/keys" ? 200 : 404, body: document) },
            post: { _, _ in 500 })
        let (visitor, applicant) = try await sandbox(applications: applications) {
            $0.jwks = nil
            $0.jwksURI = "https://app.example/keys"
            $0.idTokenEncryptedResponseAlg = "ECDH-ES"
        }
        let tokens = try await applicant.tokens(visitor)
        _ = try receiver.open(tokens.json["id_token"]?.stringValue)
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.jwksURI = "https://app.example/none"
            metadata.idTokenEncryptedResponseAlg = "ECDH-ES"
        }
        let refused = try await applicant.tokens(visitor)
        #expect(refused.status == 400)
        let reason = "The client has registered the id_token_encrypted_response_alg ECDH-ES, and its key set has no such key."
        #expect(refused.json["error_description"]?.stringValue == reason)
    }

    @Test("request objects are encrypted with the issuer's published key")
    func requestObject() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let applicant = try Applicant()
        #expect(try await keys(of: visitor).isEmpty, "no client encrypts")
        try await applicant.register(at: visitor.cloud) { metadata in
            metadata.jwks = try applicant.jwks
            metadata.requestObjectEncryptionAlg = "ECDH-ES+A256KW"
            metadata.requestObjectEncryptionEnc = "A256GCM"
        }
        let published = try await keys(of: visitor)
        #expect(Set(published.compactMap { $0["kty"]?.stringValue }) == ["EC", "RSA"])
        let key = try #require(EncryptionKey.first(in: ["keys": .array(published.map(JSONValue.object))], for: .ecdhESA256KW))
        let claims: JSONObject = [
            "iss": "app", "client_id": "app", "response_type": "code", "redirect_uri": .string(Visitor.redirectURI), "scope": "openid",
            "state": "inner",
        ]
        let signed = Array(try JSONWebToken.sign(claims: claims, key: applicant.key).utf8)
        func authorize(_ object: String) async throws -> Answer {
            try await visitor.authorize(
                "company/authorize",
                [
                    "client_id": "app", "response_type": "code", "scope": "openid", "redirect_uri": Visitor.redirectURI, "request": object,
                ])
        }
        let object = try JSONWebEncryption.encrypt(signed, for: key, .ecdhESA256KW, .a256GCM, header: ["cty": "JWT"])
        let answer = try await authorize(object)
        #expect(answer.redirected["code"] != nil, "\(answer.body)")
        #expect(answer.redirected["state"] == "inner")
        // Another algorithm than the registered one, and another receiver.
        let other = try await authorize(try JSONWebEncryption.encrypt(signed, for: key, .ecdhES, .a256GCM))
        #expect(other.redirected["error"] == "invalid_request_object")
        #expect(other.redirected["error_description"]?.contains("ECDH-ES+A256KW and A256GCM") == true)
        let stranger = try #require(EncryptionKey(receiver.key.json))
        let foreign = try await authorize(try JSONWebEncryption.encrypt(signed, for: stranger, .ecdhESA256KW, .a256GCM))
        #expect(foreign.redirected["error_description"] == "The request object is not encrypted for the issuer.")
        // The content must still be signed.
        let unsigned = Array(JSONWebToken.unsigned(claims: claims).utf8)
        let bare = try await authorize(try JSONWebEncryption.encrypt(unsigned, for: key, .ecdhESA256KW, .a256GCM))
        #expect(bare.redirected["error"] == "invalid_request_object")
        // A client that registered nothing may not encrypt.
        try await applicant.register(at: visitor.cloud) { $0.jwks = try applicant.jwks }
        let unregistered = try await authorize(object)
        #expect(unregistered.redirected["error_description"]?.contains("request_object_encryption_alg") == true)
    }

    /// The published keys for encryption.
    private func keys(of visitor: Visitor) async throws -> [JSONObject] {
        let keys = try await visitor.get("company/jwks").json["keys"]?.arrayValue ?? []
        return keys.compactMap(\.objectValue).filter { $0["use"] == "enc" }
    }

    @Test("introspection responses are tokens if the client accepts them (RFC 9701)", arguments: [false, true])
    func introspection(isEncrypted: Bool) async throws {
        let (visitor, applicant) = try await sandbox {
            $0.introspectionSignedResponseAlg = "ES256"
            if isEncrypted { $0.introspectionEncryptedResponseAlg = "ECDH-ES" }
        }
        let token = try await applicant.tokens(visitor).accessToken
        let form = applicant.credentials.with(["token": token])
        #expect(try await visitor.post("company/introspect", form).json["active"] == true)
        let accepting: HTTPFields = [.accept: "application/json;q=0.5, application/token-introspection+jwt"]
        let answer = try await visitor.post("company/introspect", form, headers: accepting)
        #expect(answer.headers[.contentType] == "application/token-introspection+jwt")
        let text = isEncrypted ? try receiver.open(answer.body) : answer.body
        #expect(try JSONWebToken(parsing: text).header["typ"] == "token-introspection+jwt")
        let claims = try await Company.claims(text, at: visitor)
        #expect(claims["aud"] == "app")
        #expect(claims["token_introspection"]?["active"] == true)
        #expect(claims["token_introspection"]?["sub"] == "employee-0001-alice")
        let unknown = try await visitor.post("company/introspect", applicant.credentials.with(["token": "x"]), headers: accepting)
        let none = isEncrypted ? try receiver.open(unknown.body) : unknown.body
        #expect(try await Company.claims(none, at: visitor)["token_introspection"] == ["active": false])
    }

    @Test("discovery lists the algorithms, and registration accepts them")
    func registration() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let metadata = try await visitor.get("company/.well-known/openid-configuration").json
        for message in ["id_token", "userinfo", "request_object", "authorization", "introspection"] {
            #expect(
                metadata["\(message)_encryption_alg_values_supported"] == ["RSA-OAEP-256", "ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW"])
            #expect(metadata["\(message)_encryption_enc_values_supported"] == ["A128GCM", "A256GCM", "A128CBC-HS256"])
        }
        func register(_ members: JSONObject) async throws -> Answer {
            var document: JSONObject = ["redirect_uris": ["https://app.example/cb"]]
            for (name, value) in members.members { document[name] = value }
            return try await visitor.send(
                .post, "company/register", body: JSONValue.object(document).serialized(), headers: [.contentType: "application/json"])
        }
        let made = try await register(["id_token_encrypted_response_alg": "ECDH-ES", "jwks": .object(receiver.jwks)])
        #expect(made.status == 201, "\(made.body)")
        #expect(made.json["id_token_encrypted_response_alg"] == "ECDH-ES")
        let refused: [(JSONObject, String)] = [
            (["id_token_encrypted_response_alg": "RSA1_5", "jwks": .object(receiver.jwks)], "id_token_encrypted_response_alg"),
            (["userinfo_encrypted_response_enc": "A128GCM"], "userinfo_encrypted_response_enc"),
            (["authorization_encrypted_response_alg": "RSA-OAEP-256", "jwks": .object(receiver.jwks)], "RSA-OAEP-256"),
            (["introspection_encrypted_response_alg": "ECDH-ES"], "introspection_encrypted_response_alg"),
            (["authorization_signed_response_alg": "none"], "authorization_signed_response_alg"),
            (
                [
                    "token_endpoint_auth_method": "private_key_jwt",
                    "jwks": ["keys": [["kty": "EC", "crv": "secp256k1", "x": "AA", "y": "AA"]]],
                ], "OKP with Ed25519"
            ),
            (["token_endpoint_auth_signing_alg": "ES256K"], "token_endpoint_auth_signing_alg ES256K"),
            (["id_token_signed_response_alg": "Ed448"], "id_token_signed_response_alg Ed448"),
            (["tls_client_auth_subject_dn": "CN=app"], "tls_client_auth_subject_dn"),
            (["backchannel_token_delivery_mode": "poll"], "backchannel_token_delivery_mode"),
            (["authorization_details_types": ["payment"]], "authorization_details_types"),
            (["token_endpoint_auth_method": "tls_client_auth"], "tls_client_auth is not supported"),
        ]
        for (members, name) in refused {
            let answer = try await register(members)
            #expect(answer.error == "invalid_client_metadata")
            #expect(answer.json["error_description"]?.stringValue?.contains(name) == true, "\(answer.body)")
        }
    }

    @Test("rich authorization requests are refused by name (RFC 9396)")
    func details() async throws {
        let visitor = Visitor(try await Visitor.sandbox())
        let answer = try await visitor.authorize("company/authorize", Requests.company.with(["authorization_details": "[]"]))
        #expect(answer.redirected["error"] == "invalid_request")
        #expect(answer.redirected["error_description"]?.contains("authorization_details") == true)
    }
}
