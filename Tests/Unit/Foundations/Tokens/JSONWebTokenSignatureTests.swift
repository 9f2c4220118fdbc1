import Cryptography
import Testing
import Tokens
import WireFormats

@Suite("Signatures of JSON Web Tokens")
struct JSONWebTokenSignatureTests {
    @Test("Verifies RFC 7515 appendix A.2 (RS256)")
    func rfc7515RSA() throws {
        let token = try JSONWebToken(parsing: PublishedTokens.rs256)
        #expect(token.claims["iss"] == "joe")
        try token.verify(with: #require(JSONWebKey(PublishedTokens.rsaKey)).key)
    }

    @Test("Verifies RFC 7515 appendix A.3 (ES256)")
    func rfc7515EC() throws {
        let token = try JSONWebToken(parsing: PublishedTokens.es256)
        try token.verify(with: #require(JSONWebKey(PublishedTokens.ecKey)).key)
    }

    @Test("A public key verifies what its private key signs", arguments: SignatureAlgorithm.asymmetric)
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let claims: JSONObject = ["iss": "https://issuer.example", "sub": "alice", "aud": ["a", "b"], "exp": 1_795_251_600]
        let token = try JSONWebToken(parsing: JSONWebToken.sign(claims: claims, key: key))
        #expect(token.algorithm == algorithm)
        #expect(token.keyID == key.keyID)
        #expect(token.claims == claims)
        try token.verify(with: key.verificationKey)
    }

    @Test("Serializes alg, kid and typ in this order, and the claims in theirs")
    func order() throws {
        let key = try TestKeys.key(.rs256)
        let text = try JSONWebToken.sign(claims: ["sub": "alice", "iss": "i"], key: key)
        let parts = text.split(separator: ".")
        let header = try #require([UInt8](base64url: parts[0]))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"RS256","kid":"\#(key.keyID)","typ":"JWT"}"#)
        #expect(try #require([UInt8](base64url: parts[1])) == Array(#"{"sub":"alice","iss":"i"}"#.utf8))
    }

    @Test("Further header members follow, and can replace the key's own to make an invalid token")
    func otherHeader() throws {
        let key = try TestKeys.key(.rs256)
        let token = try JSONWebToken(parsing: JSONWebToken.sign(header: ["typ": "at+jwt", "kid": "wrong"], claims: [:], key: key))
        #expect(token.header.names == ["alg", "kid", "typ"])
        #expect(token.keyID == "wrong")
        try token.verify(with: key.verificationKey)
        #expect(try JSONWebToken(parsing: JSONWebToken.sign(header: ["kid": .null], claims: [:], key: key)).header.names == ["alg"])
        let unsigned = try JSONWebToken.sign(header: ["alg": "none"], claims: [:], key: key)
        #expect(throws: JSONWebTokenError.unsupportedAlgorithm("none")) { try JSONWebToken(parsing: unsigned) }
    }

    @Test("Refuses a flipped bit in any part", arguments: [SignatureAlgorithm.rs256, .ps256, .es256, .edDSA, .ed25519])
    func flippedBits(algorithm: SignatureAlgorithm) throws {
        let key = try TestKeys.key(algorithm)
        let good = try JSONWebToken.sign(claims: ["sub": "alice"], key: key)
        let parts = try good.split(separator: ".").map { try #require([UInt8](base64url: $0)) }
        for part in parts.indices {
            for index in parts[part].indices {
                var changed = parts
                changed[part][index] ^= 1
                let text = changed.map(\.base64url).joined(separator: ".")
                #expect(throws: JSONWebTokenError.self) { try JSONWebToken(parsing: text).verify(with: key.verificationKey) }
            }
        }
    }

    @Test("Refuses a key of another type or curve, whatever the token says")
    func unfitKeys() throws {
        let rsa = try TestKeys.key(.rs256).verificationKey
        let p256 = try TestKeys.key(.es256).verificationKey
        let p384 = try TestKeys.key(.es384).verificationKey
        let es256 = try JSONWebToken(parsing: JSONWebToken.sign(claims: [:], key: TestKeys.key(.es256)))
        let rs256 = try JSONWebToken(parsing: JSONWebToken.sign(claims: [:], key: TestKeys.key(.rs256)))
        #expect(throws: JSONWebTokenError.unfitKey) { try es256.verify(with: rsa) }
        #expect(throws: JSONWebTokenError.unfitKey) { try es256.verify(with: p384) }
        #expect(throws: JSONWebTokenError.unfitKey) { try rs256.verify(with: p256) }
        // Signed with the P-256 key, but the header names another algorithm.
        let confused = try JSONWebToken(
            parsing: JSONWebToken.sign(header: ["alg": "ES384"], claims: [:], key: TestKeys.key(.es256)))
        #expect(throws: JSONWebTokenError.unfitKey) { try confused.verify(with: p256) }
        let otherDigest = try JSONWebToken(
            parsing: JSONWebToken.sign(header: ["alg": "RS512"], claims: [:], key: TestKeys.key(.rs256)))
        #expect(throws: JSONWebTokenError.invalidSignature) { try otherDigest.verify(with: rsa) }
    }

    @Test("Refuses HS256 with the public key as the secret")
    func publicKeyAsSecret() throws {
        let key = try TestKeys.key(.rs256)
        let header = Array(#"{"alg":"HS256","kid":"\#(key.keyID)","typ":"JWT"}"#.utf8).base64url
        let input = "\(header).\(Array(#"{"sub":"alice"}"#.utf8).base64url)"
        let secret = try JSONValue.object(key.jsonWebKey.json).serializedBytes()
        let forged = "\(input).\(hmacSHA256(key: secret, input).base64url)"
        #expect(throws: JSONWebTokenError.unsupportedAlgorithm("HS256")) { try JSONWebToken(parsing: forged) }
    }

    @Test("A secret verifies only its own signatures", arguments: SignatureAlgorithm.sharedSecret)
    func sharedSecret(algorithm: SignatureAlgorithm) throws {
        let secret = Array("a secret of a client, longer than a digest is".utf8)
        let text = try JSONWebToken.sign(claims: ["sub": "client"], secret: secret, algorithm: algorithm)
        #expect(throws: JSONWebTokenError.unsupportedAlgorithm(algorithm.rawValue)) { try JSONWebToken(parsing: text) }
        let token = try JSONWebToken(parsing: text, accepting: SignatureAlgorithm.sharedSecret)
        #expect(token.signature.count == algorithm.hash.digest([]).count)
        try token.verify(secret: secret)
        #expect(throws: JSONWebTokenError.invalidSignature) { try token.verify(secret: secret.dropLast()) }
        #expect(throws: JSONWebTokenError.invalidSignature) { try token.verify(secret: []) }
        for key in [TestKeys.rs256, TestKeys.es256] {
            #expect(throws: JSONWebTokenError.unfitKey) { try token.verify(with: key.get().verificationKey) }
        }
        // A truncated authentication code is refused.
        let cut = try JSONWebToken(
            parsing: "\(text.prefix(upTo: try #require(text.lastIndex(of: ".")))).\(Array(token.signature.dropLast()).base64url)",
            accepting: [algorithm])
        #expect(throws: JSONWebTokenError.invalidSignature) { try cut.verify(secret: secret) }
    }

    @Test("A secret does not verify the signature of a key pair")
    func keyPairAndSecret() throws {
        let token = try JSONWebToken(parsing: JSONWebToken.sign(claims: [:], key: TestKeys.key(.es256)))
        #expect(throws: JSONWebTokenError.unfitKey) { try token.verify(secret: []) }
        #expect(throws: CryptographyError.invalidKey) { try SigningKey.generate(algorithm: .hs256, created: TestKeys.created) }
    }

    @Test("Verifies RFC 7515 appendix A.1 (HS256) and RFC 8037 appendix A.4 (EdDSA)")
    func publishedSecretAndEdwards() throws {
        let secret = try #require(
            [UInt8](base64url: "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"))
        let code = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.\(PublishedTokens.payload).dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        try JSONWebToken(parsing: code, accepting: [.hs256]).verify(secret: secret)

        let key = try #require(
            JSONWebKey(["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"]))
        #expect(try key.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        let signature = try #require(
            [UInt8](base64url: "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"))
        let message = Array("eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc".utf8)
        guard case .ed25519(let publicKey) = key.key else { throw JSONWebTokenError.unfitKey }
        #expect(publicKey.verify(signature, of: message))
        #expect(!publicKey.verify(signature, of: message.dropLast()))
    }

