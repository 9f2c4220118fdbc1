// Base 64 of RFC 4648: the padded standard alphabet (section 4) and the unpadded URL-safe one (section 5, as JOSE uses it).

extension [UInt8] {
    /// The bytes in the standard alphabet, padded to a multiple of four characters.
    package var base64: String { encoded(with: .standard) }

    /// The bytes in the URL-safe alphabet, without padding.
    package var base64url: String { encoded(with: .urlSafe) }

    /// Reads the padded standard alphabet; `nil` for missing padding, white space, foreign characters or stray low bits.
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

    /// Reads the unpadded URL-safe alphabet; `nil` for padding, white space, foreign characters or stray low bits.
    package init?(base64url text: String) {
        self.init(base64url: text[...])
    }

    /// Reads the unpadded URL-safe alphabet; `nil` for padding, white space, foreign characters or stray low bits.
    package init?(base64url text: Substring) {
        var text = text
        guard let bytes = text.withUTF8({ decodeBase64($0[...], with: .urlSafe) }) else { return nil }
        self = bytes
    }

    private func encoded(with alphabet: Base64Alphabet) -> String {
        let capacity = (count / 3 + 1) * 4
        return String(unsafeUninitializedCapacity: capacity) { text in
            var position = 0
            var index = 0
            while count - index >= 3 {
                let group = UInt32(self[index]) << 16 | UInt32(self[index + 1]) << 8 | UInt32(self[index + 2])
                text[position] = alphabet.character(group >> 18)
                text[position + 1] = alphabet.character(group >> 12)
                text[position + 2] = alphabet.character(group >> 6)
                text[position + 3] = alphabet.character(group)
                index += 3
                position += 4
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
}

private enum Base64Alphabet {
    case standard
    case urlSafe

    var isPadded: Bool { self == .standard }

    /// The character for the low six bits of `bits`.
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

    @inline(__always)
    func value(_ character: UInt8) -> UInt32? {
        switch character {
        case 0x41...0x5A: UInt32(character) - 0x41
        case 0x61...0x7A: UInt32(character) - 0x47
        case 0x30...0x39: UInt32(character) + 4
        case 0x2B: self == .standard ? 62 : nil
        case 0x2F: self == .standard ? 63 : nil
        case 0x2D: self == .urlSafe ? 62 : nil
        case 0x5F: self == .urlSafe ? 63 : nil
        default: nil
        }
    }
}

/// Decodes characters from which the padding is gone already. Bits that encode nothing must be zero, so that one byte
/// string has one spelling (RFC 4648 section 3.5).
private func decodeBase64(_ characters: Slice<UnsafeBufferPointer<UInt8>>, with alphabet: Base64Alphabet) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3 + 2)
    var buffer: UInt32 = 0
    var bits: UInt32 = 0
    for character in characters {
        guard let value = alphabet.value(character) else { return nil }
        buffer = buffer << 6 | value
        bits += 6
        if bits >= 8 {
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
            buffer &= (1 << bits) - 1
        }
    }
    guard bits < 6, buffer == 0 else { return nil }
    return bytes
}
