/// A place in a text: line and column, both from 1, the column in characters.
package struct TextPosition: Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column in UTF-8 bytes, from 1.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// Where the statements of a policy stand in its text.
package enum StatementPositions {
    /// From where to where each statement reaches, in order; empty for a text that is no policy.
    ///
    /// As IAM's simulator counts, which is a parser's view: a statement in a list begins behind the bracket or the statement before it, one
    /// that stands alone behind its own brace, and each ends behind its closing brace (observed of AWS).
    package static func find(in policy: String) -> [(start: TextPosition, end: TextPosition)] {
        var scanner = Scanner(bytes: Array(policy.utf8))
        return scanner.statements()
    }

    /// Walks over a document that the parser has accepted.
    private struct Scanner {
        let bytes: [UInt8]
        var offset = 0
        var position = TextPosition(line: 1, column: 1)

        init(bytes: [UInt8]) { self.bytes = bytes }

        private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        private mutating func advance() {
            switch bytes[offset] {
            case UInt8(ascii: "\n"): position = TextPosition(line: position.line + 1, column: 1)
            // The other bytes of a character.
            case 0x80...0xBF: break
            default: position.column += 1
            }
            offset += 1
        }

        private mutating func skipWhitespace() {
            while let byte, " \t\r\n".utf8.contains(byte) { advance() }
        }

        /// Passes over a text and answers what stands between its quotes.
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

        /// Passes over a value.
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
                    // A number or a word.
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
