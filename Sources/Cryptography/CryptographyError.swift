/// Why a cryptographic operation could not be done. A signature that does not verify is not an error but `false`.
package enum CryptographyError: Error, Equatable {
    /// The random generator gave no bytes.
    case noEntropy
    /// The bytes or PEM text are no key, a key of another kind, of an unsupported size, or not a point of the curve.
    case invalidKey
    /// OpenSSL refused to generate a key, to sign or to encrypt with a sound key, as when memory runs out.
    case operationFailed
    /// The sealed bytes are too short, were changed, or were sealed under another key, nonce or context.
    case authenticationFailed
}
