import COpenSSL

extension HashAlgorithm {
    /// Returns a key that is derived from the UTF-8 bytes of a password: PBKDF2 with HMAC (RFC 8018 section 5.2).
    /// - Parameters:
    ///   - iterations: at least 1; the time grows with it.
    ///   - count: the length of the key in bytes.
    /// - Throws: ``CryptographyError/operationFailed`` for counts that OpenSSL refuses.
    package func passwordKey(
        _ password: String, salt: [UInt8], iterations: Int, count: Int
    ) throws(CryptographyError) -> [UInt8] {
        guard iterations > 0, count > 0 else { throw .operationFailed }
        var password = password
        let key = password.withUTF8 { password in
            password.withMemoryRebound(to: CChar.self) { password in
                bytes(upTo: count) { key in
                    copenssl_pbkdf2(
                        identifier, password.baseAddress, password.count, salt, salt.count, iterations, key, count) == 1 ? count : 0
                }
            }
        }
        guard !key.isEmpty else { throw .operationFailed }
        return key
    }
}
