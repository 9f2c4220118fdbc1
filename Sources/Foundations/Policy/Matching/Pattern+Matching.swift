import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Pattern {
    /// Whether a comparison is case-sensitive.
    enum LetterCase {
        case counts
        /// ASCII letters of the text are lowercased; the pattern must already be lowercased.
        case isIgnored
    }

    /// Returns whether the whole text matches. An unresolvable variable matches nothing. Only a pattern with variables allocates.
    /// - Parameter isAssumed: the result if it depends on a variable whose value is not known.
    func matches(_ text: String, letterCase: LetterCase = .counts, in keys: ConditionKeys, ifUnknown isAssumed: Bool = false) -> Bool {
        if countsUnits, text.utf8.contains(where: { $0 >= 0xF0 }) {
            let bytes = CESU8.encoding(Array(text.utf8))
            return matches(bytes.span, letterCase: letterCase, in: keys, ifUnknown: isAssumed)
        }
        return matches(text.utf8.span, letterCase: letterCase, in: keys, ifUnknown: isAssumed)
    }

    /// Returns whether the whole text matches. If the pattern counts UTF-16 units, text with code points above U+FFFF must be CESU-8.
    private func matches(_ text: Span<UInt8>, letterCase: LetterCase, in keys: ConditionKeys, ifUnknown isAssumed: Bool) -> Bool {
        guard hasVariables else { return matches(text, letterCase: letterCase) }
        // Most mismatches show in the bytes before the first variable, without a lookup.
        if case .text(let start)? = atoms.first, !text.has(start, at: 0, letterCase: letterCase) { return false }
        guard let resolved = resolved(in: keys) else {
            return isAssumed && isOpen(in: keys) && opened(in: keys).matches(text, letterCase: letterCase)
        }
        return resolved.matches(text, letterCase: letterCase)
    }

    /// Greedy matching: after a mismatch, the last `*` takes one byte more. A match cannot start inside a UTF-8 character.
    private func matches(_ text: Span<UInt8>, letterCase: LetterCase) -> Bool {
        var atom = 0
        var position = 0
        var lastRun: (atom: Int, position: Int, inField: Bool)?
        while true {
            var fits = false
            if atom == atoms.count {
                if position == text.count { return true }
            } else {
                switch atoms[atom] {
                case .run:
                    if atom == atoms.count - 1 { return true }
                    lastRun = (atom, position, false)
                    fits = true
                case .fieldRun:
                    lastRun = (atom, position, true)
                    fits = true
                case .text(let bytes):
                    fits = text.has(bytes, at: position, letterCase: letterCase)
                    if fits { position += bytes.count }
                case .one:
                    if let next = text.nextCharacter(after: position) {
                        position = next
                        fits = true
                    }
                case .variable: break
                }
            }
            if fits {
                atom += 1
            } else {
                guard let run = lastRun, run.position < text.count else { return false }
                // A `*` that stays in its field has now tried the whole field. Earlier fields cannot change, because colons separate them.
                if run.inField, text[run.position] == UInt8(ascii: ":") { return false }
                lastRun = (run.atom, run.position + 1, run.inField)
                atom = run.atom + 1
                position = run.position + 1
            }
        }
    }
}

extension Span<UInt8> {
    /// Returns whether these bytes are at this position.
    fileprivate func has(_ bytes: [UInt8], at position: Int, letterCase: Pattern.LetterCase) -> Bool {
        guard bytes.count <= count - position else { return false }
        switch letterCase {
        case .counts:
            return withUnsafeBufferPointer { text in
                bytes.withUnsafeBufferPointer { bytes in
                    guard let text = text.baseAddress, let expected = bytes.baseAddress else { return bytes.isEmpty }
                    return memcmp(text + position, expected, bytes.count) == 0
                }
            }
        case .isIgnored:
            for index in bytes.indices where self[position + index].lowercasedASCII != bytes[index] { return false }
            return true
        }
    }

    /// Returns the position after the character that starts here; nil at the end and inside a character.
    fileprivate func nextCharacter(after position: Int) -> Int? {
        guard position < count, self[position] & 0xC0 != 0x80 else { return nil }
        var next = position + 1
        while next < count, self[next] & 0xC0 == 0x80 { next += 1 }
        return next
    }
}

extension UInt8 {
    /// The byte with uppercase ASCII letters converted to lowercase.
    var lowercasedASCII: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
