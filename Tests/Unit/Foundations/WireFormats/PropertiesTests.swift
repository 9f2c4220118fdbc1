import Testing

@testable import WireFormats

@Suite("Properties files")
struct PropertiesTests {
    @Test(
        "are parsed as Java parses them",
        arguments: [
            ("a=b", ["a", "b"]), ("a = b", ["a", "b"]), ("a:b", ["a", "b"]), ("a b", ["a", "b"]), ("  a\t=  b ", ["a", "b "]),
            ("a", ["a", ""]), ("a=", ["a", ""]), ("a==b", ["a", "=b"]), ("# c\n! d\n\na=b\r\nc=d", ["a", "b", "c", "d"]),
            ("a=b\\\n   c", ["a", "bc"]), ("a=b\\\r\n\tc\\\n d", ["a", "bcd"]), ("# c\\\na=b", ["a", "b"]),
            (#"a\=b\:c\ d=e"#, ["a=b:c d", "e"]), (#"a={"url"\:"https\://x/"}"#, ["a", #"{"url":"https://x/"}"#]),
            (#"a=\u00fc\u20AC\uD83D\uDE00"#, ["a", "ü€😀"]), (#"a=\t\n\r\f\\\q"#, ["a", "\t\n\r\u{0C}\\q"]), ("a=1\na=2", ["a", "2"]),
            ("a=b\\", ["a", "b"]), ("a=ü", ["a", "ü"]), ("*.*.Name=x", ["*.*.Name", "x"]), ("", []), ("=x", ["", "x"]),
        ] as [(String, [String])])
    func reading(text: String, pairs: [String]) throws {
        #expect(try Properties(parsing: Array(text.utf8)).entries.flatMap { [$0.name, $0.value] } == pairs)
    }

    @Test("are Latin-1 if they are not UTF-8")
    func latin1() throws {
        #expect(try Properties(parsing: Array("a=".utf8) + [0xFC]).entries.first?.value == "ü")
    }

    @Test("report the line with an error", arguments: [("a=b\n\nc=\\u12", 3), ("a=\\uD83D", 1), ("a=x\\\ny\\u00g0", 2)])
    func faults(text: String, line: Int) {
        let fault = #expect(throws: Properties.Fault.self) { try Properties(parsing: Array(text.utf8)) }
        #expect(fault?.line == line)
    }

    @Test("are serialized so that they can be parsed again")
    func writing() throws {
        let written = Properties([
            .init(name: "*.*.A b", value: " x : y = #!\\"), .init(name: "ü", value: "line\nnext\t😀"), .init(name: "e", value: ""),
        ])
        #expect(
            written.text
                == ##"*.*.A\ b=\ x \: y \= \#\!\\"## + "\n" + #"\u00FC=line\nnext\t\uD83D\uDE00"# + "\ne=\n")
        #expect(try Properties(parsing: Array(written.text.utf8)) == written)
    }
}
