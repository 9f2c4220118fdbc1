import COpenSSL

/// The contents of a certificate (RFC 5280) from another issuer. Nothing is verified unless a function says so.
package struct X509Certificate: Sendable {
    /// The start of the validity, in seconds since 1970.
    package let notBefore: Int64
    /// The end of the validity, in seconds since 1970.
    package let notAfter: Int64
    /// The subject's distinguished name in the form of RFC 4514; empty if there is none or it is too long.
    package let subject: String
    private let key: KeyHandle

    /// Reads the first certificate of a PEM text.
    /// - Throws: ``CryptographyError/invalidKey`` for a text without one.
    package init(pem: String) throws(CryptographyError) {
        var pem = pem
        try self.init { facts, subject in
            pem.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) {
                    copenssl_certificate_read($0.baseAddress, $0.count, facts, subject.baseAddress, subject.count)
                }
            }
        }
    }

    /// Reads a certificate in DER.
    /// - Throws: ``CryptographyError/invalidKey`` for anything else.
    package init(der: [UInt8]) throws(CryptographyError) {
        try self.init { copenssl_certificate_read_der(der, der.count, $0, $1.baseAddress, $1.count) }
    }

    private init(
        reading: (UnsafeMutablePointer<copenssl_certificate_facts>, UnsafeMutableBufferPointer<CChar>) -> OpaquePointer?
    ) throws(CryptographyError) {
        var facts = copenssl_certificate_facts()
        var subject = [CChar](repeating: 0, count: 4096)
        let pointer = subject.withUnsafeMutableBufferPointer { reading(&facts, $0) }
        key = try KeyHandle(pointer)
        notBefore = facts.not_before
        notAfter = facts.not_after
        self.subject = String(decoding: subject.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The key, if it is an RSA key with a modulus of 1024 bits or more. Old federations still use 1024 bits.
    package var rsaKey: RSAPublicKey? {
        (1024...RSAPublicKey.bits.upperBound).contains(copenssl_rsa_bits(key.pointer)) ? RSAPublicKey(handle: key) : nil
    }

    /// The key, if it is on one of the supported curves.
    package var ecKey: ECPublicKey? {
        EllipticCurve(bits: copenssl_ec_bits(key.pointer)).map { ECPublicKey(handle: key, curve: $0) }
    }

    /// Returns whether the certificate is valid at a time.
    /// - Parameter now: seconds since 1970.
    package func isValid(at now: Int64) -> Bool { (notBefore...max(notBefore, notAfter)).contains(now) }

    /// Checks the chain of a certificate. Each certificate of a chain must have issued the one before it, the first one the certificate itself,
    /// and each must be valid.
    /// - Parameters:
    ///   - pem: the certificate.
    ///   - chain: the chain, in order; at most a hundred certificates.
    ///   - now: seconds since 1970.
    /// - Returns: the index within the chain of the first certificate that is not valid or was not issued by the next one, which is -1 for the
    ///   certificate itself; `nil` if the chain is in order.
    /// - Throws: ``CryptographyError/invalidKey`` for a chain without certificates, or with too many.
    package static func fault(inChain chain: String, of pem: String, now: Int64) throws(CryptographyError) -> Int? {
        var (pem, chain) = (pem, chain)
        let index = pem.withUTF8 { pem in
            chain.withUTF8 { chain in
                pem.withMemoryRebound(to: CChar.self) { pem in
                    chain.withMemoryRebound(to: CChar.self) { chain in
                        copenssl_certificate_chain(pem.baseAddress, pem.count, chain.baseAddress, chain.count, now)
                    }
                }
            }
        }
        switch Int(index) {
        case COPENSSL_CHAIN_VALID: return nil
        case COPENSSL_CHAIN_UNREADABLE: throw .invalidKey
        case let index: return index
        }
    }

    /// Returns whether the certificate is for the public half of an unencrypted private key in PEM.
    /// - Throws: ``CryptographyError/invalidKey`` where the text contains no such key.
    package func matches(privateKey pem: String) throws(CryptographyError) -> Bool {
        // Without the extended lifetime, Swift frees the handle right after reading its pointer, before the call.
        withExtendedLifetime(try KeyHandle(pem: pem)) { copenssl_key_equal(key.pointer, $0.pointer) == 1 }
    }
}
