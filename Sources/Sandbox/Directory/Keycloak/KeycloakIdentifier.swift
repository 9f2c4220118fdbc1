import Cryptography
import WireFormats

/// Identifiers in the form of Keycloak's: UUIDs of version 4 (RFC 9562).
package enum KeycloakIdentifier {
    /// Returns the identifier that the first sixteen bytes make.
    package static func uuid(_ bytes: [UInt8]) -> String {
        var bytes = Array(bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.hex
        var parts: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }

    /// Returns the identifier of a part of a realm that has none of its own. It is the same in every cloud with the same seed.
    package static func derived(from parts: String...) -> String { uuid(Array(SHA256.hash(parts.joined(separator: " ")))) }
}
