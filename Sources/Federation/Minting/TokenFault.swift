/// What is wrong with a token that is made to be refused. All else about it is right: the signature, where the fault is not the signature.
package enum TokenFault: String, Sendable, CaseIterable {
    /// The provider has forgotten it, as it forgets what somebody has revoked.
    case revoked
    /// `exp` is an hour ago, `iat` before it: beyond every tolerance of clocks.
    case expired
    /// `nbf` is an hour ahead.
    case notYetValid
    /// `iat` is an hour ahead.
    case issuedInTheFuture
    /// `aud`, and `azp` where there is one, name another client.
    case wrongAudience
    /// `iss` goes on where the issuer ends, which finds those who compare its beginning.
    case wrongIssuer
    /// `nonce` is not the one of the request.
    case wrongNonce
    /// `at_hash` is that of another access token.
    case wrongAccessTokenHash
    /// `kid` names a key that nobody has.
    case unknownKeyID
    /// There is no `kid`.
    case missingKeyID
    /// `alg` is `none`, and there is no signature (RFC 8725 section 2.1).
    case algNone
    /// `alg` is HS256, and the secret is the public key as PEM (RFC 8725 section 2.1).
    case hs256WithPublicKey
    /// One bit of the signature is another.
    case flippedSignatureBit
    /// The signature is empty, whatever `alg` says.
    case emptySignature
    /// Another key signed, under the `kid` of the right one.
    case otherKey
    /// Another key signed, and `jwk` in the header brings it (RFC 7515 section 4.1.3).
    case embeddedKey
    /// Another key signed, and `jku` in the header tells where it lies (RFC 7515 section 4.1.2).
    case keySetURL
    /// Another key signed, and `x5c` in the header brings its certificate (RFC 7515 section 4.1.6).
    case embeddedCertificate
    /// Another key signed, and `x5u` in the header tells where its certificate lies (RFC 7515 section 4.1.5).
    case certificateURL
    /// `crit` in the header asks for an extension that nobody knows (RFC 7515 section 4.1.11).
    case criticalExtension
    /// The payload has `sub` twice, another person's last (RFC 7519 section 4).
    case duplicateClaims
    /// The payload is a token, and `cty` says so (RFC 7519 section 5.2).
    case nestedToken
    /// A claim of a few thousand groups makes the token too long for a header.
    case hugeClaims
}
