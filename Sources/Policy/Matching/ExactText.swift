#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Comparison of texts as policies mean it: by code points, where `String`'s own equality takes canonically equivalent texts for equal.
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

    /// Equality of the lower-cased texts.
    static func equalIgnoringCase(_ left: String, _ right: String) -> Bool {
        var others = right.utf8.makeIterator()
        for byte in left.utf8 {
            guard let other = others.next() else { return equal(lowercased(left), lowercased(right)) }
            if byte | other >= 0x80 { return equal(lowercased(left), lowercased(right)) }
            if byte.lowercasedASCII != other.lowercasedASCII { return false }
        }
        return others.next() == nil
    }

    /// Lower case by Unicode's default mapping, the capital sigma at the end of a word becoming a final one (Unicode Standard,
    /// Table 3-17), as AWS lower-cases.
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
