package import Cryptography
package import WireFormats

extension JSONWebToken {
    /// Makes a signed token in compact form (RFC 7515 section 5.1).
    /// - Parameters:
    ///   - header: further members, which follow `alg` and `kid` of the key. An `alg` or `kid` among them replaces the key's own in the
    ///     text but not in the signing, so that a wrong token can be made on purpose.
    ///   - claims: written in their order.
    /// - Throws: ``CryptographyError/operationFailed`` where OpenSSL cannot sign.
    package static func sign(
        header: JSONObject = ["typ": "JWT"], claims: JSONObject, key: SigningKey
    ) throws(CryptographyError) -> String {
        var complete: JSONObject = ["alg": .string(key.algorithm.rawValue), "kid": .string(key.keyID)]
        for (name, value) in header.members { complete[name] = value }
        var token = JSONValue.object(complete).serializedBytes().base64url
        token += "."
        token += JSONValue.object(claims).serializedBytes().base64url
        let signature = try key.sign(Array(token.utf8))
        token += "."
        token += signature.base64url
        return token
    }

    /// The `c_hash` of a code: the left half of its digest (OpenID Connect Core 1.0 section 3.3.2.11).
    /// - Parameter algorithm: that of the ID token which carries the claim.
    package static func codeHash(_ code: String, algorithm: SignatureAlgorithm = .rs256) -> String {
        accessTokenHash(code, algorithm: algorithm)
    }

    /// The `at_hash` of an access token: the left half of its digest (OpenID Connect Core 1.0 section 3.1.3.6).
    /// - Parameter algorithm: that of the ID token which carries the claim.
    package static func accessTokenHash(_ accessToken: String, algorithm: SignatureAlgorithm = .rs256) -> String {
        let digest = algorithm.hash.digest(Array(accessToken.utf8))
        return Array(digest.prefix(digest.count / 2)).base64url
    }
}
