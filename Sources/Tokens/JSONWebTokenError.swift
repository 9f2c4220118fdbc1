/// Why a text is not a token, or not one signed with this key.
package enum JSONWebTokenError: Error, Equatable {
    /// More than ``JSONWebToken/longest`` bytes.
    case tooLong
    /// Not three parts separated by periods (RFC 7515 section 7.1); encrypted tokens have five.
    case notThreeParts
    /// A part is not unpadded base64url in its one canonical spelling.
    case invalidEncoding
    /// The header is no JSON object, or has no `alg`, or an `alg`, `kid` or `typ` that is not a string.
    case invalidHeader
    /// The payload is no JSON object.
    case invalidClaims
    /// The `alg` is none of ``SignatureAlgorithm``, or none that the reader takes.
    case unsupportedAlgorithm(String)
    /// The header asks for extensions with `crit`; none is understood (RFC 7515 section 4.1.11).
    case criticalExtension
    /// The key is of another kind or curve than the token's `alg` needs.
    case unfitKey
    /// The signature was not made over this header and payload with this key.
    case invalidSignature
}
