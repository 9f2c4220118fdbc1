import COpenSSL

/// A key for HMAC-SHA-256 (RFC 2104) that is prepared once and authenticates many messages.
///
/// A plain value of about 220 bytes. Keys may have any length, including zero.
package struct HMACKey: Sendable {
    private var key: copenssl_hmac_sha256_key

    /// Prepares a key; costs about as much as authenticating one message.
    package init(_ key: [UInt8]) {
        self.key = copenssl_hmac_sha256_prepare(key, key.count)
    }

    /// Returns the 32-byte code of a message.
    package func authenticate(_ message: UnsafeRawBufferPointer) -> [UInt8] {
        withUnsafePointer(to: key) { key in
            bytes(SHA256.byteCount) { copenssl_hmac_sha256(key, message.baseAddress, message.count, $0) }
        }
    }

    /// Returns the 32-byte code of a message.
    package func authenticate(_ message: [UInt8]) -> [UInt8] {
        message.withUnsafeBytes(authenticate)
    }

    /// Returns the 32-byte code of the UTF-8 bytes of a text.
    package func authenticate(_ message: String) -> [UInt8] {
        var message = message
        return message.withUTF8 { authenticate(UnsafeRawBufferPointer($0)) }
    }
}

/// Returns the 32-byte HMAC-SHA-256 code of a message (RFC 2104, RFC 4231).
package func hmacSHA256(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    HMACKey(key).authenticate(message)
}

/// Returns the 32-byte HMAC-SHA-256 code of the UTF-8 bytes of a text (RFC 2104, RFC 4231).
package func hmacSHA256(key: [UInt8], _ message: String) -> [UInt8] {
    HMACKey(key).authenticate(message)
}
