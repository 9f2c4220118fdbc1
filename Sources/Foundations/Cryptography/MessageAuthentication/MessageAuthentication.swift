import COpenSSL

extension HashAlgorithm {
    /// Returns the HMAC code of a message with this digest (RFC 2104, RFC 4231), as long as the digest. ``HMACKey`` is faster for SHA-256
    /// keys that authenticate many messages.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package func authenticationCode(key: [UInt8], of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let count =
            switch self {
            case .sha1: SHA1.byteCount
            case .sha256: SHA256.byteCount
            case .sha384: SHA384.byteCount
            case .sha512: SHA512.byteCount
            }
        let code = bytes(upTo: count) {
            copenssl_hmac(identifier, key, key.count, message, message.count, $0) == 1 ? count : 0
        }
        guard !code.isEmpty else { throw .operationFailed }
        return code
    }
}
