import Cloud
import Cryptography
import Federation
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

@Suite("The key of a token at AssumeRoleWithWebIdentity")
struct TokenKeyAttackTests {
    @Test("with an unknown kid or none is refused", arguments: [TokenFault.unknownKeyID, .missingKeyID])
    func keyID(fault: TokenFault) async throws {
        try await STSSandbox.run { sts async throws in try await sts.expectRefusal(sts.token(with: fault), TokenRefusal.noKey) }
    }

    @Test("with the algorithm none is refused", arguments: ["none", "None", "NONE", "nOnE"])
    func unsigned(name: String) async throws {
        try await STSSandbox.run { sts async throws in
            let good = try await sts.token(with: .algNone)
            try await sts.expectRefusal(good, TokenRefusal.notAToken)
            let key = try await sts.cloud.signingKey(for: "company")
            let claims = sts.claims()
            let header: JSONObject = ["alg": .string(name), "kid": .string(key.keyID)]
            let unsigned = JSONWebToken.unsigned(header: header, claims: claims)
            try await sts.expectRefusal(unsigned, TokenRefusal.notAToken)
            // With the signature that would be valid if the header named the right algorithm.
            try await sts.expectRefusal(JSONWebToken.sign(header: header, claims: claims, key: key), TokenRefusal.notAToken)
        }
    }

    @Test("signed by HMAC with the public key as secret is refused", arguments: [SignatureAlgorithm.rs256, .es256])
    func publicKeyAsSecret(algorithm: SignatureAlgorithm) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: .hs256WithPublicKey, algorithm: algorithm), TokenRefusal.notAToken)
            let key = try await sts.cloud.signingKey(for: "company", algorithm: algorithm)
            let secrets = [
                Array(key.verificationKey.pem.utf8), try JSONValue.object(key.jsonWebKey.json).serializedBytes(), [], [0],
            ]
            for secret in secrets {
                for name in SignatureAlgorithm.sharedSecret {
                    let header: JSONObject = ["kid": .string(key.keyID)]
                    let forged = try JSONWebToken.sign(header: header, claims: sts.claims(), secret: secret, algorithm: name)
                    try await sts.expectRefusal(forged, TokenRefusal.notAToken)
                }
            }
        }
    }

    @Test(
        "with another signature, or none, is refused",
        arguments: [TokenFault.flippedSignatureBit, .emptySignature, .otherKey], [SignatureAlgorithm.rs256, .rs512, .es256, .es512])
    func signature(fault: TokenFault, algorithm: SignatureAlgorithm) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: fault, algorithm: algorithm), TokenRefusal.notValidated)
        }
    }

    @Test(
        "with a key or the URL of a key in its header is refused, and the URL is not requested",
        arguments: [TokenFault.embeddedKey, .keySetURL, .embeddedCertificate, .certificateURL])
    func keyInHeader(fault: TokenFault) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.token(with: fault), TokenRefusal.notValidated)
            // Without a known `kid` there is no key at all.
            let stranger = try SigningKey.generate(created: sts.cloud.clock.now)
            let header: JSONObject = [
                "jwk": .object(try stranger.jsonWebKey.json), "jku": "https://elsewhere.example/keys", "x5u": "https://elsewhere.example/x",
            ]
            try await sts.expectRefusal(JSONWebToken.sign(header: header, claims: sts.claims(), key: stranger), TokenRefusal.noKey)
        }
    }

    @Test("is verified with the published key, whatever key the header contains")
    func ignoredHeader() async throws {
        try await STSSandbox.run { sts async throws in
            let stranger = try SigningKey.generate(created: sts.cloud.clock.now)
            let header: JSONObject = ["jwk": .object(try stranger.jsonWebKey.json), "jku": "https://elsewhere.example/keys", "b64": true]
            #expect(try await sts.assume("company", sts.signed(sts.claims(), header: header)).status == 200)
            #expect(sts.issuers.asked.isEmpty)
        }
    }

    @Test(
        "whose kid is a path, a query or other code is refused",
        arguments: [
            "../../../../dev/null", "/dev/null", "company/RS256", "..%2f..%2fkeys", "file:///etc/passwd",
            "https://elsewhere.example/key.pem",
            "' OR '1'='1", "x' UNION SELECT 'secret' --", "'; DROP TABLE settings; --", "%", "*", "\u{0}", "| id", "${jndi:ldap://x/y}",
            String(repeating: "k", count: 12_000),
        ])
    func keyName(name: String) async throws {
        try await STSSandbox.run { sts async throws in
            let token = try await sts.signed(sts.claims(), header: ["kid": .string(name)])
            try await sts.expectRefusal(token, TokenRefusal.noKey)
            // A genuine token is still accepted.
            #expect(try await sts.assume("company", sts.token()).status == 200)
        }
    }

    @Test("whose kid is not a string is refused", arguments: [1, ["k"], ["a": "b"], true, 1.5] as [JSONValue])
    func keyNameOfAnotherKind(name: JSONValue) async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.signed(sts.claims(), header: ["kid": name]), TokenRefusal.notAToken)
        }
    }

    @Test("that names the key of another issuer of this sandbox is refused")
    func otherIssuersKey() async throws {
        try await STSSandbox.run { sts async throws in
            try await sts.expectRefusal(sts.signed(sts.claims(), by: "untrusted"), TokenRefusal.noKey)
            let google = try await sts.cloud.signingKey(for: "google")
            try await sts.expectRefusal(JSONWebToken.sign(claims: sts.claims(), key: google), TokenRefusal.noKey)
        }
    }

    @Test("that names a key of another type or curve is refused")
    func otherKind() async throws {
        try await STSSandbox.run { sts async throws in
            let cloud = sts.cloud
            let algorithms: [SignatureAlgorithm] = [.rs256, .es256, .es384, .es512]
            for signer in algorithms {
                let key = try await cloud.signingKey(for: "company", algorithm: signer)
                #expect(try await sts.assume("company", JSONWebToken.sign(claims: sts.claims(), key: key)).status == 200)
                for other in algorithms where other != signer {
                    let named = try await cloud.signingKey(for: "company", algorithm: other)
                    let claims = sts.claims()
                    // First with the `kid` of the other key, then with its algorithm.
                    let misnamed = try JSONWebToken.sign(header: ["kid": .string(named.keyID)], claims: claims, key: key)
                    try await sts.expectRefusal(misnamed, TokenRefusal.notValidated, "\(signer) \(other)")
                    let renamed = try JSONWebToken.sign(header: ["alg": .string(other.rawValue)], claims: claims, key: key)
                    try await sts.expectRefusal(renamed, TokenRefusal.notValidated, "\(signer) \(other)")
                }
            }
        }
    }

    @Test("is accepted after a key rotation for the overlap and no longer")
    func retiredKey() async throws {
        try await STSSandbox.run { sts async throws in
            let old = try await sts.token()
            _ = try await sts.cloud.rotateKeys(of: "company", overlap: .seconds(600))
            let new = try await sts.token()
            #expect(try JSONWebToken(parsing: old).keyID != JSONWebToken(parsing: new).keyID)
            for token in [old, new] { #expect(try await sts.assume("company", token).status == 200) }
            try await sts.cloud.age(by: .seconds(601))
            try await sts.expectRefusal(old, TokenRefusal.noKey)
            #expect(try await sts.assume("company", new).status == 200)
            _ = try await sts.cloud.rotateKeys(of: "company", overlap: .zero)
            try await sts.expectRefusal(new, TokenRefusal.noKey)
        }
    }
}
