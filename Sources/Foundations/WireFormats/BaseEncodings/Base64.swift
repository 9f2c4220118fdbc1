// Base 64 of RFC 4648: the padded standard alphabet (section 4) and the unpadded URL-safe one (section 5, as JOSE uses it).

extension [UInt8] {
    /// The bytes in the standard alphabet, padded to a multiple of four characters.
    package var base64: String { encoded(with: .standard) }

    /// The bytes in the URL-safe alphabet, without padding.
    package var base64url: String { encoded(with: .urlSafe) }

    /// Decodes the padded standard alphabet. Returns `nil` for missing padding, white space, invalid characters or stray low bits.
    package init?(base64 text: String) {
        var text = text
        let bytes = text.withUTF8 { text -> [UInt8]? in
            guard text.count.isMultiple(of: 4) else { return nil }
            let padding = text.suffix(2).reversed().prefix { $0 == 0x3D }.count
            return decodeBase64(text.dropLast(padding), with: .standard)
        }
        guard let bytes else { return nil }
        self = bytes
    }

    /// Decodes the unpadded URL-safe alphabet. Returns `nil` for padding, white space, invalid characters or stray low bits.
    package init?(base64url text: String) {
        self.init(base64url: text[...])
    }

    /// Decodes the unpadded URL-safe alphabet. Returns `nil` for padding, white space, invalid characters or stray low bits.
    package init?(base64url text: Substring) {
        var text = text
        guard let bytes = text.withUTF8({ decodeBase64($0[...], with: .urlSafe) }) else { return nil }
        self = bytes
    }

    /// Decodes the unpadded URL-safe alphabet. Returns `nil` for padding, white space, invalid characters or stray low bits.
    package init?(base64url text: Slice<UnsafeBufferPointer<UInt8>>) {
        guard let bytes = decodeBase64(text, with: .urlSafe) else { return nil }
        self = bytes
    }

    /// Appends `bytes` in the URL-safe alphabet, without padding.
    package mutating func append(base64url bytes: [UInt8]) {
        let start = count
        append(contentsOf: repeatElement(0, count: (bytes.count + 2) / 3 * 4))
        let written = withUnsafeMutableBufferPointer { room in
            bytes.encode(with: .urlSafe, into: UnsafeMutableBufferPointer(rebasing: room[start...]))
        }
        removeLast(count - start - written)
    }

    private func encoded(with alphabet: Base64Alphabet) -> String {
        String(unsafeUninitializedCapacity: (count + 2) / 3 * 4) { encode(with: alphabet, into: $0) }
    }

    /// Writes the characters to `text`, which has room for them and for padding.
    /// - Returns: the number of characters.
    private func encode(with alphabet: Base64Alphabet, into text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        let characters = alphabet.characters
        var position = 0
        var index = 0
        withUnsafeBufferPointer { bytes in
            characters.withUnsafeBufferPointer { characters in
                while bytes.count - index >= 3 {
                    let group = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
                    text[position] = characters[group >> 18]
                    text[position + 1] = characters[group >> 12 & 63]
                    text[position + 2] = characters[group >> 6 & 63]
                    text[position + 3] = characters[group & 63]
                    index += 3
                    position += 4
                }
            }
        }
        let rest = count - index
        guard rest > 0 else { return position }
        let group = UInt32(self[index]) << 16 | (rest == 2 ? UInt32(self[index + 1]) << 8 : 0)
        text[position] = alphabet.character(group >> 18)
        text[position + 1] = alphabet.character(group >> 12)
        position += 2
        if rest == 2 {
            text[position] = alphabet.character(group >> 6)
            position += 1
        }
        while alphabet.isPadded, !position.isMultiple(of: 4) {
            text[position] = 0x3D
            position += 1
        }
        return position
    }
}

private enum Base64Alphabet {
    case standard
    case urlSafe

    var isPadded: Bool { self == .standard }

    /// Returns the character for the low six bits of `bits`.
    @inline(__always)
    func character(_ bits: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: bits) & 63
        return switch value {
        case 0..<26: 0x41 + value
        case 26..<52: 0x47 + value
        case 52..<62: value - 4
        case 62: self == .standard ? 0x2B : 0x2D
        default: self == .standard ? 0x2F : 0x5F
        }
    }

    /// The characters for all values of six bits.
    var characters: [UInt8] { self == .standard ? Self.standardCharacters : Self.urlSafeCharacters }

    private static let standardCharacters = (0..<64).map(Base64Alphabet.standard.character)
    private static let urlSafeCharacters = (0..<64).map(Base64Alphabet.urlSafe.character)

    /// The value of each character; ``foreign`` for characters that are not in the alphabet.
    var values: [UInt8] { self == .standard ? Self.standardValues : Self.urlSafeValues }

    static let foreign: UInt8 = 0xFF
    private static let standardValues = values(of: .standard)
    private static let urlSafeValues = values(of: .urlSafe)

    private static func values(of alphabet: Base64Alphabet) -> [UInt8] {
        var values = [UInt8](repeating: foreign, count: 256)
        for value in 0..<UInt8(64) { values[Int(alphabet.character(UInt32(value)))] = value }
        return values
    }
}

/// Decodes characters whose padding is already removed. Bits that encode nothing must be zero, so that each byte string has
/// only one spelling (RFC 4648 section 3.5).
private func decodeBase64(_ characters: Slice<UnsafeBufferPointer<UInt8>>, with alphabet: Base64Alphabet) -> [UInt8]? {
    let text = UnsafeBufferPointer(rebasing: characters)
    let rest = text.count & 3
    guard rest != 1 else { return nil }
    let values = alphabet.values
    let count = text.count / 4 * 3 + (rest == 0 ? 0 : rest - 1)
    var isSound = true
    let bytes = values.withUnsafeBufferPointer { values in
        [UInt8](unsafeUninitializedCapacity: count) { bytes, written in
            func value(_ index: Int) -> UInt32 { UInt32(values[Int(text[index])]) }
            // An invalid character sets bits above the sixth; no valid one does.
            var seen: UInt32 = 0
            var index = 0
            while index + 4 <= text.count {
                let (a, b, c, d) = (value(index), value(index + 1), value(index + 2), value(index + 3))
                seen |= a | b | c | d
                bytes[written] = UInt8(truncatingIfNeeded: a << 2 | b >> 4)
                bytes[written + 1] = UInt8(truncatingIfNeeded: b << 4 | c >> 2)
                bytes[written + 2] = UInt8(truncatingIfNeeded: c << 6 | d)
                index += 4
                written += 3
            }
            if rest > 0 {
                let (a, b, c) = (value(index), value(index + 1), rest == 3 ? value(index + 2) : 0)
                seen |= a | b | c
                bytes[written] = UInt8(truncatingIfNeeded: a << 2 | b >> 4)
                if rest == 3 { bytes[written + 1] = UInt8(truncatingIfNeeded: b << 4 | c >> 2) }
                written += rest - 1
                isSound = rest == 3 ? c & 3 == 0 : b & 15 == 0
            }
            if seen > 63 { isSound = false }
        }
    }
    return isSound ? bytes : nil
}
