import Cryptography
import Foundation
import Testing
import WireFormats

/// A file of Project Wycheproof's test vectors, and the function that runs its tests.
struct WycheproofFile: Sendable, CustomTestStringConvertible {
    var name: String
    /// Returns whether the message of a test is accepted.
    var accepts: @Sendable (_ group: JSONValue, _ test: JSONValue) throws -> Bool

    var testDescription: String { name }

    func groups() throws -> [JSONValue] {
        let url = try #require(Bundle.module.url(forResource: "Wycheproof/\(name)", withExtension: "json"))
        return try #require(try JSONValue(parsing: Array(Data(contentsOf: url)))["testGroups"]?.arrayValue)
    }

    static let pkcs1 = [2048, 3072, 4096].flatMap { bits in
        [("sha256", HashAlgorithm.sha256), ("sha384", .sha384), ("sha512", .sha512)].map { digest, hash in
            WycheproofFile(name: "rsa_signature_\(bits)_\(digest)") { group, test in
                try rsa(group).verify(test.bytes("sig"), of: test.bytes("msg"), hash: hash)
            }
        }
    }

    static let pss = [
        ("2048_sha256_mgf1_32", HashAlgorithm.sha256), ("3072_sha256_mgf1_32", .sha256), ("4096_sha256_mgf1_32", .sha256),
        ("2048_sha384_mgf1_48", .sha384), ("4096_sha384_mgf1_48", .sha384), ("4096_sha512_mgf1_64", .sha512),
    ].map { name, hash in
        WycheproofFile(name: "rsa_pss_\(name)") { group, test in
            try rsa(group).verify(test.bytes("sig"), of: test.bytes("msg"), hash: hash, scheme: .pss)
        }
    }

    /// RSASSA-PSS with salts and masks that JOSE does not define.
    static let otherPSS = ["2048_sha256_mgf1_0", "2048_sha256_mgf1sha1_20"].map { name in
        WycheproofFile(name: "rsa_pss_\(name)") { group, test in
            try rsa(group).verify(test.bytes("sig"), of: test.bytes("msg"), hash: .sha256, scheme: .pss)
        }
    }

    static let ecdsa = [
        ("secp256r1_sha256", EllipticCurve.p256), ("secp384r1_sha384", .p384), ("secp521r1_sha512", .p521),
    ].map { name, curve in
        WycheproofFile(name: "ecdsa_\(name)_p1363") { group, test in
            let point = try #require(group["key"]).bytes("uncompressed").dropFirst()
            let half = curve.coordinateByteCount
            let key = try ECPublicKey(curve: curve, x: Array(point.prefix(half)), y: Array(point.dropFirst(half)))
            return try key.verify(test.bytes("sig"), of: test.bytes("msg"))
        }
    }

    static let ed25519 = WycheproofFile(name: "ed25519") { group, test in
        try Ed25519PublicKey(bytes: #require(group["key"]).bytes("pk")).verify(test.bytes("sig"), of: test.bytes("msg"))
    }

    static let hmac = [("sha256", HashAlgorithm.sha256), ("sha384", .sha384), ("sha512", .sha512)].map { name, hash in
        WycheproofFile(name: "hmac_\(name)") { _, test in
            let tag = try test.bytes("tag")
            return try Array(hash.authenticationCode(key: test.bytes("key"), of: test.bytes("msg")).prefix(tag.count)) == tag
        }
    }

    /// AES-GCM as in sealed records, and with keys of any length and no additional data as in XML Encryption.
    static let aesGCM = WycheproofFile(name: "aes_gcm") { _, test in
        let (key, context) = try (test.bytes("key"), test.bytes("aad"))
        let (sealed, message) = try (test.bytes("iv") + test.bytes("ct") + test.bytes("tag"), test.bytes("msg"))
        var opened: [[UInt8]?] = []
        if key.count == 32 { opened.append(try? AESGCM(key: key).open(sealed, context: context)) }
        if context.isEmpty { opened.append(try? BlockEncryption(.gcm, key: key).decrypt(sealed)) }
        try #require(!opened.isEmpty)
        return opened.allSatisfy { $0 == message }
    }

    static let oaep = [
        ("2048_sha1_mgf1sha1", HashAlgorithm.sha1, HashAlgorithm.sha1), ("2048_sha256_mgf1sha1", .sha256, .sha1),
        ("2048_sha256_mgf1sha256", .sha256, .sha256), ("3072_sha512_mgf1sha512", .sha512, .sha512),
    ].map { name, hash, maskHash in
        WycheproofFile(name: "rsa_oaep_\(name)") { group, test in
            let key = try RSAPrivateKey(pem: #require(group["key"]?["pem"]?.stringValue))
            let (ciphertext, message) = try (test.bytes("ct"), test.bytes("msg"))
            return (try? key.decrypt(ciphertext, OAEP(hash: hash, maskHash: maskHash))) == message
        }
    }

    private static func rsa(_ group: JSONValue) throws -> RSAPublicKey {
        let key = try #require(group["key"])
        return try RSAPublicKey(modulus: key.bytes("modulus"), exponent: key.bytes("publicExponent"))
    }
}

extension JSONValue {
    /// The bytes of a hexadecimal member, which every test has.
    fileprivate func bytes(_ name: String) throws -> [UInt8] {
        try #require(self[name]?.stringValue.flatMap { [UInt8](hex: $0) })
    }
}

@Suite("Project Wycheproof's test vectors")
struct WycheproofTests {
    @Test(
        "are accepted if they are valid, and refused if they are not",
        arguments: WycheproofFile.pkcs1 + WycheproofFile.pss + WycheproofFile.ecdsa + [.ed25519] + WycheproofFile.hmac + [.aesGCM]
            + WycheproofFile.oaep)
    func vectors(_ file: WycheproofFile) throws {
        var results: Set<String> = []
        for group in try file.groups() {
            for test in try #require(group["tests"]?.arrayValue) {
                let result = try #require(test["result"]?.stringValue)
                results.insert(result)
                // PKCS #1 signatures whose algorithm lacks its null parameters (flag MissingNull) are "acceptable". RFC 8017 section 9.2
                // allows verifiers to accept them, but no implementation produces them. They are refused here.
                let isAccepted = try file.accepts(group, test)
                #expect(isAccepted == (result == "valid"), "\(test.serialized().prefix(200))")
            }
        }
        #expect(results.isSuperset(of: ["valid", "invalid"]))
    }

    @Test("of RSASSA-PSS with a salt or mask that JOSE does not define are refused, valid ones too", arguments: WycheproofFile.otherPSS)
    func otherPSS(_ file: WycheproofFile) throws {
        var count = 0
        for group in try file.groups() {
            // A salt changed to 32 bytes is the salt of JOSE. The selection has no such test, but the whole file does.
            for test in try #require(group["tests"]?.arrayValue) where test["comment"] != "s_len changed to 32" {
                #expect(try !file.accepts(group, test), "\(test.serialized().prefix(200))")
                if test["result"] == "valid" { count += 1 }
            }
        }
        #expect(count > 0)
    }
}
