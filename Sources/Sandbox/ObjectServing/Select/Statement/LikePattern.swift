import WireFormats

/// The pattern of LIKE: `%` matches any text, `_` matches one character.
package struct LikePattern: Sendable {
    /// The maximum number of wildcards in OSS. (OSS User Guide, "Query objects", limits of a statement.)
    private static let mostWildcards = 5

    /// What is between the `%`.
    private let parts: [LikePart]

    /// Parses a pattern.
    /// - Parameters:
    ///   - escape: the character before a literal character.
    ///   - dialect: OSS limits the number of wildcards, and does not allow them as the escape character.
    /// - Throws: ``SelectRefusal``.
    init(_ text: String, escape: String?, dialect: SelectDialect = .oss) throws(SelectRefusal) {
        guard escape.map({ $0.count == 1 && (!dialect.isOSS || !["%", "_", "?", "*"].contains($0)) }) ?? true else {
            throw SelectRefusal(.sqlInvalidEscapeCharacter, "ESCAPE requires one character that is not a wildcard.")
        }
        var parts: [[LikePart.Piece]] = [[]]
        var isEscaped = false
        for character in text {
            if isEscaped {
                parts[parts.count - 1].append(.character(character))
                isEscaped = false
            } else if escape == String(character) {
                isEscaped = true
            } else if character == "%" {
                parts.append([])
            } else {
                parts[parts.count - 1].append(character == "_" ? .oneCharacter : .character(character))
            }
        }
        guard !isEscaped else { throw SelectRefusal(.sqlInvalidEscapeCharacter, "Nothing follows the escape character.") }
        guard !dialect.isOSS || parts.count - 1 <= Self.mostWildcards else {
            throw SelectRefusal(.sqlExceedsMaxWildCardCount, "LIKE takes \(Self.mostWildcards) wildcards at most.")
        }
        self.parts = parts.map { LikePart($0) }
    }

    /// The steps of matching a text, see ``SelectMeter``.
    /// - Parameter size: the size of the text in bytes.
    func steps(for size: Int) -> Int {
        let words = parts.map { ($0.count + 63) / 64 }.max() ?? 0
        return size * (8 + words)
    }

    func matches(_ text: String) -> Bool {
        let text = Array(text)
        let (first, last) = (parts[0], parts[parts.count - 1])
        guard parts.count > 1 else { return text.count == first.count && first.fits(text[...]) }
        guard text.count >= first.count + last.count, first.fits(text[...]), last.fits(text.suffix(last.count)) else { return false }
        var rest = text[first.count..<(text.count - last.count)]
        for part in parts.dropFirst().dropLast() {
            guard let end = part.end(in: rest) else { return false }
            rest = rest[end...]
        }
        return true
    }
}

/// A part of a pattern without `%`.
///
/// It is searched for with a bit for each of its characters (Baeza-Yates and Gonnet, "A new approach to text searching"). The time is
/// therefore bounded for repetitive patterns and texts, too.
private struct LikePart: Sendable {
    enum Piece: Equatable, Sendable {
        case oneCharacter
        case character(Character)
    }

    private let pieces: [Piece]
    /// The places where every character fits.
    private let open: [UInt64]
    /// The places where a character fits, for frequent characters of the pattern.
    private var masks: [Character: [UInt64]] = [:]
    /// The places of the other characters of the pattern.
    private var places: [Character: [Int]] = [:]

    init(_ pieces: [Piece]) {
        self.pieces = pieces
        var open = [UInt64](repeating: 0, count: (pieces.count + 63) / 64)
        for (place, piece) in pieces.enumerated() {
            switch piece {
            case .oneCharacter: open[place / 64] |= 1 << UInt64(place % 64)
            case .character(let character): places[character, default: []].append(place)
            }
        }
        self.open = open
        // At most 64 characters are that frequent, which bounds the memory.
        for (character, list) in places where list.count >= open.count {
            var mask = open
            for place in list { mask[place / 64] |= 1 << UInt64(place % 64) }
            masks[character] = mask
        }
    }

    var count: Int { pieces.count }

    /// Whether the text begins with the part.
    func fits(_ text: ArraySlice<Character>) -> Bool {
        zip(pieces, text).allSatisfy { $0 == .oneCharacter || $0 == .character($1) }
    }

    /// Returns the end of the first occurrence in a text.
    func end(in text: ArraySlice<Character>) -> Int? {
        guard !pieces.isEmpty else { return text.startIndex }
        // A bit is set if the text up to here ends with the pieces up to that bit.
        var state = [UInt64](repeating: 0, count: open.count)
        let last = pieces.count - 1
        func isSet(_ place: Int) -> Bool { state[place / 64] >> UInt64(place % 64) & 1 == 1 }
        for index in text.indices {
            let mask = masks[text[index]]
            let reached = mask == nil ? (places[text[index]] ?? []).filter { $0 == 0 || isSet($0 - 1) } : []
            let kept = mask ?? open
            var carry: UInt64 = 1
            for word in state.indices {
                let old = state[word]
                state[word] = (old << 1 | carry) & kept[word]
                carry = old >> 63
            }
            for place in reached { state[place / 64] |= 1 << UInt64(place % 64) }
            if isSet(last) { return index + 1 }
        }
        return nil
    }
}
