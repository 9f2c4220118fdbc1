import COpenSSL

extension RSAPrivateKey {
    /// A certificate that the key signs for itself, as PEM: the same whenever it is asked for, since nothing in it is drawn by
    /// chance and RSASSA-PKCS1-v1_5 signs the same text alike. (RFC 5280.)
    /// - Parameter name: the common name, of subject and issuer.
    /// - Throws: ``CryptographyError/operationFailed``.
    package func selfSignedCertificate(named name: String) throws(CryptographyError) -> String {
        var serial = Array(SHA256.hash(publicKey.modulus).prefix(16))
        // Positive, and of full length. (RFC 5280 section 4.1.2.2.)
        serial[0] = serial[0] & 0x7F | 0x40
        let capacity = 16_384
        let pem = name.withCString { name in
            var claims = copenssl_certificate_claims()
            claims.common_name = name
            claims.alternatives = nil
            // 2020 to 2049, when dates become longer (section 4.1.2.5).
            claims.not_before = 1_577_836_800
            claims.not_after = 2_524_607_999
            withUnsafeMutableBytes(of: &claims.serial) { $0.copyBytes(from: serial) }
            return bytes(upTo: capacity) { buffer in
                buffer.withMemoryRebound(to: CChar.self, capacity: capacity) {
                    copenssl_certificate_issue(handle.pointer, &claims, handle.pointer, nil, $0, capacity)
                }
            }
        }
        guard !pem.isEmpty else { throw .operationFailed }
        return String(decoding: pem, as: UTF8.self)
    }
}
