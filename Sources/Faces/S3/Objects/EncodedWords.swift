import WireFormats

/// Non-ASCII metadata in headers: the encoded words of RFC 2047.
/// (S3 User Guide, "Working with object metadata", "User-defined object metadata".)
enum EncodedWords {
    /// Decodes the encoded words in a header. Text that is not a valid encoded word is unchanged.
    static func decoded(_ header: String) -> String {
        guard header.contains("=?") else { return header }
        var text = ""
        var rest = header[...]
        var isAfterWord = false
        while let start = rest.firstRange(of: "=?") {
            let gap = rest[..<start.lowerBound]
            guard let (word, end) = word(in: rest[start.upperBound...]) else {
                text += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                isAfterWord = false
                continue
            }
            // White space between two encoded words is ignored. (RFC 2047 section 6.2.)
            if !isAfterWord || !gap.allSatisfy(\.isWhitespace) { text += gap }
            text += word
            rest = rest[end...]
            isAfterWord = true
        }
        return text + rest
    }

    /// Parses `charset?encoding?text?=`.
    private static func word(in text: Substring) -> (word: String, end: Substring.Index)? {
        let parts = text.split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3].hasPrefix("="), ["UTF-8", "US-ASCII"].contains(parts[0].uppercased()) else { return nil }
        let word: String?
        switch parts[1] {
        case "B", "b": word = base64(parts[2]).map { String(decoding: $0, as: UTF8.self) }
        case "Q", "q": word = quoted(parts[2]).flatMap { String(validating: $0, as: UTF8.self) }
        default: word = nil
        }
        return word.map { ($0, text.index(after: parts[3].startIndex)) }
    }

    /// Decodes the `B` encoding. In text of groups of four, invalid characters count as six one bits (observed in S3).
    private static func base64(_ text: Substring) -> [UInt8]? {
        if let bytes = [UInt8](base64: String(text)) { return bytes }
        guard !text.isEmpty, text.utf8.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while !rest.isEmpty {
            let group = rest.prefix(4).reduce(UInt32(0)) { $0 << 6 | sixBits(of: $1) }
            bytes += [UInt8(truncatingIfNeeded: group >> 16), UInt8(truncatingIfNeeded: group >> 8), UInt8(truncatingIfNeeded: group)]
            rest = rest.dropFirst(4)
        }
        return bytes.dropLast(text.hasSuffix("==") ? 2 : text.hasSuffix("=") ? 1 : 0)
    }

    private static func sixBits(of character: UInt8) -> UInt32 {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a") + 26)
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0") + 52)
        case UInt8(ascii: "+"): 62
        default: 63
        }
    }

    /// Decodes the `Q` encoding, in which `_` is a space and `=` precedes two hexadecimal digits.
    private static func quoted(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "_"): bytes.append(0x20)
            case UInt8(ascii: "="):
                guard let value = [UInt8](hex: Substring(rest.prefix(2))), value.count == 1 else { return nil }
                bytes += value
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// Encodes text for a header: printable ASCII is unchanged, other text becomes one encoded word, in base64 if most of it is not ASCII.
    static func encoded(_ text: String) -> String {
        let plain = text.utf16.count { (0x20...0x7E).contains($0) || $0 == 0x09 }
        let others = text.utf16.count - plain
        if others == 0 { return text }
        guard plain > others else { return "=?UTF-8?B?\(Array(text.utf8).base64)?=" }
        var word = "=?UTF-8?Q?"
        for byte in text.utf8 {
            switch byte {
            case 0x20: word += "_"
            case UInt8(ascii: "="), UInt8(ascii: "_"), UInt8(ascii: "?"), 0..<0x20, 0x7F...: word += "=" + [byte].hex.uppercased()
            default: word.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return word + "?="
    }
}
