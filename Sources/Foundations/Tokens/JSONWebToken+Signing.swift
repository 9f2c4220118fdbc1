package import Cryptography
package import WireFormats

extension JSONWebToken {
    /// Returns a signed token in compact form (RFC 7515 section 5.1), whose header is `alg`, `kid` and `typ`.
    /// - Parameter claims: the claims, written in this order.
    /// - Throws: ``CryptographyError/operationFailed`` where OpenSSL cannot sign.
    package static func sign(claims: JSONObject, key: SigningKey) throws(CryptographyError) -> String {
        let payload = JSONValue.object(claims).serializedBytes()
        var token: [UInt8] = []
        // Room for the longest common signature, that of RSA-2048.
        token.reserveCapacity(key.usualHeader.utf8.count + payload.count / 3 * 4 + 360)
        token += key.usualHeader.utf8
        token.append(UInt8(ascii: "."))
        token.append(base64url: payload)
        let signature = try key.sign(token)
        token.append(UInt8(ascii: "."))
        token.append(base64url: signature)
        return String(decoding: token, as: UTF8.self)
    }

    /// Returns a signed token with another header.
    /// - Parameters:
    ///   - header: further members, which follow `alg` and `kid` of the key. An `alg` or `kid` among them replaces the key's own in the
    ///     text but not in the signing, which allows wrong tokens on purpose. A null removes a member.
    ///   - claims: the claims, written in this order.
    /// - Throws: ``CryptographyError/operationFailed`` where OpenSSL cannot sign.
    package static func sign(
        header: JSONObject, claims: JSONObject, key: SigningKey
    ) throws(CryptographyError) -> String {
        try sign(header: header, payload: JSONValue.object(claims).serializedBytes(), key: key)
    }

    /// Signs any payload, not only claims, in the same way as ``sign(header:claims:key:)``.
    package static func sign(
        header: JSONObject = ["typ": "JWT"], payload: [UInt8], key: SigningKey
    ) throws(CryptographyError) -> String {
        let input = signingInput(key.header, header, payload)
        return input + "." + (try key.sign(Array(input.utf8))).base64url
    }

    /// Returns a token that is authenticated with a shared secret (RFC 7518 section 3.2).
    /// - Parameters:
    ///   - header: further members, which follow `alg`.
    ///   - algorithm: one of ``SignatureAlgorithm/sharedSecret``.
    /// - Throws: ``CryptographyError/operationFailed``.
    package static func sign(
        header: JSONObject = ["typ": "JWT"], claims: JSONObject, secret: [UInt8], algorithm: SignatureAlgorithm = .hs256
    ) throws(CryptographyError) -> String {
        try sign(header: header, payload: JSONValue.object(claims).serializedBytes(), secret: secret, algorithm: algorithm)
    }

    /// Authenticates any payload, not only claims, in the same way.
    package static func sign(
        header: JSONObject = ["typ": "JWT"], payload: [UInt8], secret: [UInt8], algorithm: SignatureAlgorithm = .hs256
    ) throws(CryptographyError) -> String {
        let input = signingInput(["alg": .string(algorithm.rawValue)], header, payload)
        return input + "." + (try algorithm.hash.authenticationCode(key: secret, of: Array(input.utf8))).base64url
    }

    /// Returns a token with `alg` `none` and an empty signature (RFC 7515 appendix A.5). Virga never accepts one.
    package static func unsigned(header: JSONObject = ["typ": "JWT"], claims: JSONObject) -> String {
        signingInput(["alg": "none"], header, JSONValue.object(claims).serializedBytes()) + "."
    }

    private static func signingInput(_ header: JSONObject, _ further: JSONObject, _ payload: [UInt8]) -> String {
        var header = header
        for (name, value) in further.members { header[name] = value == .null ? Optional.none : value }
        return JSONValue.object(header).serializedBytes().base64url + "." + payload.base64url
    }

    /// Returns the `c_hash` of a code: the left half of its digest (OpenID Connect Core 1.0 section 3.3.2.11).
    /// - Parameter algorithm: the algorithm of the ID token that contains the claim.
    package static func codeHash(_ code: String, algorithm: SignatureAlgorithm = .rs256) -> String {
        accessTokenHash(code, algorithm: algorithm)
    }

    /// Returns the `at_hash` of an access token: the left half of its digest (OpenID Connect Core 1.0 section 3.1.3.6).
    /// - Parameter algorithm: the algorithm of the ID token that contains the claim.
    package static func accessTokenHash(_ accessToken: String, algorithm: SignatureAlgorithm = .rs256) -> String {
        let digest = algorithm.hash.digest(Array(accessToken.utf8))
        return Array(digest.prefix(digest.count / 2)).base64url
    }
}
