import Testing
import WireFormats

@Suite("The position of a request in a trace")
struct TraceParentTests {
    private static let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("is read and written")
    func example() {
        let parent = TraceParent(parsing: Self.example)
        #expect(parent?.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(parent?.spanID == "00f067aa0ba902b7")
        #expect(parent?.traceFlags == "01")
        #expect(parent?.text == Self.example)
        #expect(TraceParent(trace: (0, 1), span: 2, flags: 0).text == "00-00000000000000000000000000000001-0000000000000002-00")
    }

    @Test("has another span and only known flags in requests that follow")
    func child() {
        let child = TraceParent(parsing: String(Self.example.dropLast(2)) + "ff")?.child(span: .max)
        #expect(child?.text == "00-4bf92f3577b34da6a3ce929d0e0e4736-ffffffffffffffff-03")
    }

    @Test("of a later version is read as far as it is known", arguments: ["01", "fe", "01-x", "01-"])
    func later(version: String) {
        let parts = version.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts[0] + Self.example.dropFirst(2) + (parts.count > 1 ? "-" + parts[1] : "")
        #expect(TraceParent(parsing: String(text))?.text == Self.example)
    }

    @Test("is refused if one byte is missing or wrong")
    func malformed() {
        for count in 0..<55 { #expect(TraceParent(parsing: String(Self.example.prefix(count))) == nil) }
        for place in 0..<55 {
            for wrong in ["G", "A", "é", "\0"] {
                let start = Self.example.index(Self.example.startIndex, offsetBy: place)
                let changed = Self.example[..<start] + wrong + Self.example[Self.example.index(after: start)...]
                #expect(TraceParent(parsing: String(changed)) == nil, "\(changed)")
            }
        }
        #expect(TraceParent(parsing: Self.example + "-") == nil)
        #expect(TraceParent(parsing: "ff" + String(Self.example.dropFirst(2))) == nil)
    }
}
