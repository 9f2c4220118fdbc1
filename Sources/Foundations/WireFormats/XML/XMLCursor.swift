/// A position in a document of valid UTF-8, with the tokens of XML 1.0 that need no context.
struct XMLCursor {
    private let document: [UInt8]
    private let takesAnyCharacter: Bool
    private(set) var offset = 0

    init(_ document: [UInt8], characters: XMLCharacters) {
        self.document = document
        takesAnyCharacter = characters == .any
    }

    var isAtEnd: Bool { offset == document.count }

    var peek: UInt8? { offset < document.count ? document[offset] : nil }

    func unexpected() -> XMLSyntaxError {
        XMLSyntaxError(reason: isAtEnd ? .unexpectedEnd : .unexpectedCharacter, offset: offset)
    }

    mutating func advance() {
        if !isAtEnd { offset += 1 }
    }

    func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { document[offset...].starts(with: $0) }
    }

    @discardableResult
    mutating func skip(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    mutating func expect(_ text: StaticString) throws(XMLSyntaxError) {
        guard skip(text) else { throw unexpected() }
    }

    @discardableResult
    mutating func skipSpace() -> Bool {
        let start = offset
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
        return offset > start
    }

    /// Parses a name with at most one colon. Every non-ASCII character counts as a letter.
    mutating func name() throws(XMLSyntaxError) -> (prefix: String, local: String) {
        let first = try part()
        guard skip(":") else { return ("", first) }
        return (first, try part())
    }

    private mutating func part() throws(XMLSyntaxError) -> String {
        let start = offset
        while let byte = peek {
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...: offset += 1
            case 0x30...0x39 where offset > start, 0x2D where offset > start, 0x2E where offset > start: offset += 1
            default:
                guard offset > start else { throw unexpected() }
                return String(decoding: document[start..<offset], as: UTF8.self)
            }
        }
        throw unexpected()
    }

    /// Reads one byte of a character that the document may contain.
    mutating func character() throws(XMLSyntaxError) -> UInt8 {
        guard let byte = peek else { throw unexpected() }
        switch byte {
        case 0x0D where !takesAnyCharacter:
            offset += 1
            if peek == 0x0A { offset += 1 }
            return 0x0A
        case 0x09, 0x0A, 0x20..<0xEF, 0xF0...: break
        // U+FFFE and U+FFFF are not XML characters.
        case 0xEF where !starts(with: "\u{FFFE}") && !starts(with: "\u{FFFF}"): break
        default: guard takesAnyCharacter else { throw unexpected() }
        }
        offset += 1
        return byte
    }

    mutating func character(into text: inout [UInt8]) throws(XMLSyntaxError) {
        text.append(try character())
    }

    /// Parses a numeric character reference or one of the five predefined entities.
    mutating func reference(into text: inout [UInt8]) throws(XMLSyntaxError) {
        let start = offset
        try expect("&")
        // The longest valid reference is `#x10FFFF;`.
        guard let end = document[offset...].prefix(9).firstIndex(of: 0x3B) else {
            throw XMLSyntaxError(reason: .unknownEntity, offset: start)
        }
        let name = String(decoding: document[offset..<end], as: UTF8.self)
        offset = end + 1
        switch name {
        case "amp": text.append(0x26)
        case "lt": text.append(0x3C)
        case "gt": text.append(0x3E)
        case "quot": text.append(0x22)
        case "apos": text.append(0x27)
        default:
            guard let scalar = numeric(name) else { throw XMLSyntaxError(reason: .unknownEntity, offset: start) }
            text.append(contentsOf: String(scalar).utf8)
        }
    }

    private func numeric(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return nil }
        let isHexadecimal = name.hasPrefix("#x")
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        // `UInt32(_:radix:)` would accept a sign.
        guard digits.utf8.allSatisfy({ hexValue($0) != nil }),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(number)
        else { return nil }
        return switch number {
        case 0x09, 0x0A, 0x0D, 0x20..<0xFFFE, 0x10000...: scalar
        default: takesAnyCharacter ? scalar : nil
        }
    }
}
