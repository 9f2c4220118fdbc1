/// The pattern of LIKE: `%` matches any text, `_` matches one character.
package struct LikePattern: Sendable {
    private enum Piece: Equatable {
        case anything
        case oneCharacter
        case character(Character)
    }

    /// The maximum number of wildcards in OSS. (OSS User Guide, "Query objects", limits of a statement.)
    private static let mostWildcards = 5

    private let pieces: [Piece]

    /// Parses a pattern.
    /// - Parameters:
    ///   - escape: the character before a literal character.
    ///   - dialect: OSS limits the number of wildcards, and does not allow them as the escape character.
    /// - Throws: ``SelectRefusal``.
    init(_ text: String, escape: String?, dialect: SelectDialect = .oss) throws(SelectRefusal) {
        guard escape.map({ $0.count == 1 && (!dialect.isOSS || !["%", "_", "?", "*"].contains($0)) }) ?? true else {
            throw SelectRefusal(.sqlInvalidEscapeCharacter, "ESCAPE requires one character that is not a wildcard.")
        }
        var pieces: [Piece] = []
        var isEscaped = false
        for character in text {
            if isEscaped {
                pieces.append(.character(character))
                isEscaped = false
            } else if escape == String(character) {
                isEscaped = true
            } else {
                pieces.append(character == "%" ? .anything : character == "_" ? .oneCharacter : .character(character))
            }
        }
        guard !isEscaped else { throw SelectRefusal(.sqlInvalidEscapeCharacter, "Nothing follows the escape character.") }
        guard !dialect.isOSS || pieces.count(where: { $0 == .anything }) <= Self.mostWildcards else {
            throw SelectRefusal(.sqlExceedsMaxWildCardCount, "LIKE takes \(Self.mostWildcards) wildcards at most.")
        }
        self.pieces = pieces
    }

    func matches(_ text: String) -> Bool {
        let text = Array(text)
        var (piece, place) = (0, 0)
        // The position of the last wildcard, and the end of the text that it matches.
        var (wildcard, reach) = (-1, 0)
        while place < text.count {
            if piece < pieces.count, pieces[piece] == .anything {
                (wildcard, reach) = (piece, place)
                piece += 1
            } else if piece < pieces.count, pieces[piece] == .oneCharacter || pieces[piece] == .character(text[place]) {
                (piece, place) = (piece + 1, place + 1)
            } else {
                guard wildcard >= 0 else { return false }
                reach += 1
                (piece, place) = (wildcard + 1, reach)
            }
        }
        return pieces[piece...].allSatisfy { $0 == .anything }
    }
}
