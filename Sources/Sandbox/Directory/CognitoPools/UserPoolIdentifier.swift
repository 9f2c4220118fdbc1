package import Cryptography
import WireFormats

/// New identifiers, secrets and codes of user pools.
package enum UserPoolIdentifier {
    private static let lowercase = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Returns a random UUID (RFC 9562 section 5.4).
    /// - Throws: `CryptographyError.noEntropy`.
    package static func newUUID() throws(CryptographyError) -> String {
        uuid(of: try randomBytes(16))
    }

    /// Returns 16 bytes in the form of a random UUID.
    package static func uuid(of bytes: [UInt8]) -> String {
        var bytes = bytes
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = Array(bytes.hex.utf8)
        let parts = [hex[..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20...]]
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }

    /// Returns the identifier of a new pool in a region.
    /// - Throws: `CryptographyError.noEntropy`.
    package static func newPool(in region: String) throws(CryptographyError) -> String { region + "_" + (try text(9, of: letters)) }

    /// Returns the identifier of a new client.
    /// - Throws: `CryptographyError.noEntropy`.
    package static func newClient() throws(CryptographyError) -> String { try text(26, of: lowercase) }

    /// Returns the secret of a new client.
    /// - Throws: `CryptographyError.noEntropy`.
    package static func newSecret() throws(CryptographyError) -> String { try text(51, of: lowercase) }

    /// Returns six digits.
    /// - Throws: `CryptographyError.noEntropy`.
    package static func newCode() throws(CryptographyError) -> String { try text(6, of: Array("0123456789".utf8)) }

    /// Returns a temporary password that has characters of all four classes.
    /// - Throws: `CryptographyError.noEntropy`.
    package static func newTemporaryPassword(length: Int) throws(CryptographyError) -> String {
        "Aa1!" + (try text(max(length, 8) - 4, of: letters))
    }

    /// The small bias of the remainder does not matter for identifiers; codes are protected by the number of attempts.
    private static func text(_ count: Int, of alphabet: [UInt8]) throws(CryptographyError) -> String {
        let numbers = try randomBytes(count * 2)
        let characters = (0..<count).map { index in
            alphabet[(Int(numbers[2 * index]) << 8 | Int(numbers[2 * index + 1])) % alphabet.count]
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
