// Base 16 of RFC 4648 section 8, as digests, signatures and entity tags use it.

extension [UInt8] {
    /// The bytes as lowercase hexadecimal digits, two for each byte.
    package var hex: String {
        String(unsafeUninitializedCapacity: count * 2) { text in
            var position = 0
            for byte in self {
                text[position] = hexDigit(byte >> 4)
                text[position + 1] = hexDigit(byte & 15)
                position += 2
            }
            return position
        }
    }

    /// Returns the same digits between two ASCII characters, such as quotation marks.
    package func hex(between sign: UInt8) -> String {
        String(unsafeUninitializedCapacity: count * 2 + 2) { text in
            text[0] = sign
            var position = 1
            for byte in self {
                text[position] = hexDigit(byte >> 4)
                text[position + 1] = hexDigit(byte & 15)
                position += 2
            }
            text[position] = sign
            return position + 1
        }
    }

    /// Appends `bytes` as lowercase hexadecimal digits in ASCII.
    package mutating func append(hexOf bytes: [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count * 2) { text in
            var position = 0
            for byte in bytes {
                text[position] = hexDigit(byte >> 4)
                text[position + 1] = hexDigit(byte & 15)
                position += 2
            }
            append(contentsOf: UnsafeBufferPointer(text))
        }
    }

    /// Decodes hexadecimal digits of either case. Returns `nil` for an odd number of digits or any other character.
    package init?(hex text: String) {
        var text = text
        guard let bytes = text.withUTF8({ Self(hexDigits: $0) }) else { return nil }
        self = bytes
    }

    /// Decodes hexadecimal digits of either case. Returns `nil` for an odd number of digits or any other character.
    package init?(hex text: Substring) {
        var text = text
        guard let bytes = text.withUTF8({ Self(hexDigits: $0) }) else { return nil }
        self = bytes
    }

    private init?(hexDigits digits: UnsafeBufferPointer<UInt8>) {
        guard digits.count.isMultiple(of: 2) else { return nil }
        self.init()
        reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            append(high << 4 | low)
        }
    }
}

@inline(__always)
func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x57 + value
}

/// Returns the value of a hexadecimal digit of either case, or `nil` for another byte.
@inline(__always)
func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x57
    case 0x41...0x46: digit - 0x37
    default: nil
    }
}
