// The elements of a text are its Unicode scalars; see `String+Bytes.swift`. A separator stays one, whatever follows it, and no client
// merges its character with ours.

extension String {
    /// The number of Unicode scalars.
    @inlinable package var count: Int { utf8.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
}

extension Substring {
    /// The number of Unicode scalars.
    @inlinable package var count: Int { utf8.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
}

extension StringProtocol {
    /// The first Unicode scalar, as a character.
    @inlinable package var first: Character? { unicodeScalars.first.map { Character($0) } }

    /// The last Unicode scalar, as a character.
    @inlinable package var last: Character? { unicodeScalars.last.map { Character($0) } }

    /// Returns whether one of the Unicode scalars is a character.
    @inlinable
    package func contains(_ character: Character) -> Bool { firstIndex(of: character) != nil }

    /// Returns whether the bytes contain those of another text.
    @inlinable
    package func contains(_ other: some StringProtocol) -> Bool { firstRange(of: other) != nil }

    /// Returns whether a Unicode scalar satisfies a predicate.
    @inlinable
    package func contains(where predicate: (Character) throws -> Bool) rethrows -> Bool {
        try unicodeScalars.contains { try predicate(Character($0)) }
    }

    /// Returns whether all Unicode scalars satisfy a predicate.
    @inlinable
    package func allSatisfy(_ predicate: (Character) throws -> Bool) rethrows -> Bool {
        try unicodeScalars.allSatisfy { try predicate(Character($0)) }
    }

    /// Returns the index of the first Unicode scalar that is a character.
    @inlinable
    package func firstIndex(of character: Character) -> String.Index? {
        guard let scalar = character.onlyScalar else { return firstRange(of: String(character))?.lowerBound }
        return unicodeScalars.firstIndex { $0 == scalar }
    }

    /// Returns the index of the last Unicode scalar that is a character. A character of several scalars is never one.
    @inlinable
    package func lastIndex(of character: Character) -> String.Index? {
        let scalar = character.onlyScalar
        return unicodeScalars.lastIndex { $0 == scalar }
    }

    /// Returns the index of the first Unicode scalar that satisfies a predicate.
    @inlinable
    package func firstIndex(where predicate: (Character) throws -> Bool) rethrows -> String.Index? {
        try unicodeScalars.firstIndex { try predicate(Character($0)) }
    }

    /// Returns the index of the last Unicode scalar that satisfies a predicate.
    @inlinable
    package func lastIndex(where predicate: (Character) throws -> Bool) rethrows -> String.Index? {
        try unicodeScalars.lastIndex { try predicate(Character($0)) }
    }

    /// Returns where the bytes of another text occur first.
    @inlinable
    package func firstRange(of other: some StringProtocol) -> Range<String.Index>? {
        let place = withBytes(and: other) { text, other -> Int? in
            guard let first = other.first else { return 0 }
            guard text.count >= other.count else { return nil }
            for start in 0...(text.count - other.count) where text[start] == first {
                if isSame(UnsafeBufferPointer(rebasing: text[start...]), other, other.count) { return start }
            }
            return nil
        }
        guard let place else { return nil }
        let start = utf8.index(startIndex, offsetBy: place)
        return start..<utf8.index(start, offsetBy: other.utf8.count)
    }
}

extension StringProtocol where SubSequence == Substring {
    /// Splits the text at each Unicode scalar that is the separator.
    @inlinable
    package func split(
        separator: Character, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        guard let scalar = separator.onlyScalar else {
            return split(
                separator: String(separator), maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences)
        }
        return split(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, atScalar: { $0 == scalar })
    }

    /// Splits the text at the bytes of a separator.
    @inlinable
    package func split(
        separator: String, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        var (parts, rest): ([Substring], Substring) = ([], self[...])
        func append(_ part: Substring) { if !omittingEmptySubsequences || !part.isEmpty { parts.append(part) } }
        while parts.count < maxSplits, let range = rest.firstRange(of: separator) {
            append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        append(rest)
        return parts
    }

    /// Splits the text at each Unicode scalar that satisfies a predicate.
    @inlinable
    package func split(
        maxSplits: Int = .max, omittingEmptySubsequences: Bool = true, whereSeparator isSeparator: (Character) throws -> Bool
    ) rethrows -> [Substring] {
        try split(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, atScalar: { try isSeparator(Character($0)) })
    }

    @inlinable
    func split(
        maxSplits: Int, omittingEmptySubsequences: Bool, atScalar isSeparator: (Unicode.Scalar) throws -> Bool
    ) rethrows -> [Substring] {
        try self[...].unicodeScalars.split(
            maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, whereSeparator: isSeparator
        ).map { Substring($0) }
    }

    /// Returns the Unicode scalars before the first that does not satisfy a predicate.
    @inlinable
    package func prefix(while predicate: (Character) throws -> Bool) rethrows -> Substring {
        try self[..<(firstIndex { try !predicate($0) } ?? endIndex)]
    }

    /// Returns the text from the first Unicode scalar that does not satisfy a predicate.
    @inlinable
    package func drop(while predicate: (Character) throws -> Bool) rethrows -> Substring {
        try self[(firstIndex { try !predicate($0) } ?? endIndex)...]
    }

    /// Returns at most a number of Unicode scalars from the start.
    @inlinable
    package func prefix(_ length: Int) -> Substring { self[..<place(length)] }

    /// Returns the text without a number of Unicode scalars at the start.
    @inlinable
    package func dropFirst(_ length: Int = 1) -> Substring { self[place(length)...] }

    /// Returns at most a number of Unicode scalars from the end.
    @inlinable
    package func suffix(_ length: Int) -> Substring { self[placeFromEnd(length)...] }

    /// Returns the text without a number of Unicode scalars at the end.
    @inlinable
    package func dropLast(_ length: Int = 1) -> Substring { self[..<placeFromEnd(length)] }

    @inlinable
    func place(_ length: Int) -> String.Index {
        unicodeScalars.index(startIndex, offsetBy: length, limitedBy: endIndex) ?? endIndex
    }

    @inlinable
    func placeFromEnd(_ length: Int) -> String.Index {
        unicodeScalars.index(endIndex, offsetBy: -length, limitedBy: startIndex) ?? startIndex
    }

    /// Replaces all occurrences of the bytes of a text.
    @inlinable
    package func replacing(_ searched: some StringProtocol, with replacement: some StringProtocol) -> String {
        guard !searched.isEmpty else { return String(self) }
        var (result, rest) = ("", self[...])
        while let range = rest.firstRange(of: searched) {
            result += rest[..<range.lowerBound]
            result += replacement
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}

extension Character {
    /// The scalar of a character that is only one; `nil` for others, which no text contains as an element.
    @inlinable var onlyScalar: Unicode.Scalar? {
        let scalars = unicodeScalars
        guard let first = scalars.first, scalars.dropFirst().isEmpty else { return nil }
        return first
    }
}
