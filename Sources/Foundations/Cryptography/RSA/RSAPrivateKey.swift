import COpenSSL

/// An RSA key that makes signatures: RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2.1) or RSASSA-PSS (section 8.1.1).
package struct RSAPrivateKey: Sendable {
    let handle: KeyHandle

    /// Reads an unencrypted key from PEM, PKCS#8 (RFC 5958) or PKCS#1.
    /// - Throws: ``CryptographyError/invalidKey`` for anything else and for a modulus outside 2048 to 8192 bits.
    package init(pem: String) throws(CryptographyError) {
        try self.init(handle: KeyHandle(pem: pem))
    }

    private init(handle: KeyHandle) throws(CryptographyError) {
        guard RSAPublicKey.bits.contains(copenssl_rsa_bits(handle.pointer)) else { throw .invalidKey }
        self.handle = handle
    }

    /// Makes a new key with exponent 65537. This takes 20 to 200 ms for 2048 bits and seconds for 4096; do not call it on an event loop.
    /// - Parameter bits: the size of the modulus, 2048 to 4096.
    /// - Throws: ``CryptographyError/invalidKey`` for another size, ``CryptographyError/operationFailed`` when OpenSSL fails.
    package static func generate(bits: Int = 2048) throws(CryptographyError) -> RSAPrivateKey {
        guard (2048...4096).contains(bits) else { throw .invalidKey }
        guard let key = copenssl_rsa_generate(bits, nil, nil) else { throw .operationFailed }
        return try RSAPrivateKey(handle: KeyHandle(key))
    }

    /// Makes a new key of 2048 bits, as ``generate(bits:)`` does, or gives up.
    /// - Parameter goesOn: called every few milliseconds; the generation ends when it returns `false`.
    /// - Returns: the key; `nil` if the generation was given up.
    /// - Throws: ``CryptographyError/operationFailed`` when OpenSSL fails.
    package static func generate(while goesOn: () -> Bool) throws(CryptographyError) -> RSAPrivateKey? {
        let key = withoutActuallyEscaping(goesOn) { goesOn in
            var condition = Condition(goesOn: goesOn)
            return withUnsafeMutablePointer(to: &condition) { condition in
                copenssl_rsa_generate(
                    2048, { $0?.assumingMemoryBound(to: Condition.self).pointee.goesOn() == false ? 0 : 1 }, condition)
            }
        }
        if let key { return try RSAPrivateKey(handle: KeyHandle(key)) }
        if goesOn() { throw .operationFailed }
        return nil
    }

    private struct Condition {
        let goesOn: () -> Bool
    }

    /// The key as unencrypted PKCS#8 PEM, for storage.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package var pem: String {
        get throws(CryptographyError) { try handle.pem }
    }

    /// The key that verifies what this one signs.
    package var publicKey: RSAPublicKey { RSAPublicKey(handle: handle) }

    /// Returns the signature over a message, as long as the modulus. Signing takes about 240 us for 2048 bits. Signatures with
    /// ``RSASignatureScheme/pss`` are not deterministic.
    /// - Throws: ``CryptographyError/operationFailed`` when the numbers of the key are inconsistent.
    package func sign(
        _ message: [UInt8], hash: HashAlgorithm = .sha256, scheme: RSASignatureScheme = .pkcs1
    ) throws(CryptographyError) -> [UInt8] {
        let digest = hash.digest(message)
        let signature = bytes(upTo: 1024) {
            copenssl_rsa_sign(handle.pointer, scheme.identifier, hash.identifier, digest, digest.count, $0, 1024)
        }
        guard !signature.isEmpty else { throw .operationFailed }
        return signature
    }

    /// Returns the signature over the MD5 of a message (RFC 8017 section 8.2.1).
    ///
    /// MD5 is broken. This is only for the callbacks of OSS, whose receivers verify no other digest.
    /// - Throws: ``CryptographyError/operationFailed`` when the numbers of the key are inconsistent.
    package func signMD5(of message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let digest = MD5.hash(message)
        let signature = bytes(upTo: 1024) {
            copenssl_rsa_sign(handle.pointer, RSASignatureScheme.pkcs1.identifier, Int32(COPENSSL_MD5), digest, digest.count, $0, 1024)
        }
        guard !signature.isEmpty else { throw .operationFailed }
        return signature
    }
}
