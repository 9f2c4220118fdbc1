import COpenSSL

/// Owns one asymmetric key of OpenSSL.
///
/// The class is Sendable although its pointer is not. The pointer never changes, and no function of the C layer changes a key after it was
/// made. OpenSSL 3 allows any number of threads to use one unchanging key: its reference count is atomic and its caches are locked. The
/// last owner frees the key, when no other thread can reach it.
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of a pointer from the C layer.
    /// - Throws: ``CryptographyError/invalidKey`` for a null pointer, with which the C layer reports a failure.
    init(_ pointer: OpaquePointer?) throws(CryptographyError) {
        guard let pointer else { throw .invalidKey }
        self.pointer = pointer
    }

    /// Reads an unencrypted private key; see ``RSAPrivateKey/init(pem:)``.
    convenience init(pem: String) throws(CryptographyError) {
        var pem = pem
        let pointer = pem.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { copenssl_key_read_pem($0.baseAddress, $0.count) }
        }
        try self.init(pointer)
    }

    /// Reads a public key from PEM.
    convenience init(publicPEM pem: String) throws(CryptographyError) {
        var pem = pem
        let pointer = pem.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { copenssl_key_read_public_pem($0.baseAddress, $0.count) }
        }
        try self.init(pointer)
    }

    deinit {
        copenssl_key_free(pointer)
    }

    /// The private key as PKCS#8 PEM.
    var pem: String {
        get throws(CryptographyError) {
            // An RSA key of 8192 bits takes 6.4 KiB.
            let text = bytes(upTo: 16_384) { buffer in
                buffer.withMemoryRebound(to: CChar.self, capacity: 16_384) { copenssl_key_write_pem(pointer, $0, 16_384) }
            }
            guard !text.isEmpty else { throw .operationFailed }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The public half as SubjectPublicKeyInfo in PEM (RFC 7468 section 13).
    var publicPEM: String {
        let text = bytes(upTo: 4096) { buffer in
            buffer.withMemoryRebound(to: CChar.self, capacity: 4096) { copenssl_key_write_public_pem(pointer, $0, 4096) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns whether a certificate in DER (RFC 5280) is for the public half of this key.
    func isCertified(by certificate: [UInt8]) -> Bool { copenssl_certificate_has_key(certificate, certificate.count, pointer) == 1 }
}
