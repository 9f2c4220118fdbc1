import Testing
import WireFormats

@Suite("Texts of clients")
struct HostileTextTests {
    /// Pairs of texts that the standard library holds to be equal.
    static let equivalents = [
        ("caf\u{E9}", "cafe\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("`", "\u{1FEF}"), ("\u{AC00}", "\u{1100}\u{1161}"),
        ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ]
    /// Characters that merge with the one before or after them.
    static let joiners = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{600}", "\u{70F}", "\u{8E2}", "\u{D4E}", "\u{110BD}", "\u{1F1E6}"]

    @Test("differ if their bytes do", arguments: equivalents)
    func equality(one: String, other: String) {
        #expect(!(one == other))
        #expect(one != other)
        #expect(one == one)
        #expect(!(one[...] == other[...]))
        #expect(!(one == other[...]))
        #expect(one[...] != other)
        #expect(!(Optional(one) == other))
        #expect(Optional(one) != other)
        #expect(!(Optional(one[...]) == other[...]))
        #expect(!(JSONValue.string(one) == .string(other)))
        #expect(!one.hasPrefix(other))
        #expect(!one.hasSuffix(other))
        #expect(!(one + "x")[...].hasPrefix(other))
        #expect(!one.contains(other))
        #expect(![one].contains(other))
        #expect(![one[...]].contains(other[...]))
        #expect([one].firstIndex(of: other) == nil)
        #expect(!Set([one]).contains(other))
        #expect(Set([one]).contains(one))
        var isCase = false
        switch one {
        case other: isCase = true
        default: break
        }
        #expect(!isCase)
        switch Optional(one) {
        case other: isCase = true
        default: break
        }
        #expect(!isCase)
    }

    @Test("are different names in objects and dictionaries if their bytes differ", arguments: equivalents)
    func names(one: String, other: String) throws {
        let object = try JSONValue(parsing: #"{"\#(one)":1,"\#(other)":2}"#)
        #expect(object[one] == 1)
        #expect(object[other] == 2)
        let many = (0..<30).map { "\"\($0)\":0" }.joined(separator: ",")
        let large = try JSONValue(parsing: #"{\#(many),"\#(one)":1,"\#(other)":2}"#)
        #expect(large[other] == 2)
        var dictionary: TextDictionary<Int> = [one: 1]
        #expect(dictionary[other] == nil)
        dictionary[other, default: 1] += 1
        #expect(dictionary[one] == 1)
        #expect(dictionary[other] == 2)
        #expect(dictionary.count == 2)
        dictionary.keep { key, _ in key == one }
        #expect(dictionary.keys == [one])
        #expect(dictionary.removeValue(forKey: other) == nil)
        #expect(dictionary.removeValue(forKey: one) == 1)
        #expect(dictionary.isEmpty)
    }

    @Test("are divided at a separator, whatever is next to it", arguments: joiners)
    func separators(joiner: String) {
        for text in ["a\(joiner),b", "a,\(joiner)b", "a\(joiner),\(joiner)b"] {
            #expect(text.split(separator: ",").count == 2)
            #expect(text[...].split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).count == 2)
            #expect(text.split { $0 == "," }.count == 2)
            #expect(text.contains(","))
            #expect(text.contains { $0 == "," })
            #expect(text.firstIndex(of: ",") == text.utf8.firstIndex(of: UInt8(ascii: ",")))
            #expect(text.lastIndex(of: ",") == text.utf8.firstIndex(of: UInt8(ascii: ",")))
            #expect(text.prefix { $0 != "," }.utf8.elementsEqual(text.utf8.prefix { $0 != UInt8(ascii: ",") }))
            #expect(text.drop { $0 != "," }.utf8.elementsEqual(text.utf8.drop { $0 != UInt8(ascii: ",") }))
            #expect(text.replacing(",", with: "").utf8.count == text.utf8.count - 1)
            #expect(text.firstRange(of: ",") != nil)
        }
        #expect("/_virga/\(joiner)clock".hasPrefix("/_virga/"))
        #expect("\(joiner)/x".hasSuffix("/x"))
    }

    @Test("lose nothing that is next to a prefix or suffix", arguments: joiners)
    func ends(joiner: String) {
        #expect("/\(joiner)x".dropFirst() == "\(joiner)x")
        #expect("x\(joiner)/".dropLast() == "x\(joiner)")
        #expect("/\(joiner)".first == "/")
        #expect("\(joiner)/".last == "/")
        #expect("ab\(joiner)".prefix(2) == "ab")
        #expect("\(joiner)ab".suffix(2) == "ab")
        #expect("a\(joiner)".count == 2)
    }

    @Test("end lines with two characters")
    func lineEnds() {
        #expect("a\r\nb".contains("\n"))
        #expect("a\r\n\u{301}b".split(separator: "\r\n") == ["a", "\u{301}b"])
        #expect("a\r\nb".split(separator: "\n") == ["a\r", "b"])
        #expect("a\r\nb".count == 4)
        let lineEnd: Character = "\r\n"
        #expect("a\r\nb".split(separator: lineEnd) == ["a", "b"])
    }

    @Test("are converted to lowercase only in ASCII where names are compared")
    func letterCase() {
        #expect("A\u{212A}\u{C9}Z".lowercasedASCII == "a\u{212A}\u{C9}z")
    }

    @Test("are divided as the standard library divides those of ASCII")
    func ordinary() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let text = String((0..<Int.random(in: 0...8, using: &generator)).map { _ in "ab,/".randomElement(using: &generator) ?? "a" })
            let elements = Array(text)
            for (limit, omits) in [(Int.max, true), (1, false), (2, true), (0, false)] {
                let expected = elements.split(separator: ",", maxSplits: limit, omittingEmptySubsequences: omits).map { String($0) }
                #expect(text.split(separator: ",", maxSplits: limit, omittingEmptySubsequences: omits).map(String.init) == expected)
                let byText = text.split(separator: String(","), maxSplits: limit, omittingEmptySubsequences: omits)
                #expect(byText.map(String.init) == expected)
            }
            for length in 0...9 {
                #expect(Array(text.prefix(length)) == Array(elements.prefix(length)))
                #expect(Array(text.suffix(length)) == Array(elements.suffix(length)))
                #expect(Array(text.dropFirst(length)) == Array(elements.dropFirst(length)))
                #expect(Array(text.dropLast(length)) == Array(elements.dropLast(length)))
            }
        }
    }
}
