/// A defect of a token that clients must reject. Everything else in the token is valid, including the signature unless that is the defect.
package enum TokenFault: String, Sendable, CaseIterable {
    /// The provider has no record of the token, as after a revocation.
    case revoked
    /// `exp` is an hour ago, `iat` before it: beyond any clock skew tolerance.
    case expired
    /// `nbf` is an hour ahead.
    case notYetValid
    /// `iat` is an hour ahead.
    case issuedInTheFuture
    /// `aud`, and `azp` where there is one, name another client.
    case wrongAudience
    /// `iss` has a suffix after the correct issuer, which reveals receivers that compare only the beginning.
    case wrongIssuer
    /// `nonce` is not the one of the request.
    case wrongNonce
    /// `at_hash` is that of another access token.
    case wrongAccessTokenHash
    /// `kid` names a key that does not exist.
    case unknownKeyID
    /// There is no `kid`.
    case missingKeyID
    /// `alg` is `none`, and there is no signature (RFC 8725 section 2.1).
    case algNone
    /// `alg` is HS256, and the secret is the public key as PEM (RFC 8725 section 2.1).
    case hs256WithPublicKey
    /// One bit of the signature is flipped.
    case flippedSignatureBit
    /// The signature is empty, whatever `alg` says.
    case emptySignature
    /// Another key made the signature, with the `kid` of the right one.
    case otherKey
    /// Another key made the signature, and `jwk` in the header contains it (RFC 7515 section 4.1.3).
    case embeddedKey
    /// Another key made the signature, and `jku` in the header is its URL (RFC 7515 section 4.1.2).
    case keySetURL
    /// Another key made the signature, and `x5c` in the header contains its certificate (RFC 7515 section 4.1.6).
    case embeddedCertificate
    /// Another key made the signature, and `x5u` in the header is the URL of its certificate (RFC 7515 section 4.1.5).
    case certificateURL
    /// `crit` in the header requires an unknown extension (RFC 7515 section 4.1.11).
    case criticalExtension
    /// The payload contains `sub` twice, the second time with another person (RFC 7519 section 4).
    case duplicateClaims
    /// The payload is another token, and `cty` is set accordingly (RFC 7519 section 5.2).
    case nestedToken
    /// A claim with a few thousand groups makes the token too long for a header.
    case hugeClaims
}
