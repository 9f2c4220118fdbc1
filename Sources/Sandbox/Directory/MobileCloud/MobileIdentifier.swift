import Cryptography
import WireFormats

/// The UUIDs that identify backends, users and keys of the mobile cloud.
package enum MobileIdentifier {
    /// Returns a random UUID (RFC 9562 section 5.4).
    package static func random() throws -> String { text(try randomBytes(16), version: 0x40) }

    /// Returns a UUID that is derived from a name (RFC 9562 section 5.8), so that it is the same after every start.
    package static func of(_ name: String) -> String { text(Array(SHA256.hash("mobile cloud \(name)").prefix(16)), version: 0x80) }

    private static func text(_ bytes: [UInt8], version: UInt8) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | version
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.hex
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
    }
}
