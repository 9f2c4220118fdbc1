import Testing
import WireFormats

@Suite("Patterns over whole texts")
struct WildcardMatchingTests {
    @Test(
        "fit what their wildcards can stand for",
        arguments: [
            ("*", ""), ("a*", "a"), ("*a", "ba"), ("a*b*c", "aXbYbZc"), ("**", "x"), ("a?c", "abc"), ("?*", "x"), ("a*a", "aaa"), ("", ""),
        ])
    func fitting(pattern: String, text: String) {
        #expect(matches(Array(text), pattern: Array(pattern), many: "*", one: "?"))
    }

    @Test(
        "do not fit anything else",
        arguments: [("", "a"), ("a", ""), ("a*", "ba"), ("a*b*c", "aXcYb"), ("?", ""), ("??", "a"), ("a*a", "a"), ("a", "aa")])
    func others(pattern: String, text: String) {
        #expect(!matches(Array(text), pattern: Array(pattern), many: "*", one: "?"))
    }

    @Test("know a single wildcard only where they are given one")
    func one() {
        #expect(!matches(Array("abc".utf8), pattern: Array("a?c".utf8), many: UInt8(ascii: "*")))
        #expect(matches(Array("a?c".utf8), pattern: Array("a?c".utf8), many: UInt8(ascii: "*")))
    }
}
