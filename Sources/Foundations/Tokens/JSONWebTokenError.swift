import WireFormats

/// The reason why a text is not a token, or not a token signed with this key.
package enum JSONWebTokenError: Error, Equatable {
    /// More than ``JSONWebToken/longest`` bytes.
    case tooLong
    /// Not three parts separated by periods (RFC 7515 section 7.1); encrypted tokens have five.
    case notThreeParts
    /// A part is not unpadded, canonical base64url.
    case invalidEncoding
    /// The header is not a JSON object, has no `alg`, or has an `alg`, `kid` or `typ` that is not a string.
    case invalidHeader
    /// The payload is not a JSON object.
    case invalidClaims
    /// The `alg` is not a ``SignatureAlgorithm`` or is not accepted by the caller.
    case unsupportedAlgorithm(String)
    /// The header requires extensions with `crit`; none is supported (RFC 7515 section 4.1.11).
    case criticalExtension
    /// The key is of another kind or curve than the token's `alg` requires.
    case unfitKey
    /// The signature was not made over this header and payload with this key.
    case invalidSignature
}

extension JSONWebTokenError {
    /// Returns the reason in a sentence for the developer whose program sent the token.
    /// - Parameter subject: what the token is, with an article, such as "The proof".
    package func explanation(of subject: String) -> String {
        guard case .unsupportedAlgorithm(let name) = self else { return "\(subject) is not a signed token." }
        // Only known names are repeated: the text also goes into a header.
        if let refused = SignatureAlgorithm.refused.first(where: { $0.name == name }) {
            return "\(subject) names the algorithm \(name), which is not supported: \(refused.reason)."
        }
        guard let known = SignatureAlgorithm(rawValue: name) else { return "\(subject) names an unknown algorithm." }
        return "\(subject) names the algorithm \(known.rawValue), which is not accepted here."
    }
}
