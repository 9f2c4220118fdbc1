import Testing
import WireFormats

@testable import ObjectServing

@Suite("The time and memory of queries are bounded")
struct SelectLimitsTests {
    private static let s3 = SelectDialect.s3(now: Timestamp(seconds: 0))

    /// Returns the text of an expression in an empty record.
    private static func value(_ expression: String) throws -> String? {
        let statement = try SelectParser.statement("SELECT \(expression) AS x FROM S3Object", s3)
        guard case .expressions(let list) = statement.output else { return nil }
        let record = JSONRecord(node: try JSONNode(parsing: Array("{}".utf8)[...]), takesNumbersAsTexts: false)
        var isMissing = false
        return try list[0].expression.value(in: record, isMissing: &isMissing).text
    }

    @Test("BETWEEN evaluates its operand once")
    func between() throws {
        let chain = String(repeating: " BETWEEN false AND true", count: 200)
        #expect(try Self.value("1 BETWEEN 0 AND 2" + chain) == "true")
        #expect(try Self.value("3 NOT BETWEEN 0 AND 2" + chain) == "true")
        let nested = String(repeating: "(", count: 90) + "1 between 0 and 2" + String(repeating: ") between false and true", count: 90)
        let statement = try SelectParser.statement("select * from ossobject where " + nested)
        var run = try SelectRun(statement, SelectRequest(.csv(CSVFormat())))
        try run.take(Array("a\n".utf8), isLast: true)
        #expect(run.takeOutput() == Array("a\n".utf8))
    }

    @Test(
        "BETWEEN has the value of its two comparisons",
        arguments: [
            ("1 BETWEEN 1 AND 1", "true"), ("0 BETWEEN 1 AND null", "false"), ("1 BETWEEN null AND 0", "false"),
            ("1 BETWEEN null AND 1", nil), ("1 BETWEEN 1 AND null", nil), ("null BETWEEN 0 AND 1", nil),
            ("1 NOT BETWEEN null AND 0", "true"),
        ] as [(String, String?)])
    func nulls(expression: String, value: String?) throws { #expect(try Self.value(expression) == value) }

    @Test("CASE evaluates its subject once")
    func choices() throws {
        let begin = String(repeating: "CASE ", count: 48)
        let end = String(repeating: " WHEN 0 THEN 0 WHEN 1 THEN 1 END", count: 48)
        #expect(try Self.value(begin + "1" + end) == "1")
        #expect(try Self.value("CASE null WHEN null THEN 1 ELSE 2 END") == "2")
    }

    @Test("texts are not joined beyond the size of a record")
    func length() throws {
        let text = "'" + String(repeating: "a", count: 10_000) + "'"
        #expect(try Self.value("\(text) || 'b'")?.count == 10_001)
        let statement = try SelectParser.statement("SELECT s.a" + String(repeating: " || s.a", count: 400) + " FROM S3Object s", Self.s3)
        guard case .expressions(let list) = statement.output else { return }
        let node = try JSONNode(parsing: Array("{\"a\":\"\(String(repeating: "a", count: 10_000))\"}".utf8)[...])
        var isMissing = false
        #expect(throws: SelectValue.Mismatch(.length)) {
            try list[0].expression.value(in: JSONRecord(node: node, takesNumbersAsTexts: false), isMissing: &isMissing)
        }
    }

    private static func like(_ text: String, _ pattern: String) throws -> Bool {
        try LikePattern(pattern, escape: nil, dialect: s3).matches(text)
    }

    @Test("LIKE finds long parts", arguments: [1, 63, 64, 65, 128, 200])
    func longParts(count: Int) throws {
        let part = String(repeating: "ab", count: count)
        #expect(try Self.like("xa\(part)cy", "%\(part)c%"))
        #expect(try Self.like("x\(part)\(part)y", "%\(part)_"))
        #expect(try Self.like("x\(part)cay", "%\(part.dropLast())_c_%y"))
        #expect(try Self.like("\(part)x\(part)", "\(part)%x%\(part)"))
        #expect(try !Self.like("\(part)", "\(part)%b"))
        #expect(try !Self.like("xa\(part.dropLast())cy", "%\(part)c%"))
    }

    @Test("LIKE takes no square of the time for repetitive texts")
    func repetitiveTexts() throws {
        let text = String(repeating: "a", count: 60_000)
        #expect(try !Self.like(text + "c", "%\(text.prefix(20_000))b%c"))
        #expect(try Self.like(text + "bc", "%\(text.prefix(20_000))_c%"))
    }

    @Test("quoted fields of CSV are searched once for the end of their line")
    func quotedFields() throws {
        var format = CSVFormat()
        format.allowsQuotedRecordDelimiter = false
        let content = String(repeating: "\"\"", count: 60_000)
        var reader = CSVReader(format)
        reader.append("\"\(content)\"\n\"a\"\n\"b\n\"".utf8)
        #expect(try reader.next(isLast: true)?.text(0).count == 60_000)
        #expect(try reader.next(isLast: true)?.text(0) == "a")
        #expect { try reader.next(isLast: true) } throws: { ($0 as? SelectRefusal)?.detail == .quotedRecordDelimiter }
    }

    @Test("comments of CSV have a limited size in memory")
    func longComment() {
        var reader = CSVReader(CSVFormat())
        reader.append([UInt8(ascii: "#")] + [UInt8](repeating: 0x61, count: 300_000))
        #expect { try reader.next(isLast: false) } throws: { ($0 as? SelectRefusal)?.code == .csvExceedsMaxRowLength }
    }

    @Test("nested values have their text without space")
    func nestedValues() throws {
        let depth = 250
        let text = "[" + String(repeating: "[ ", count: depth - 1) + "{ \"a\" : 1 }" + String(repeating: "]", count: depth)
        var node = try JSONNode(parsing: Array(text.utf8)[...])
        for _ in 0..<depth {
            guard case .array(let elements) = node.content else { break }
            node = elements[0]
        }
        #expect(node.written == Array("{\"a\":1}".utf8))
    }
}
