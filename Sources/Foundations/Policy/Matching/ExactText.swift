import WireFormats

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Comparison of texts by code points, as in policies. `String`'s own equality treats canonically equivalent texts as equal.
enum ExactText {
    static func equal(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.utf8.span, right.utf8.span)
        guard left.count == right.count else { return false }
        return left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let start = left.baseAddress, let other = right.baseAddress else { return true }
                return memcmp(start, other, left.count) == 0
            }
        }
    }

    /// Returns whether the lowercased texts are equal.
    static func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
        var others = right.utf8.makeIterator()
        for byte in left.utf8 {
            guard let other = others.next() else { return equal(lowercased(left), lowercased(right)) }
            if byte | other >= 0x80 { return equal(lowercased(left), lowercased(right)) }
            if byte.lowercasedASCII != other.lowercasedASCII { return false }
        }
        return others.next() == nil
    }

    /// Returns a text in lowercase as AWS does: by Unicode's default mapping, with a final sigma at the end of a word (Unicode Standard,
    /// Table 3-17).
    static func lowercased(_ text: String) -> String {
        guard text.unicodeScalars.contains("Σ") else { return text.lowercased() }
        let scalars = Array(text.unicodeScalars)
        var lowered = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            if scalar == "Σ" {
                let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
                let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
                let endsWord = before?.properties.isCased == true && after?.properties.isCased != true
                lowered.append(endsWord ? "ς" : "σ")
            } else {
                lowered.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return String(lowered)
    }
}
