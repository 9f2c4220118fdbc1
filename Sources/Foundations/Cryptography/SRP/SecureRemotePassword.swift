import COpenSSL

/// The server's part of Secure Remote Password (RFC 5054) in the variant of Amazon Cognito: the 3072-bit group of RFC 3526 with the generator
/// 2, SHA-256, and a key that HKDF derives.
///
/// Numbers are big-endian bytes. They are hashed without leading zeros, and with a zero byte before a first byte of 128 or more. The server
/// knows the salt and the verifier of a password, but not the password.
package enum SecureRemotePassword {
    /// The number of bytes of an element of the group.
    static let count = Int(COPENSSL_SRP_COUNT)

    /// Returns the verifier of a password, 384 bytes.
    /// - Parameters:
    ///   - identity: the text before the colon and the password: the name of the pool without its region, and that of the user.
    ///   - salt: at least one byte; the first one must not be 0, because clients differ in whether they keep it.
    /// - Throws: ``CryptographyError/operationFailed`` when memory runs out.
    package static func verifier(identity: String, password: String, salt: [UInt8]) throws(CryptographyError) -> [UInt8] {
        var digest = SHA256()
        digest.update(hashed(salt))
        digest.update(SHA256.hash("\(identity):\(password)"))
        let exponent = digest.finalize()
        return try element { copenssl_srp_power(exponent, exponent.count, $0) }
    }

    /// Returns a new salt of 16 bytes.
    /// - Throws: ``CryptographyError/noEntropy``.
    package static func newSalt() throws(CryptographyError) -> [UInt8] {
        var salt = try randomBytes(16)
        salt[0] |= 1
        return salt
    }

    /// Returns a new secret of a server.
    /// - Throws: ``CryptographyError/noEntropy``.
    package static func newSecret() throws(CryptographyError) -> [UInt8] { try randomBytes(32) }

    /// Returns the public value of a server (`SRP_B`), 384 bytes.
    /// - Throws: ``CryptographyError/invalidKey`` for a verifier of another length.
    package static func publicValue(secret: [UInt8], verifier: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard verifier.count == count else { throw .invalidKey }
        let multiplier = try multiplier()
        return try element { copenssl_srp_public(multiplier, multiplier.count, verifier, secret, secret.count, $0) }
    }

    /// Returns the key of 16 bytes that a client with the password has as well.
    /// - Parameters:
    ///   - client: the public value of the client (`SRP_A`).
    ///   - secret: the secret of the server's public value.
    /// - Throws: ``CryptographyError/authenticationFailed`` for a client's value that is longer than an element of the group or a multiple of
    ///   the prime, ``CryptographyError/invalidKey`` for a verifier of another length.
    package static func key(client: [UInt8], secret: [UInt8], verifier: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard verifier.count == count else { throw .invalidKey }
        let client = Array(client.drop { $0 == 0 })
        guard client.count <= count else { throw .authenticationFailed }
        let own = try publicValue(secret: secret, verifier: verifier)
        let scrambler = SHA256.hash(hashed(client) + hashed(own))
        let common = bytes(upTo: count) { result in
            let isDone = copenssl_srp_secret(
                client, client.count, verifier, scrambler, scrambler.count, secret, secret.count, result)
            return isDone == 1 ? count : 0
        }
        guard !common.isEmpty else { throw .authenticationFailed }
        let extracted = hmacSHA256(key: hashed(scrambler), hashed(common))
        return Array(hmacSHA256(key: extracted, Array("Caldera Derived Key".utf8) + [1]).prefix(16))
    }

    /// Returns a number as it is hashed: with its sign, in the fewest bytes.
    static func hashed(_ number: [UInt8]) -> [UInt8] {
        let digits = Array(number.drop { $0 == 0 })
        guard let first = digits.first else { return [0] }
        return first >= 0x80 ? [0] + digits : digits
    }

    /// Returns the multiplier `k`: the digest of prime and generator.
    private static func multiplier() throws(CryptographyError) -> [UInt8] {
        SHA256.hash(hashed(try element { copenssl_srp_prime($0) }) + [2])
    }

    private static func element(_ compute: (UnsafeMutablePointer<UInt8>) -> Int32) throws(CryptographyError) -> [UInt8] {
        let result = bytes(upTo: count) { compute($0) == 1 ? count : 0 }
        guard !result.isEmpty else { throw .operationFailed }
        return result
    }
}
