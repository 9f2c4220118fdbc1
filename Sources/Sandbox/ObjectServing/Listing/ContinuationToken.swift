import WireFormats

/// The position of a listing as opaque text: the last key, with a check value that detects invalid tokens.
package enum ContinuationToken {
    /// Returns the token for a listing that continues after a key.
    package static func token(after key: String) -> String {
        let bytes = Array(key.utf8)
        return (check(bytes) + bytes).base64url
    }

    /// Returns the key in a token; `nil` for an invalid token.
    package static func key(of token: String) -> String? {
        guard let bytes = [UInt8](base64url: token), bytes.count >= 4, Array(bytes.prefix(4)) == check(Array(bytes.dropFirst(4))) else {
            return nil
        }
        return String(validating: bytes.dropFirst(4), as: UTF8.self)
    }

    private static func check(_ bytes: [UInt8]) -> [UInt8] {
        var crc = CRC32()
        bytes.withUnsafeBytes { crc.update($0) }
        return bigEndian(crc.value)
    }
}
