import WireFormats

/// The lexical rules of JSON5 for characters and words. (JSON5 Data Interchange Format 1.0.0.)
enum JSON5Text {
    /// Returns the length of the white space or line terminator at an index; 0 if there is none. (Sections 2.3 and 8.)
    static func lengthOfSpace(_ bytes: [UInt8], at index: Int) -> Int {
        func follows(_ next: UInt8...) -> Bool { bytes[(index + 1)...].starts(with: next) }
        switch bytes[index] {
        case 0x20, 0x09...0x0D: return 1
        case 0xC2: return follows(0xA0) ? 2 : 0
        case 0xE1: return follows(0x9A, 0x80) ? 3 : 0
        case 0xE2:
            guard index + 2 < bytes.count else { return 0 }
            let (second, third) = (bytes[index + 1], bytes[index + 2])
            // U+2000 to U+200A, U+2028, U+2029, U+202F and U+205F.
            let isSpace = second == 0x80 && (0x80...0x8A ~= third || [0xA8, 0xA9, 0xAF].contains(third)) || (second, third) == (0x81, 0x9F)
            return isSpace ? 3 : 0
        case 0xE3: return follows(0x80, 0x80) ? 3 : 0
        case 0xEF: return follows(0xBB, 0xBF) ? 3 : 0
        default: return 0
        }
    }

    /// Returns whether there is a line terminator at an index: a line feed, a carriage return, U+2028 or U+2029.
    static func endsLine(_ bytes: [UInt8], at index: Int) -> Bool {
        switch bytes[index] {
        case 0x0A, 0x0D: true
        case 0xE2: bytes[(index + 1)...].starts(with: [0x80, 0xA8]) || bytes[(index + 1)...].starts(with: [0x80, 0xA9])
        default: false
        }
    }

    /// Returns the index of the first byte that is not valid UTF-8.
    static func indexOfBadByte(_ bytes: [UInt8]) -> Int? {
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        var parser = UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var index = 0
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): index += scalar.count
            case .error, .emptyInput: return index
            }
        }
    }

    /// Returns a name or the content of a string with its escapes replaced. The escapes must be valid. (Section 5.1.)
    static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        let backslash = UInt8(ascii: "\\")
        guard bytes.contains(backslash) else { return String(decoding: bytes, as: UTF8.self) }
        var units: [UInt16] = []
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            guard scalar == "\\", let escaped = scalars.popFirst() else {
                units += Array(String(scalar).utf16)
                continue
            }
            switch escaped {
            case "u", "x":
                let length = escaped == "u" ? 4 : 2
                let digits = String(String.UnicodeScalarView(scalars.prefix(length)))
                scalars = scalars.dropFirst(length)
                units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
            case "b": units.append(0x08)
            case "f": units.append(0x0C)
            case "n": units.append(0x0A)
            case "r": units.append(0x0D)
            case "t": units.append(0x09)
            case "v": units.append(0x0B)
            case "0": units.append(0)
            case "\r": if scalars.first == "\n" { scalars = scalars.dropFirst() }
            case "\n", "\u{2028}", "\u{2029}": break
            default: units += Array(String(escaped).utf16)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns whether a word is a number. (Section 6.)
    static func isNumber(_ word: String) -> Bool {
        var rest = word.utf8.first.map { "+-".utf8.contains($0) } ?? false ? word.dropFirst() : word[...]
        if rest == "Infinity" || rest == "NaN" { return true }
        if rest.hasPrefix("0x") || rest.hasPrefix("0X") { return rest.count > 2 && rest.dropFirst(2).allSatisfy(\.isHexDigit) }
        func digits() -> Int {
            let count = rest.prefix { ("0"..."9").contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        let leadsWithZero = rest.hasPrefix("0")
        let whole = digits()
        var fraction = 0
        if rest.hasPrefix(".") {
            rest = rest.dropFirst()
            fraction = digits()
        }
        guard whole + fraction > 0, !leadsWithZero || whole == 1 else { return false }
        if rest.hasPrefix("e") || rest.hasPrefix("E") {
            rest = rest.dropFirst()
            if rest.hasPrefix("+") || rest.hasPrefix("-") { rest = rest.dropFirst() }
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}
