import Cryptography
package import WireFormats

/// A public key that verifies signatures, as a JSON Web Key (RFC 7517; RFC 8037 for Ed25519).
package struct JSONWebKey: Sendable {
    /// The key itself.
    package let key: VerificationKey
    /// The `kid`; nil where the publisher set none.
    package let keyID: String?
    /// The `alg` that the key is restricted to; nil where the publisher set none.
    package let algorithm: SignatureAlgorithm?

    /// Creates a key for publishing.
    package init(_ key: VerificationKey, keyID: String? = nil, algorithm: SignatureAlgorithm? = nil) {
        self.key = key
        self.keyID = keyID
        self.algorithm = algorithm
    }

    /// Reads a key of another issuer's set.
    ///
    /// Returns nil for every key that cannot verify a signature here: an unsupported `kty` or curve, a `use` other than `sig`, `key_ops`
    /// without `verify`, an `alg` that is unknown or does not fit, missing members, and invalid numbers.
    package init?(_ json: JSONObject) {
        if let use = json["use"], use != "sig" { return nil }
        if let operations = json["key_ops"] {
            guard let operations = operations.arrayValue, operations.contains("verify") else { return nil }
        }
        let key: VerificationKey
        do throws(CryptographyError) {
            switch json["kty"] {
            case "RSA":
                guard let modulus = json.number("n"), let exponent = json.number("e") else { return nil }
                key = .rsa(try RSAPublicKey(modulus: modulus, exponent: exponent))
            case "EC":
                guard let curve = json["crv"]?.stringValue.flatMap(EllipticCurve.init(rawValue:)), let x = json.number("x"),
                    let y = json.number("y")
                else { return nil }
                key = .ec(try ECPublicKey(curve: curve, x: x, y: y))
            case "OKP":
                guard json["crv"] == "Ed25519", let bytes = json.number("x") else { return nil }
                key = .ed25519(try Ed25519PublicKey(bytes: bytes))
            default:
                return nil
            }
        } catch {
            return nil
        }
        var algorithm: SignatureAlgorithm?
        if let name = json["alg"] {
            guard let known = name.stringValue.flatMap(SignatureAlgorithm.init(rawValue:)), key.fits(known) else { return nil }
            algorithm = known
        }
        self.init(key, keyID: json["kid"]?.stringValue, algorithm: algorithm)
    }

    /// Returns whether the key's `alg`, if any, allows tokens with an algorithm.
    package func allows(_ algorithm: SignatureAlgorithm) -> Bool { self.algorithm?.isSame(as: algorithm) ?? true }

    /// Returns whether a key is secret: it has members of a private or a symmetric key (RFC 7518 sections 6.2.2, 6.3.2 and 6.4.1).
    package static func isSecret(_ json: JSONObject) -> Bool {
        ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].contains { json[$0] != nil }
    }

    /// The key as it is published: `kty`, `use`, `alg`, `kid`, then the numbers.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var json: JSONObject {
        get throws(CryptographyError) {
            let members = try requiredMembers
            var json: JSONObject = ["kty": members["kty"] ?? .null, "use": "sig"]
            json["alg"] = algorithm.map { .string($0.rawValue) }
            json["kid"] = keyID.map { .string($0) }
            for name in ["n", "e", "crv", "x", "y"] { json[name] = members[name] }
            return json
        }
    }

    /// The RFC 7638 thumbprint: base64url of the SHA-256 of the required members.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var thumbprint: String {
        get throws(CryptographyError) {
            try SHA256.hash(JSONValue.object(requiredMembers).serializedBytes()).base64url
        }
    }

    /// The members that define the key, in the order of their names (RFC 7638 section 3.2, RFC 8037 section 2).
    private var requiredMembers: JSONObject {
        get throws(CryptographyError) {
            switch key {
            case .rsa(let key):
                return ["e": .string(key.exponent.base64url), "kty": "RSA", "n": .string(key.modulus.base64url)]
            case .ec(let key):
                let point = try key.coordinates
                return [
                    "crv": .string(key.curve.rawValue), "kty": "EC", "x": .string(point.x.base64url), "y": .string(point.y.base64url),
                ]
            case .ed25519(let key):
                return ["crv": "Ed25519", "kty": "OKP", "x": .string(try key.rawBytes.base64url)]
            }
        }
    }
}

extension JSONObject {
    /// Returns the bytes of a base64url member; nil for a missing member and for other encodings.
    fileprivate func number(_ name: String) -> [UInt8]? {
        self[name]?.stringValue.flatMap { [UInt8](base64url: $0) }
    }
}
