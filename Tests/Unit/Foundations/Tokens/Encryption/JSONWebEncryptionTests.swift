import Cryptography
import Testing
import WireFormats

@testable import Tokens

@Suite("Encrypted tokens (RFC 7516)")
struct JSONWebEncryptionTests {
    private static let created = Timestamp(seconds: 0)
    private static let rsa = Result { try SigningKey(pem: PublishedEncryptions.rsaKey, algorithm: .rs256, created: created) }

    private static func key(_ pem: String, _ algorithm: SignatureAlgorithm, _ name: String? = nil) throws -> DecryptionKey {
        let key = try SigningKey(pem: pem, algorithm: algorithm, created: created)
        return try DecryptionKey(name.map { key.named($0) } ?? key)
    }

    @Test("decrypts the published examples (RFC 7520 sections 5.4 and 5.5)")
    func published() throws {
        typealias Published = PublishedEncryptions
        let wrapped = try JSONWebEncryption(parsing: Published.wrapped)
        #expect(wrapped.algorithm == .ecdhESA128KW)
        #expect(wrapped.encryption == .a128GCM)
        let took = try Self.key(Published.tookKey, .es384, Published.tookName)
        #expect(String(decoding: try wrapped.decrypt(with: [took]), as: UTF8.self) == Published.frodo)
        let direct = try JSONWebEncryption(parsing: Published.direct)
        let brandybuck = try Self.key(Published.brandybuckKey, .es256, Published.brandybuckName)
        #expect(String(decoding: try direct.decrypt(with: [took, brandybuck]), as: UTF8.self) == Published.frodo)
        let rsa = try JSONWebEncryption(parsing: Published.rsa)
        let key = try DecryptionKey(try Self.rsa.get())
        #expect(String(decoding: try rsa.decrypt(with: [key]), as: UTF8.self) == Published.rsaPlaintext)
    }

