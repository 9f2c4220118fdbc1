/// The order in which people expect names: "Student 2" before "Student 10", and "Émile" beside "Emil".
enum NaturalOrder {
    /// Returns whether a name comes before another one.
    static func precedes(_ left: String, _ right: String) -> Bool {
        let (first, second) = (key(of: left), key(of: right))
        if first == second { return left < right }
        return first.lexicographicallyPrecedes(second)
    }

    /// What decides the order: letters without case and marks, and each number as its length and its digits.
    private static func key(of name: String) -> [UInt32] {
        var key: [UInt32] = []
        var digits: [UInt32] = []
        func endNumber() {
            guard !digits.isEmpty else { return }
            let number = digits.drop { $0 == 0x30 }
            key += [0x30, UInt32(number.count)]
            key += number
            digits = []
        }
        for scalar in name.lowercased().unicodeScalars {
            if (0x30...0x39).contains(scalar.value) {
                digits.append(scalar.value)
            } else {
                endNumber()
                // Marks that follow their letter.
                if !scalar.properties.isDiacritic { key.append(base(of: scalar)) }
            }
        }
        endNumber()
        return key
    }

    /// Returns the letter of which a letter with marks is made, such as `e` for `é`; for any other character itself.
    private static func base(of scalar: Unicode.Scalar) -> UInt32 {
        let start = "LATIN SMALL LETTER "
        guard scalar.value >= 0xC0, let name = scalar.properties.name, name.hasPrefix(start) else { return scalar.value }
        let words = name.dropFirst(start.count).split(separator: " ")
        guard words.count > 1, words[1] == "WITH", words[0].utf8.count == 1, let letter = words[0].utf8.first else { return scalar.value }
        return UInt32(letter) + 0x20
    }
}
