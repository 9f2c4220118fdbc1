import COpenSSL

/// Returns the 20-byte HMAC-SHA-1 code of a message (RFC 2104, RFC 2202).
package func hmacSHA1(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    message.withUnsafeBytes { hmacSHA1(key: key, $0) }
}

/// Returns the 20-byte HMAC-SHA-1 code of the UTF-8 bytes of a text (RFC 2104, RFC 2202).
package func hmacSHA1(key: [UInt8], _ message: String) -> [UInt8] {
    var message = message
    return message.withUTF8 { hmacSHA1(key: key, UnsafeRawBufferPointer($0)) }
}

private func hmacSHA1(key: [UInt8], _ message: UnsafeRawBufferPointer) -> [UInt8] {
    var prepared = copenssl_hmac_sha1_prepare(key, key.count)
    return bytes(SHA1.byteCount) { copenssl_hmac_sha1(&prepared, message.baseAddress, message.count, $0) }
}
