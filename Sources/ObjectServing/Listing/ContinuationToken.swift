import WireFormats

/// Where a listing goes on, as an opaque text: the last key before, with a check so that no other text passes for one.
package enum ContinuationToken {
    /// The token for a listing that goes on after a key.
    package static func token(after key: String) -> String {
        let bytes = Array(key.utf8)
        return (check(bytes) + bytes).base64url
    }

    /// - Returns: nothing for a text that is no token.
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
