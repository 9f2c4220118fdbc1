import WireFormats

/// A position in a text. Line and column count from 1; the column counts characters.
package struct TextPosition: Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column in characters, from 1.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// The positions of statements in the text of a policy.
package enum StatementPositions {
    /// Returns the start and end of each statement, in order; empty for a text that is not a policy.
    ///
    /// The positions are those of IAM's simulator (observed of AWS). A statement in a list starts after the bracket or the previous
    /// statement.
    /// A statement without a list starts after its own opening brace. Each ends after its closing brace.
    package static func find(in policy: String) -> [(start: TextPosition, end: TextPosition)] {
        var scanner = Scanner(bytes: Array(policy.utf8))
        return scanner.statements()
    }

    /// Scans a document that the parser has already accepted.
    private struct Scanner {
        let bytes: [UInt8]
        var offset = 0
        var position = TextPosition(line: 1, column: 1)

        init(bytes: [UInt8]) { self.bytes = bytes }

        private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        private mutating func advance() {
            switch bytes[offset] {
            case UInt8(ascii: "\n"): position = TextPosition(line: position.line + 1, column: 1)
            // A continuation byte of a character.
            case 0x80...0xBF: break
            default: position.column += 1
            }
            offset += 1
        }

        private mutating func skipWhitespace() {
            while let byte, " \t\r\n".utf8.contains(byte) { advance() }
        }

        /// Skips a string and returns the bytes between its quotation marks.
        private mutating func text() -> ArraySlice<UInt8> {
            advance()
            let start = offset
            while let byte, byte != UInt8(ascii: "\"") {
                if byte == UInt8(ascii: "\\") { advance() }
                if offset < bytes.count { advance() }
            }
            let end = offset
            if offset < bytes.count { advance() }
            return bytes[start..<end]
        }

        /// Skips a value.
        private mutating func value() {
            var depth = 0
            repeat {
                skipWhitespace()
                guard let byte else { return }
                switch byte {
                case UInt8(ascii: "\""): _ = text()
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    advance()
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    depth -= 1
                    advance()
                case UInt8(ascii: ","), UInt8(ascii: ":"): advance()
                default:
                    // A number or a literal such as `true`.
                    while let byte = self.byte, !" \t\r\n,:]}".utf8.contains(byte) { advance() }
                }
            } while depth > 0
        }

        mutating func statements() -> [(start: TextPosition, end: TextPosition)] {
            skipWhitespace()
            guard byte == UInt8(ascii: "{") else { return [] }
            advance()
            while true {
                skipWhitespace()
                guard byte == UInt8(ascii: "\"") else { return [] }
                let name = text()
                skipWhitespace()
                guard byte == UInt8(ascii: ":") else { return [] }
                advance()
                skipWhitespace()
                if name.elementsEqual("Statement".utf8) { return statementList() }
                value()
                skipWhitespace()
                guard byte == UInt8(ascii: ",") else { return [] }
                advance()
            }
        }

        private mutating func statementList() -> [(start: TextPosition, end: TextPosition)] {
            guard byte == UInt8(ascii: "[") else {
                let start = TextPosition(line: position.line, column: position.column + 1)
                value()
                return [(start, position)]
            }
            advance()
            var found: [(start: TextPosition, end: TextPosition)] = []
            var start = position
            while true {
                skipWhitespace()
                switch byte {
                case UInt8(ascii: "{"):
                    value()
                    found.append((start, position))
                    start = position
                case UInt8(ascii: ","): advance()
                default: return found
                }
            }
        }
    }
}