    @Test("derives the published key (RFC 7518 appendix C)")
    func agreement() throws {
        let bob = try ECPrivateKey(
            pem: """
                -----BEGIN PRIVATE KEY-----
                MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVEmDZpDXXK8p8N0C
                ndsxs924q6nS1RXFASRl6BfUqdyhRANCAATB40nLYexwJIzoAQNMODThuI6+EWHL
                Ja84dB94X8/ExHvJZwjvgJUrU/jSVV/nK4Qe0EWIYosdN4pZSTlQDsnJ
                -----END PRIVATE KEY-----
                """)
        let x = try #require([UInt8](base64url: "gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0"))
        let y = try #require([UInt8](base64url: "SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps"))
        let secret = try bob.sharedSecret(with: ECPublicKey(curve: .p256, x: x, y: y))
        #expect(secret.prefix(6) == [158, 86, 217, 29, 129, 113])
        let key = ConcatKDF.key(16, from: secret, algorithm: "A128GCM", partyU: Array("Alice".utf8), partyV: Array("Bob".utf8))
        #expect(key.base64url == "VqqN6vgjbSBcIijNcacQGg")
        #expect(throws: CryptographyError.invalidKey) {
            try bob.sharedSecret(with: ECPrivateKey.generate(.p384).publicKey)
        }
    }

    @Test("encrypts contents as published (RFC 7516 appendices A.1 and A.3)")
    func contents() throws {
        let galois = try #require([UInt8](hex: "b1a1f480548fe1733fb403ff6b9ad4f68a076e5b702e22692f82cb2e7aea40fc"))
        let nonce = try #require([UInt8](base64url: "48V1_ALb6US04U3b"))
        let first = Array("eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ".utf8)
        let message = Array("The true sign of intelligence is not knowledge but imagination.".utf8)
        let sealed = try ContentEncryption.a256GCM.seal(message, key: galois, vector: nonce, header: first)
        #expect(
            Array(sealed.dropLast(16)).base64url
                == "5eym8TW_c8SuK0ltJ3rpYIzOeDQz7TALvtu6UG9oMo4vpzs9tX_EFShS8iB7j6jiSdiwkIr3ajwQzaBtQD_A")
        #expect(Array(sealed.suffix(16)).base64url == "XFBoMYUZodetZdvTiFvSkQ")

        let wrapping = try #require([UInt8](base64url: "GawgguFyGrWKav7AX4VKUg"))
        let wrapped = "6KB707dM9YTIgHtLvtgWQ8mKwboJW3of9locizkDTHzBC2IlrT1oOQ"
        let chained = try KeyWrap.unwrap(try #require([UInt8](base64url: wrapped)), with: wrapping)
        #expect(chained.hex == "04d31fc5549dfcfe0b649dfa3faa6ace6b7cd42d6f6b09dbc8b100f08f9c2ccf")
        #expect(try KeyWrap.wrap(chained, with: wrapping).base64url == wrapped)
        let vector = try #require([UInt8](base64url: "AxY8DCtDaGlsbGljb3RoZQ"))
        let third = Array("eyJhbGciOiJBMTI4S1ciLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0".utf8)
        let prosperity = Array("Live long and prosper.".utf8)
        let text = try ContentEncryption.a128CBCHS256.seal(prosperity, key: chained, vector: vector, header: third)
        #expect(Array(text.dropLast(16)).base64url == "KDlTtXchhZTGufMYmOYGS4HffxPSUrfmqCHXaI9wOGY")
        #expect(Array(text.suffix(16)).base64url == "U0m_YmjN04DJvceFICbCVQ")
    }

    @Test("decrypts what it encrypted", arguments: KeyManagementAlgorithm.allCases, ContentEncryption.allCases)
    func roundTrip(algorithm: KeyManagementAlgorithm, encryption: ContentEncryption) throws {
        let pair = algorithm == .rsaOAEP256 ? try Self.rsa.get() : try SigningKey.generate(algorithm: .es256, created: Self.created)
        let own = try DecryptionKey(pair)
        let receiver = try #require(EncryptionKey(own.json))
        for plaintext in [[], Array("{}".utf8), [UInt8](repeating: 7, count: 1000)] {
            let text = try JSONWebEncryption.encrypt(plaintext, for: receiver, algorithm, encryption, header: ["cty": "JWT"])
            #expect(JSONWebEncryption.isEncrypted(text))
            let parsed = try JSONWebEncryption(parsing: text)
            #expect(parsed.header["cty"] == "JWT")
            #expect(parsed.header["kid"] == .string(own.keyID))
            #expect(try parsed.decrypt(with: [own]) == plaintext)
        }
    }

    @Test("refuses a change in any part, and another receiver's key")
    func changes() throws {
        let pair = try SigningKey.generate(algorithm: .es256, created: Self.created)
        let own = try DecryptionKey(pair)
        let receiver = try #require(EncryptionKey(own.json))
        let text = try JSONWebEncryption.encrypt(Array("secret".utf8), for: receiver, .ecdhESA256KW, .a128CBCHS256)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { [UInt8](base64url: $0) ?? [] }
        for index in 1..<5 {
            var changed = parts
            changed[index][0] ^= 1
            let forged = changed.map(\.base64url).joined(separator: ".")
            #expect(throws: JSONWebEncryptionError.failed) { try JSONWebEncryption(parsing: forged).decrypt(with: [own]) }
        }
        var header = try #require(try JSONValue(parsing: parts[0]).objectValue)
        header["typ"] = "JWT"
        let other = ([JSONValue.object(header).serializedBytes()] + parts.dropFirst()).map(\.base64url).joined(separator: ".")
        #expect(throws: JSONWebEncryptionError.failed) { try JSONWebEncryption(parsing: other).decrypt(with: [own]) }
        let stranger = try DecryptionKey(try SigningKey.generate(algorithm: .es256, created: Self.created).named(own.keyID))
        #expect(throws: JSONWebEncryptionError.failed) { try JSONWebEncryption(parsing: text).decrypt(with: [stranger]) }
        // The algorithm in the header does not make an RSA key of another one, or the reverse.
        let rsa = try DecryptionKey(try Self.rsa.get().named(own.keyID))
        #expect(throws: JSONWebEncryptionError.failed) { try JSONWebEncryption(parsing: text).decrypt(with: [rsa]) }
    }

    @Test(
        "refuses other forms with a reason",
        arguments: [
            (#"{"alg":"RSA-OAEP","enc":"A256GCM"}"#, JSONWebEncryptionError.unsupportedAlgorithm),
            (#"{"alg":"RSA1_5","enc":"A256GCM"}"#, .unsupportedAlgorithm), (#"{"alg":"dir","enc":"A256GCM"}"#, .unsupportedAlgorithm),
            (#"{"alg":"none","enc":"A256GCM"}"#, .unsupportedAlgorithm), (#"{"alg":"RS256","enc":"A256GCM"}"#, .unsupportedAlgorithm),
            (#"{"alg":"ECDH-ES","enc":"A256CBC-HS512"}"#, .unsupportedEncryption), (#"{"alg":"ECDH-ES"}"#, .invalidHeader),
            (#"{"alg":"ECDH-ES","enc":"A256GCM","zip":"DEF"}"#, .compressed), ("[]", .invalidHeader), ("{", .invalidHeader),
            (#"{"alg":"ECDH-ES","enc":"A256GCM","crit":["x"]}"#, .criticalExtension),
        ])
    func headers(header: String, error: JSONWebEncryptionError) {
        let text = Array(header.utf8).base64url + "..AAAA.AAAA.AAAA"
        #expect(throws: error) { try JSONWebEncryption(parsing: text) }
        #expect(error.explanation(of: "The text").hasPrefix("The text "))
    }

    @Test("refuses texts of other forms")
    func forms() throws {
        #expect(throws: JSONWebEncryptionError.notFiveParts) { try JSONWebEncryption(parsing: PublishedTokens.rs256) }
        #expect(throws: JSONWebEncryptionError.invalidEncoding) { try JSONWebEncryption(parsing: "e30=.a.a.a.a") }
        #expect(throws: JSONWebEncryptionError.tooLong) {
            try JSONWebEncryption(parsing: String(repeating: "a", count: JSONWebEncryption.longest + 1))
        }
        #expect(!JSONWebEncryption.isEncrypted(PublishedTokens.rs256))
    }

    @Test(
        "refuses keys that cannot encrypt",
        arguments: [
            ["use": "sig"], ["key_ops": ["verify"]], ["alg": "RS256"], ["alg": "RSA-OAEP"], ["alg": "RSA-OAEP-256"], ["kty": "oct"],
            ["crv": "secp256k1"], ["x": "AAAA"], ["x": nil],
        ] as [[String: JSONValue?]])
    func keys(change: [String: JSONValue?]) throws {
        var json = PublishedTokens.ecKey
        #expect(EncryptionKey(json) != nil)
        for (name, value) in change { json[name] = value }
        #expect(EncryptionKey(json) == nil)
    }

    @Test("chooses the key for encryption that fits")
    func choice() throws {
        let signing = PublishedTokens.ecKey
        var encrypting = try JSONWebKey(SigningKey.generate(algorithm: .es256, created: Self.created).verificationKey).json
        encrypting["use"] = "enc"
        encrypting["kid"] = "e"
        let set: JSONObject = ["keys": [.object(signing), .object(PublishedTokens.rsaKey), .object(encrypting)]]
        #expect(EncryptionKey.first(in: set, for: .ecdhES)?.keyID == "e")
        #expect(EncryptionKey.first(in: set, for: .rsaOAEP256) != nil)
        #expect(EncryptionKey.first(in: ["keys": [.object(signing)]], for: .rsaOAEP256) == nil)
    }
}
