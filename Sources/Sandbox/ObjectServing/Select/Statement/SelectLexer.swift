import WireFormats

/// Splits a statement into tokens.
struct SelectLexer {
    enum Token: Equatable {
        /// An unquoted word, as written.
        case word(String)
        /// A quoted name, which is never a keyword.
        case name(String)
        case text(String)
        case number(String)
        case symbol(String)
        /// The text of a literal in grave accents, in Amazon Ion.
        case ion(String)
    }

    private let bytes: [UInt8]
    private let dialect: SelectDialect
    private var index = 0

    /// Returns the tokens of a statement.
    /// - Throws: `SqlSyntaxError` for an invalid character.
    static func tokens(of statement: String, _ dialect: SelectDialect) throws(SelectRefusal) -> [Token] {
        var lexer = SelectLexer(bytes: Array(statement.utf8), dialect: dialect)
        var tokens: [Token] = []
        while let token = try lexer.next() { tokens.append(token) }
        return tokens
    }

    private init(bytes: [UInt8], dialect: SelectDialect) { (self.bytes, self.dialect) = (bytes, dialect) }

    private mutating func next() throws(SelectRefusal) -> Token? {
        skip { $0 == 0x20 || 0x09...0x0D ~= $0 }
        guard index < bytes.count else { return nil }
        switch bytes[index] {
        case UInt8(ascii: "'"):
            // OSS ignores a quotation mark at the end.
            if dialect.isOSS, !bytes[(index + 1)...].contains(where: { $0 > 0x20 }) { return nil }
            return .text(try quoted(by: UInt8(ascii: "'")))
        case UInt8(ascii: "\""): return .name(try quoted(by: UInt8(ascii: "\"")))
        case UInt8(ascii: "`") where !dialect.isOSS: return .ion(try quoted(by: UInt8(ascii: "`")))
        case let byte where Self.isDigit(byte): return .number(number())
        case UInt8(ascii: ".") where !dialect.isOSS && index + 1 < bytes.count && Self.isDigit(bytes[index + 1]): return .number(number())
        case let byte where Self.isLetter(byte):
            return .word(text { Self.isLetter($0) || Self.isDigit($0) })
        default: return .symbol(try symbol())
        }
    }

    private mutating func skip(_ holds: (UInt8) -> Bool) { while index < bytes.count, holds(bytes[index]) { index += 1 } }

    private mutating func text(_ holds: (UInt8) -> Bool) -> String {
        let start = index
        skip(holds)
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Returns the text between two quotation marks. A doubled mark in it stands for one.
    private mutating func quoted(by mark: UInt8) throws(SelectRefusal) -> String {
        var content: [UInt8] = []
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == mark {
                guard index < bytes.count, bytes[index] == mark else { return String(decoding: content, as: UTF8.self) }
                index += 1
            }
            content.append(byte)
        }
        throw .syntax("A quotation mark is not closed.", .invalidLiteral)
    }

    private mutating func number() -> String {
        var number = text(Self.isDigit)
        if index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."), Self.isDigit(bytes[index + 1]) {
            index += 1
            number += "." + text(Self.isDigit)
        }
        if !dialect.isOSS { number += exponent() }
        return number
    }

    private mutating func exponent() -> String {
        var end = index
        guard end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") else { return "" }
        end += 1
        if end < bytes.count, "+-".utf8.contains(bytes[end]) { end += 1 }
        guard end < bytes.count, Self.isDigit(bytes[end]) else { return "" }
        let mark = String(decoding: bytes[index..<end], as: UTF8.self)
        index = end
        return mark + text(Self.isDigit)
    }

    private mutating func symbol() throws(SelectRefusal) -> String {
        let pair = String(decoding: bytes[index..<min(index + 2, bytes.count)], as: UTF8.self)
        if ["<=", ">=", "<>", "!=", "||"].contains(pair) {
            index += 2
            return pair
        }
        let single = String(decoding: bytes[index...index], as: UTF8.self)
        guard "()[],.*+-/%=<>".contains(single) || !dialect.isOSS && single == ";" else {
            throw .syntax("'\(single)' is not expected here.", .invalidCharacter)
        }
        index += 1
        return single
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}
