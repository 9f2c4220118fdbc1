import COpenSSL

/// A certificate that somebody else made (RFC 5280), read for what it says; nothing of it is verified.
package struct X509Certificate: Sendable {
    /// Seconds since 1970.
    package let notBefore: Int64
    package let notAfter: Int64
    private let key: KeyHandle

    /// Reads the first certificate of a PEM text.
    /// - Throws: ``CryptographyError/invalidKey`` for a text without one.
    package init(pem: String) throws(CryptographyError) {
        var pem = pem
        var (notBefore, notAfter): (Int64, Int64) = (0, 0)
        let pointer = pem.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { copenssl_certificate_read($0.baseAddress, $0.count, &notBefore, &notAfter) }
        }
        key = try KeyHandle(pointer)
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Reads a certificate in DER.
    /// - Throws: ``CryptographyError/invalidKey`` for anything else.
    package init(der: [UInt8]) throws(CryptographyError) {
        var (notBefore, notAfter): (Int64, Int64) = (0, 0)
        key = try KeyHandle(copenssl_certificate_read_der(der, der.count, &notBefore, &notAfter))
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// The key, where it is one of RSA with a modulus of 1024 bits or more: the federations of old have those.
    package var rsaKey: RSAPublicKey? {
        (1024...RSAPublicKey.bits.upperBound).contains(copenssl_rsa_bits(key.pointer)) ? RSAPublicKey(handle: key) : nil
    }

    /// The key, where it lies on one of the curves that we know.
    package var ecKey: ECPublicKey? {
        EllipticCurve(bits: copenssl_ec_bits(key.pointer)).map { ECPublicKey(handle: key, curve: $0) }
    }

    /// Whether the certificate is for the public half of a private key, an unencrypted one in PEM.
    /// - Throws: ``CryptographyError/invalidKey`` where there is no such key.
    package func matches(privateKey pem: String) throws(CryptographyError) -> Bool {
        // A handle that nobody holds is freed as soon as its pointer is read, before the call.
        withExtendedLifetime(try KeyHandle(pem: pem)) { copenssl_key_equal(key.pointer, $0.pointer) == 1 }
    }
}
