import Testing

@testable import Seeds

@Suite("Positions in texts")
struct TextPositionsTests {
    @Test("equal those counted from the start, across blocks of the table")
    func positions() {
        var text = "\u{FEFF}"
        for line in 0..<300 { text += String(repeating: "é€x", count: line % 7) + ["\n", "\r", "\r\n"][line % 3] }
        let bytes = Array(text.utf8)
        let positions = TextPositions(of: bytes)
        var (line, column, index) = (1, 0, 0)
        let scalars = Array(text.unicodeScalars)
        for (number, scalar) in scalars.enumerated() {
            if number > 0 { #expect(positions[index] == (line, column), "at byte \(index)") }
            index += String(scalar).utf8.count
            let isFirstOfPair = scalar == "\r" && number + 1 < scalars.count && scalars[number + 1] == "\n"
            (line, column) = scalar == "\n" || scalar == "\r" && !isFirstOfPair ? (line + 1, 1) : (line, column + 1)
        }
        #expect(positions[bytes.count] == (line, column))
    }

    @Test("of an empty text begin at 1") func empty() { #expect(TextPositions(of: [])[0] == (1, 1)) }

    @Test("of values are found by paths, or by the nearest enclosing path")
    func places() throws {
        let scanner = try JSON5Scanner(recording: Array("{a: {'b.c': [1, {d: 2}]}}".utf8))
        #expect(scanner.place(at: "a.b.c[1].d").map { ($0.place.found, $0.isThere) } ?? ("", false) == ("2", true))
        #expect(scanner.place(at: "a.b.c[1].e.f[2]").map { ($0.place.found, $0.isThere) } ?? ("", true) == ("an object", false))
        #expect(scanner.place(at: "x")?.place.value == 0)
    }
}

@Suite("Nearest words")
struct NearestWordTests {
    @Test("are not searched if the comparison is expensive")
    func limits() {
        #expect(nearestWord(to: "acounts", among: ["accounts", "regions"]) == "accounts")
        #expect(nearestWord(to: "acounts", among: (1000..<9000).map { "acc\($0)" } + ["accounts"]) == nil)
        #expect(nearestWord(to: String(repeating: "a", count: 200), among: [String(repeating: "a", count: 199)]) == nil)
    }

    @Test("are searched only for the first faults, and the last faults are counted but not kept")
    func collector() {
        let collector = SeedFaultCollector()
        var lookups = 0
        for index in 0..<(SeedFaultCollector.limit + 50) {
            if collector.counts(losesNames: false) { continue }
            _ = collector.suggestion(for: "acounts") {
                lookups += 1
                return ["accounts"]
            }
            collector.add(SeedError(file: "", place: "\(index)", expected: "x"))
        }
        #expect(lookups == 100)
        #expect(collector.faults.count == SeedFaultCollector.limit)
        #expect(collector.count == SeedFaultCollector.limit + 50)
    }
}
