/// What follows LIKE: `%` stands for anything, `_` for one character.
package struct LikePattern: Sendable {
    private enum Piece: Equatable {
        case anything
        case oneCharacter
        case character(Character)
    }

    /// (OSS User Guide, "Query objects", limits of a statement.)
    private static let mostWildcards = 5

    private let pieces: [Piece]

    /// - Parameters:
    ///   - dialect: OSS limits wildcards, and allows none as the escape character.
    ///   - escape: makes the character behind it one that stands for itself.
    /// - Throws: ``SelectRefusal``.
    init(_ text: String, escape: String?, dialect: SelectDialect = .oss) throws(SelectRefusal) {
        guard escape.map({ $0.count == 1 && (!dialect.isOSS || !["%", "_", "?", "*"].contains($0)) }) ?? true else {
            throw SelectRefusal(.sqlInvalidEscapeCharacter, "ESCAPE is followed by one character, which is no wildcard.")
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
        // Where the last wildcard stands, and up to where it reaches.
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
