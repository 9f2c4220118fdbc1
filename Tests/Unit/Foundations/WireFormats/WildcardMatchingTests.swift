import Testing
import WireFormats

@Suite("Patterns for whole texts")
struct WildcardMatchingTests {
    @Test(
        "match what their wildcards allow",
        arguments: [
            ("*", ""), ("a*", "a"), ("*a", "ba"), ("a*b*c", "aXbYbZc"), ("**", "x"), ("a?c", "abc"), ("?*", "x"), ("a*a", "aaa"), ("", ""),
        ])
    func fitting(pattern: String, text: String) {
        #expect(matches(Array(text), pattern: Array(pattern), many: "*", one: "?"))
    }

    @Test(
        "do not match anything else",
        arguments: [("", "a"), ("a", ""), ("a*", "ba"), ("a*b*c", "aXcYb"), ("?", ""), ("??", "a"), ("a*a", "a"), ("a", "aa")])
    func others(pattern: String, text: String) {
        #expect(!matches(Array(text), pattern: Array(pattern), many: "*", one: "?"))
    }

    @Test("have a wildcard for a single character only if the caller sets one")
    func one() {
        #expect(!matches(Array("abc".utf8), pattern: Array("a?c".utf8), many: UInt8(ascii: "*")))
        #expect(matches(Array("a?c".utf8), pattern: Array("a?c".utf8), many: UInt8(ascii: "*")))
    }
}
