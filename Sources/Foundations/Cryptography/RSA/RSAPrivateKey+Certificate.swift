import COpenSSL

extension RSAPrivateKey {
    /// Returns a self-signed certificate of the key, as PEM. (RFC 5280.)
    ///
    /// The same key and name always give the same certificate: it contains nothing random, and RSASSA-PKCS1-v1_5 is deterministic.
    /// - Parameter name: the common name of subject and issuer.
    /// - Throws: ``CryptographyError/operationFailed``.
    package func selfSignedCertificate(named name: String) throws(CryptographyError) -> String {
        var serial = Array(SHA256.hash(publicKey.modulus).prefix(16))
        // The serial number is positive and has full length. (RFC 5280 section 4.1.2.2.)
        serial[0] = serial[0] & 0x7F | 0x40
        let capacity = 16_384
        let pem = name.withCString { name in
            var claims = copenssl_certificate_claims()
            claims.common_name = name
            claims.alternatives = nil
            // From 2020 to 2049; later dates need a longer encoding (section 4.1.2.5).
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
