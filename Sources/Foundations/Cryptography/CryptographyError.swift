/// The reason why a cryptographic operation failed. An invalid signature is not an error: verification returns `false`.
package enum CryptographyError: Error, Equatable {
    /// The random generator returned no bytes.
    case noEntropy
    /// The bytes or PEM text are not a key, a key of another kind or an unsupported size, or not a point of the curve.
    case invalidKey
    /// OpenSSL failed to generate a key, to sign or to encrypt with a valid key, for instance when memory runs out.
    case operationFailed
    /// The sealed bytes are too short, were changed, or were sealed under another key, nonce or context.
    case authenticationFailed
}
