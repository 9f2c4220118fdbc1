package import ObjectStore
import Seeds
import WireFormats

/// How clients call a version of an object: by 32 characters that mean nothing to them, or `null`.
/// (S3 User Guide, "Retaining multiple versions of objects with S3 Versioning", "Version IDs".)
///
/// The characters hold the version's place under its key, a mark of the key, and a check over both, mixed so that none of
/// them shows. So no two keys share a version ID, and a text that this service never gave out is told from a version that
/// is gone.
package enum VersionID {
    /// The identifier of a version that was written while versioning was off.
    package static let null = "null"

    /// The name of a version.
    package static func text(_ version: ObjectVersion, of key: String) -> String {
        if version.isNull { return null }
        let sequence = UInt64(bitPattern: version.sequence)
        let mark = mark(of: key)
        let check = check(sequence, mark)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        for word in [check, mark ^ mix(check), sequence ^ mix(~check)] { bytes += bigEndian(word) }
        // A hyphen in front would look like an option to command lines.
        return String(bytes.base64url.map { $0 == "-" ? "." : $0 })
    }

    /// The version of a key that a text names; `nil` for a text that names no version of any key.
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
        // A version of another key: well-formed, and never found.
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
