package import ObjectStore
import Seeds
import WireFormats

/// The version IDs of objects: 32 opaque characters, or `null`.
/// (S3 User Guide, "Retaining multiple versions of objects with S3 Versioning", "Version IDs".)
///
/// The characters encode the version's sequence number, a hash of the key, and a check value, obfuscated. Different keys have different
/// version IDs. The check value distinguishes IDs that were never issued from those of deleted versions.
package enum VersionID {
    /// The ID of a version that was written while versioning was not enabled.
    package static let null = "null"

    /// Returns the ID of a version.
    package static func text(_ version: ObjectVersion, of key: String) -> String {
        if version.isNull { return null }
        let sequence = UInt64(bitPattern: version.sequence)
        let mark = mark(of: key)
        let check = check(sequence, mark)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        for word in [check, mark ^ mix(check), sequence ^ mix(~check)] { bytes += bigEndian(word) }
        // An ID that begins with a hyphen would look like an option on a command line.
        return String(bytes.base64url.map { $0 == "-" ? "." : $0 })
    }

    /// Returns the version of a key with an ID; `nil` for an invalid ID.
    package static func selector(_ text: String, of key: String) -> VersionSelector? {
        if text == null { return .null }
        guard text.utf8.count == 32, !text.utf8.contains(UInt8(ascii: "-")),
            let bytes = [UInt8](base64url: String(text.map { $0 == "." ? "-" : $0 })), bytes.count == 24
        else { return nil }
        let words = stride(from: 0, to: 24, by: 8).map { start in
            bytes[start..<(start + 8)].reduce(UInt64.zero) { $0 << 8 | UInt64($1) }
        }
        let mark = words[1] ^ mix(words[0])
        let sequence = words[2] ^ mix(~words[0])
        guard words[0] == check(sequence, mark) else { return nil }
        // The valid ID of a version of another key is never found.
        return .sequence(mark == self.mark(of: key) ? Int64(bitPattern: sequence) : -1)
    }

    private static func mark(of key: String) -> UInt64 {
        // FNV-1a over the key's bytes.
        mix(key.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }

    private static func check(_ sequence: UInt64, _ mark: UInt64) -> UInt64 { mix(mix(sequence &+ 0x9E37_79B9_7F4A_7C15) ^ mark) }

    /// The finalizer of SplitMix64: every bit of the result depends on every bit of the word.
    private static func mix(_ word: UInt64) -> UInt64 {
        var word = word
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
