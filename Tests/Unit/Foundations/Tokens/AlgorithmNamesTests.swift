import Testing
import Tokens
import WireFormats

@Suite("Names of algorithms")
struct AlgorithmNamesTests {
    @Test("Ed25519 and EdDSA are one algorithm (RFC 9864 section 2.2)")
    func edwards() throws {
        let key = try SigningKey.generate(algorithm: .edDSA, created: TestKeys.created)
        let same = try SigningKey(pem: key.pem, algorithm: .ed25519, created: TestKeys.created)
        let token = try JSONWebToken(parsing: try JSONWebToken.sign(claims: [:], key: same))
        #expect(token.header["alg"] == "Ed25519")
        #expect(key.verificationKey.fits(.ed25519))
        try token.verify(with: key.verificationKey)
        // A key that is published for one name also verifies the other.
        let published = JSONWebKeySet([JSONWebKey(key.verificationKey, keyID: token.keyID, algorithm: .edDSA)])
        #expect(published.keys[0].allows(.ed25519))
        #expect(!published.keys[0].allows(.es256))
        #expect(SignatureAlgorithm.ed25519.isSame(as: .edDSA))
        #expect(!SignatureAlgorithm.ed25519.isSame(as: .es256))
    }

    @Test("That are refused have a reason", arguments: SignatureAlgorithm.refused.map { $0.name })
    func refused(name: String) throws {
        #expect(SignatureAlgorithm(rawValue: name) == nil)
        let header = Array(#"{"alg":"\#(name)"}"#.utf8).base64url
        let error = try #require(throws: JSONWebTokenError.self) { try JSONWebToken(parsing: "\(header).e30.") }
        let text = error.explanation(of: "The proof")
        #expect(text.hasPrefix("The proof names the algorithm \(name), which is not supported: "))
    }

    @Test(
        "That clients send are repeated only if they are known",
        arguments: [
            (JSONWebTokenError.unsupportedAlgorithm("HS256"), "The proof names the algorithm HS256, which is not accepted here."),
            (.unsupportedAlgorithm("a\"\r\nb"), "The proof names an unknown algorithm."),
            (.notThreeParts, "The proof is not a signed token."),
        ])
    func explanations(error: JSONWebTokenError, text: String) {
        #expect(error.explanation(of: "The proof") == text)
    }
}

@Suite("Times in SAML documents")
struct SAMLTimeTests {
    @Test("must have a time zone (SAML 2.0 Core section 1.3.3)")
    func zones() throws {
        #expect(try SAMLTime.parse("2026-11-29T10:00:00Z").get() == Timestamp(iso8601: "2026-11-29T10:00:00Z"))
        #expect(try SAMLTime.parse("2026-11-29T12:00:00+02:00").get() == Timestamp(iso8601: "2026-11-29T10:00:00Z"))
        for (text, fault) in [
            ("2026-11-29T10:00:00", SAMLTime.Fault.noTimeZone), ("2026-11-29T10:00:00.5", .noTimeZone), ("2026-11-29", .notATime),
            ("", .notATime), ("soon", .notATime),
        ] {
            #expect(throws: fault) { try SAMLTime.parse(text).get() }
        }
    }
}
