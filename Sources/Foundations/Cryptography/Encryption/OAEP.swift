import COpenSSL

/// The digests of RSAES-OAEP encryption with MGF1 and an empty label (RFC 8017 section 7.1).
package struct OAEP: Hashable, Sendable {
    /// The digest of the label.
    package var hash: HashAlgorithm
    /// The digest of the mask generation function.
    package var maskHash: HashAlgorithm

    package init(hash: HashAlgorithm, maskHash: HashAlgorithm) {
        self.hash = hash
        self.maskHash = maskHash
    }
}

extension RSAPublicKey {
    /// Encrypts a short message, such as a key, for the owner of the private key.
    /// - Throws: ``CryptographyError/operationFailed`` for a message that is too long for the modulus and the digest.
    package func encrypt(_ message: [UInt8], _ padding: OAEP) throws(CryptographyError) -> [UInt8] {
        let ciphertext = bytes(upTo: 1024) {
            copenssl_rsa_oaep_encrypt(
                handle.pointer, padding.hash.identifier, padding.maskHash.identifier, message, message.count, $0, 1024)
        }
        guard !ciphertext.isEmpty else { throw .operationFailed }
        return ciphertext
    }
}

extension RSAPrivateKey {
    /// Decrypts the result of ``RSAPublicKey/encrypt(_:_:)`` with the same digests.
    /// - Throws: ``CryptographyError/authenticationFailed`` for anything else, and for an empty message.
    package func decrypt(_ ciphertext: [UInt8], _ padding: OAEP) throws(CryptographyError) -> [UInt8] {
        let message = bytes(upTo: 1024) {
            copenssl_rsa_oaep_decrypt(
                handle.pointer, padding.hash.identifier, padding.maskHash.identifier, ciphertext, ciphertext.count, $0, 1024)
        }
        guard !message.isEmpty else { throw .authenticationFailed }
        return message
    }
}