    @Test("An RSA key distinguishes RSASSA-PSS from RSASSA-PKCS1-v1_5")
    func paddings() throws {
        let key = try TestKeys.key(.rs256).verificationKey
        for (made, named) in [(SignatureAlgorithm.ps256, "RS256"), (.rs256, "PS256")] {
            let token = try JSONWebToken(parsing: JSONWebToken.sign(header: ["alg": .string(named)], claims: [:], key: TestKeys.key(made)))
            #expect(throws: JSONWebTokenError.invalidSignature) { try token.verify(with: key) }
        }
    }

    @Test("Refuses another key's signature, an empty one and one in DER")
    func foreignSignatures() throws {
        let key = try TestKeys.key(.es256)
        let other = try SigningKey.generate(algorithm: .es256, created: TestKeys.created)
        let text = try JSONWebToken.sign(claims: ["sub": "alice"], key: other)
        let input = text.prefix(upTo: try #require(text.lastIndex(of: ".")))
        let raw = try JSONWebToken(parsing: text).signature
        let der = [0x30, 70, 0x02, 33, 0] + raw[..<32] + [0x02, 33, 0] + raw[32...]
        for signature in [raw, [], der, [UInt8](repeating: 0, count: 64)] {
            let token = try JSONWebToken(parsing: "\(input).\(signature.base64url)")
            #expect(throws: JSONWebTokenError.invalidSignature) { try token.verify(with: key.verificationKey) }
        }
    }

    @Test("Hashes access tokens as OpenID Connect examples do")
    func accessTokenHash() {
        #expect(JSONWebToken.accessTokenHash("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y") == "77QmUPtjPfzWtF2AnpK9RQ")
        #expect(JSONWebToken.accessTokenHash("token", algorithm: .es512).utf8.count == 43)
    }
}
