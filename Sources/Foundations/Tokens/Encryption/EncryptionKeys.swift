package import Cryptography
package import WireFormats

/// A receiver's public key, for which tokens are encrypted (RFC 7517).
package struct EncryptionKey: Sendable {
    enum Material: Sendable {
        case rsa(RSAPublicKey)
        case ec(ECPublicKey)
    }

    let material: Material
    /// The `kid`; `nil` where the publisher set none.
    package let keyID: String?
    /// The `alg` that the key is restricted to; `nil` where the publisher set none.
    private let algorithm: KeyManagementAlgorithm?

    /// The keys that can encrypt, in words.
    package static let supportedKeys = "RSA, or EC with P-256, P-384 or P-521"

    /// Reads a key of another party's set; `nil` for a key that cannot encrypt here: another `kty` or curve, a `use` other than `enc`,
    /// `key_ops` for other operations, an `alg` that does not fit.
    package init?(_ json: JSONObject) {
        if let use = json["use"], use != "enc" { return nil }
        if let operations = json["key_ops"] {
            guard let operations = operations.arrayValue,
                operations.contains(where: { ["encrypt", "wrapKey", "deriveKey", "deriveBits"].contains($0.stringValue ?? "") })
            else { return nil }
        }
        func number(_ name: String) -> [UInt8]? { json[name]?.stringValue.flatMap { [UInt8](base64url: $0) } }
        do throws(CryptographyError) {
            switch json["kty"] {
            case "RSA":
                guard let modulus = number("n"), let exponent = number("e") else { return nil }
                material = .rsa(try RSAPublicKey(modulus: modulus, exponent: exponent))
            case "EC":
                guard let curve = json["crv"]?.stringValue.flatMap(EllipticCurve.init(rawValue:)), let x = number("x"), let y = number("y")
                else { return nil }
                material = .ec(try ECPublicKey(curve: curve, x: x, y: y))
            default: return nil
            }
        } catch {
            return nil
        }
        keyID = json["kid"]?.stringValue
        guard let name = json["alg"] else {
            algorithm = nil
            return
        }
        guard let known = name.stringValue.flatMap(KeyManagementAlgorithm.init(rawValue:)) else { return nil }
        algorithm = known
        guard fits(known) else { return nil }
    }

    /// Returns whether the key can be used with an algorithm.
    package func fits(_ algorithm: KeyManagementAlgorithm) -> Bool {
        guard self.algorithm ?? algorithm == algorithm else { return false }
        switch (material, algorithm) {
        case (.rsa, .rsaOAEP256), (.ec, .ecdhES), (.ec, .ecdhESA128KW), (.ec, .ecdhESA256KW): return true
        case (.rsa, _), (.ec, _): return false
        }
    }

    /// Returns the first key of a JWK set that fits an algorithm. Keys that say `use: enc` come first.
    package static func first(in set: JSONObject, for algorithm: KeyManagementAlgorithm) -> EncryptionKey? {
        let members = (set["keys"]?.arrayValue ?? []).compactMap(\.objectValue)
        let ordered = members.filter { $0["use"] == "enc" } + members.filter { $0["use"] != "enc" }
        return ordered.lazy.compactMap { EncryptionKey($0) }.first { $0.fits(algorithm) }
    }
}

/// A private key that decrypts tokens.
package struct DecryptionKey: Sendable {
    enum Material: Sendable {
        case rsa(RSAPrivateKey)
        case ec(ECPrivateKey)
    }

    let material: Material
    /// The `kid` under which the public half is published.
    package let keyID: String
    private let published: JSONObject

    /// Creates the key of a key pair that a key ring keeps.
    /// - Throws: ``CryptographyError/invalidKey`` for a key that can only sign.
    package init(_ key: SigningKey) throws(CryptographyError) {
        keyID = key.keyID
        var json = try JSONWebKey(key.verificationKey, keyID: key.keyID).json
        json["use"] = "enc"
        switch key.verificationKey {
        case .rsa:
            material = .rsa(try RSAPrivateKey(pem: key.pem))
            json["alg"] = .string(KeyManagementAlgorithm.rsaOAEP256.rawValue)
        case .ec: material = .ec(try ECPrivateKey(pem: key.pem))
        case .ed25519: throw .invalidKey
        }
        published = json
    }

    /// The public half as it is published.
    package var json: JSONObject { published }
}
