import Testing

@testable import ObjectServing

@Suite("Records for SQL statements")
struct SelectRecordTests {
    /// Returns the texts of the fields of each record, for input at once or byte by byte.
    private static func records(_ text: String, _ format: CSVFormat, atOnce: Bool) throws -> [[String]] {
        var reader = CSVReader(format)
        var records: [[String]] = []
        let pieces = atOnce ? [Array(text.utf8)] : text.utf8.map { [$0] }
        for (index, piece) in pieces.enumerated() {
            reader.append(piece)
            while let record = try reader.next(isLast: index == pieces.count - 1) {
                records.append(record.fields.indices.map { record.text($0) })
            }
        }
        return records
    }

    @Test(
        "of CSV are found at any boundaries of chunks",
        arguments: [
            ("a,b\nc,d", [["a", "b"], ["c", "d"]]), ("a,b\n", [["a", "b"]]), ("a,\n,b\n", [["a", ""], ["", "b"]]), ("a", [["a"]]),
            ("\n", [[""]]), ("\"a,b\",c\n", [["a,b", "c"]]), ("\"a\nb\"\nc", [["a\nb"], ["c"]]), ("\"a\"\"b\",\"\"\n", [["a\"b", ""]]),
            ("\"\"\"\"", [["\""]]), ("#a\"b\nc\n#d", [["c"]]), ("a#b\n", [["a#b"]]), ("a\"b,c\n", [["a\"b", "c"]]),
            ("é,ß\n", [["é", "ß"]]),
        ] as [(String, [[String]])])
    func csv(text: String, records: [[String]]) throws {
        #expect(try Self.records(text, CSVFormat(), atOnce: true) == records)
        #expect(try Self.records(text, CSVFormat(), atOnce: false) == records)
    }

    @Test("of CSV have the delimiters of the request")
    func delimiters() throws {
        var format = CSVFormat()
        (format.recordDelimiter, format.fieldDelimiter, format.quote, format.comment) =
            (Array("\r\n".utf8), UInt8(ascii: "|"), UInt8(ascii: "'"), UInt8(ascii: "%"))
        for atOnce in [true, false] {
            let found = try Self.records("%x\r\na|'b\r\n|'\r\nc\rd|\ne\r\n", format, atOnce: atOnce)
            #expect(found == [["a", "b\r\n|"], ["c\rd", "\ne"]])
        }
    }

    @Test("of CSV must close their quoted fields", arguments: ["\"a", "a,\"b\n", "\"a\"b\n", "x\n\"a\" ,b\n"])
    func malformed(text: String) {
        for atOnce in [true, false] {
            #expect { try Self.records(text, CSVFormat(), atOnce: atOnce) } throws: { ($0 as? SelectRefusal)?.code == .invalidCSVLine }
        }
        var format = CSVFormat()
        format.allowsQuotedRecordDelimiter = false
        #expect { try Self.records("\"a\nb\"\n", format, atOnce: true) } throws: { ($0 as? SelectRefusal)?.code == .invalidCSVLine }
    }

    @Test("of CSV have a limited size in memory")
    func longRecord() {
        var reader = CSVReader(CSVFormat())
        reader.append([UInt8](repeating: 0x61, count: 300_000))
        #expect { try reader.next(isLast: false) } throws: { ($0 as? SelectRefusal)?.code == .csvExceedsMaxRowLength }
    }

    private static func values(_ text: String, atOnce: Bool) throws -> [String] {
        var reader = JSONReader(longest: 1000)
        var values: [String] = []
        let pieces = atOnce ? [Array(text.utf8)] : text.utf8.map { [$0] }
        for (index, piece) in pieces.enumerated() {
            reader.append(piece)
            while let node = try reader.next(isLast: index == pieces.count - 1) {
                values.append(String(decoding: node.written, as: UTF8.self))
            }
        }
        return values
    }

    @Test(
        "of JSON are returned as they were written, without the space between them",
        arguments: [
            ("{\"a\" : 1.50,\n\"b\":[ true , null ]}\n{}", ["{\"a\":1.50,\"b\":[true,null]}", "{}"]),
            ("{\"a\":\"x } , \\\" {\"}, [1]", ["{\"a\":\"x } , \\\" {\"}", "[1]"]), ("  \n", []),
            ("{\"n\":123456789.12345678901234567890}", ["{\"n\":123456789.12345678901234567890}"]),
        ] as [(String, [String])])
    func json(text: String, values: [String]) throws {
        #expect(try Self.values(text, atOnce: true) == values)
        #expect(try Self.values(text, atOnce: false) == values)
    }

    @Test(
        "of JSON are well-formed",
        arguments: [
            "{", "{\"a\":1", "{\"a\"}", "{\"a\":}", "{a:1}", "[1,]", "[1 2]", "{\"a\":1,}", "1", "a,b", "[01]", "[\"\\x\"]", "{]", "[tru]",
        ])
    func malformedJSON(text: String) {
        for atOnce in [true, false] {
            #expect { try Self.values(text, atOnce: atOnce) } throws: { ($0 as? SelectRefusal)?.code == .invalidJSONData }
        }
    }

    @Test("of JSON have a limited length and depth")
    func limits() {
        for text in ["[\"\(String(repeating: "a", count: 1001))", String(repeating: "[", count: 400) + String(repeating: "]", count: 400)] {
            #expect { try Self.values(text, atOnce: true) } throws: { ($0 as? SelectRefusal)?.code == .invalidJSONData }
        }
    }
}
