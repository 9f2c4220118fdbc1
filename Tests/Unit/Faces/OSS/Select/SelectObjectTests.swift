import Cloud
import HTTPTypes
import Testing
import WireFormats

@testable import OSSFace

@Suite("SelectObject and CreateSelectObjectMeta")
struct SelectObjectTests {
    private static let people = "name,age\nRosie,44\n\"Ross, L.\",24\nEleanor,43\n"

    /// The body of a request.
    private static func request(_ statement: String, input: String = "", output: String = "", options: String = "") -> String {
        """
        <SelectRequest><Expression>\(Array(statement.utf8).base64)</Expression><InputSerialization>\(input)</InputSerialization>\
        <OutputSerialization>\(output)</OutputSerialization><Options>\(options)</Options></SelectRequest>
        """
    }

    private static let header = "<CSV><FileHeaderInfo>Use</FileHeaderInfo></CSV>"
    private static let lines = "<JSON><Type>LINES</Type></JSON>"

    /// Returns the content of a response's frames: the data, and status and message of the last frame.
    private static func unpack(_ bytes: [UInt8]) throws -> (data: String, offset: Int, status: Int, message: String) {
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        var (index, data) = (0, [UInt8]())
        while true {
            try #require(index + 12 <= bytes.count)
            try #require(bytes[index] == 1)
            let (kind, length) = (number(index + 1..<index + 4), number(index + 4..<index + 8))
            let payload = index + 12..<index + 12 + length
            index = payload.upperBound + 4
            try #require(index <= bytes.count)
            switch kind {
            case 0x800001: data += bytes[payload].dropFirst(8)
            case 0x800004: break
            case 0x800005:
                #expect(index == bytes.count)
                let start = payload.lowerBound
                return (
                    String(decoding: data, as: UTF8.self), number(start..<start + 8), number(start + 16..<start + 20),
                    String(decoding: bytes[payload].dropFirst(20), as: UTF8.self)
                )
            default: throw UnknownFrame()
            }
        }
    }

    private struct UnknownFrame: Error {}

    @Test(
        "return the selected records of CSV",
        arguments: [
            ("select name from ossobject where age > 40", header, "", "Rosie\nEleanor\n"),
            ("select * from ossobject", header, "", "Rosie,44\n\"Ross, L.\",24\nEleanor,43\n"),
            ("select * from ossobject limit 2", "", "", "name,age\nRosie,44\n"),
            (
                "select _2, _1 from ossobject", "<CSV><FileHeaderInfo>IGNORE</FileHeaderInfo></CSV>", "",
                "44,Rosie\n24,\"Ross, L.\"\n43,Eleanor\n"
            ),
            ("select AGE as years from ossobject limit 1", header, "<OutputHeader>true</OutputHeader>", "years\n44\n"),
            ("select name from ossobject limit 1", header, "<KeepAllColumns>true</KeepAllColumns>", "Rosie,\n"),
            (
                "select name, age from ossobject limit 1", header,
                "<CSV><RecordDelimiter>DQo=</RecordDelimiter><FieldDelimiter>fA==</FieldDelimiter></CSV>", "Rosie|44\r\n"
            ),
            ("select count(*), sum(age), avg(age), max(age), min(age) from ossobject", header, "", "3,111,37,44,24\n"),
            ("select count(*), sum(age) from ossobject where age > 100", header, "", "0,\n"),
            ("select _3 from ossobject limit 1", header, "", "\n"),
            (
                "select name from ossobject", "<CSV><FileHeaderInfo>Use</FileHeaderInfo><Range>line-range=2-3</Range></CSV>", "",
                "\"Ross, L.\"\nEleanor\n"
            ),
            ("select _1 from ossobject", "<CSV><Range>split-range=1-</Range></CSV>", "", ""),
        ] as [(String, String, String, String)])
    func csv(statement: String, input: String, output: String, selected: String) async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("people.csv", Self.people)
            let answer = try await oss.send(
                .post, "/files/people.csv?x-oss-process=csv%2Fselect", document: Self.request(statement, input: input, output: output))
            #expect(answer.status == 206)
            #expect(answer.fields[.ossSelectOutputRaw] == "false")
            #expect(answer.journal.operation == "SelectObject")
            let found = try Self.unpack(answer.body)
            #expect(found.data == selected)
            #expect(found.status == 200)
            #expect(found.message.isEmpty)
        }
    }

    @Test(
        "return the selected records of JSON",
        arguments: [
            ("select name from ossobject where age > 40", lines, "{\"name\":\"Rosie\"}\n"),
            ("select pets[0].name as pet, gone from ossobject", lines, "{\"pet\":\"Rex\"}\n{}\n"),
            ("select * from ossobject limit 1", lines, "{\"name\":\"Rosie\",\"age\":44.0,\"pets\":[{\"name\":\"Rex\"}]}\n"),
            ("select sum(age), max(age) as oldest from ossobject", lines, "{\"_1\":68,\"oldest\":44}\n"),
            (
                "select age from ossobject where age = '44.0'",
                "<JSON><Type>LINES</Type><ParseJsonNumberAsString>true</ParseJsonNumberAsString></JSON>", "{\"age\":44.0}\n"
            ),
        ] as [(String, String, String)])
    func json(statement: String, input: String, selected: String) async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put(
                "people.json", "{\"name\": \"Rosie\", \"age\": 44.0, \"pets\": [{\"name\": \"Rex\"}]}\n{\"name\": \"Ross\", \"age\": 24}\n")
            let answer = try await oss.send(
                .post, "/files/people.json?x-oss-process=json/select", document: Self.request(statement, input: input))
            #expect(answer.status == 206)
            #expect(try Self.unpack(answer.body).data == selected)
        }
    }

    @Test("find records within a JSON document")
    func document() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("people.json", "{\"people\": [{\"name\": \"Rosie\"}, {\"name\": \"Ross\"}]}")
            let body = Self.request("select * from ossobject.people[*] where name like '%s'", input: "<JSON><Type>DOCUMENT</Type></JSON>")
            let answer = try await oss.send(.post, "/files/people.json?x-oss-process=json/select", document: body)
            #expect(try Self.unpack(answer.body).data == "{\"name\":\"Ross\"}\n")
        }
    }

    @Test("are framed byte for byte as by the service")
    func frames() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("one.csv", "abc\n")
            let body = Self.request("select * from ossobject", output: "<EnablePayloadCrc>true</EnablePayloadCrc>")
            let answer = try await oss.send(.post, "/files/one.csv?x-oss-process=csv/select", document: body)
            // The checksums are those of Python's zlib.crc32 for the payloads.
            let frames = [
                "018000010000000c00000000", "00000000000000046162630a", "e8993efd",
                "018000050000001400000000", "00000000000000040000000000000004000000c8", "af531d59",
            ]
            #expect(answer.body.hex == frames.joined())
        }
    }

    @Test("return the data without frames on request")
    func raw() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("one.csv", "abc,def\n")
            let body = Self.request("select _1 from ossobject", output: "<OutputRawData>true</OutputRawData>")
            let answer = try await oss.send(.post, "/files/one.csv?x-oss-process=csv/select", document: body)
            #expect(answer.status == 206)
            #expect(answer.fields[.ossSelectOutputRaw] == "true")
            #expect(answer.text == "abc\n")
        }
    }

    @Test("report errors after the first record in the last frame")
    func late() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("gap.csv", "abc,def\nefg\nhij,klm\n")
            func select(_ options: String) async throws -> (data: String, offset: Int, status: Int, message: String) {
                let body = Self.request(
                    "select _1, _2 from ossobject", options: "<SkipPartialDataRecord>true</SkipPartialDataRecord>\(options)")
                let answer = try await oss.send(.post, "/files/gap.csv?x-oss-process=csv/select", document: body)
                #expect(answer.status == 206)
                return try Self.unpack(answer.body)
            }
            let ended = try await select("")
            #expect(ended.data == "abc,def\n")
            #expect(ended.status == 400)
            #expect(ended.message.hasPrefix("InvalidCsvLine."))
            let skipped = try await select("<MaxSkippedRecordsAllowed>1</MaxSkippedRecordsAllowed>")
            #expect(skipped.data == "abc,def\nhij,klm\n")
            #expect(skipped.status == 200)
        }
    }

    @Test(
        "are refused before the response has begun",
        arguments: [
            (request("select nobody from ossobject", input: header), "SqlInvalidColumnName"),
            (request("select name from ossobject"), "SqlInvalidColumnName"), (request("select"), "SqlSyntaxError"),
            (request(""), "InvalidSqlParameter"), (request("select a.b from ossobject"), "NestedColumnNotSupportInCsv"),
            (request("select * from ossobject.a[*]"), "TableRootNodeOnlySupportInJson"),
            (request("select * from ossobject", input: "<CompressionType>ZIP</CompressionType>"), "UnsupportedCompressionFormat"),
            (request("select * from ossobject", input: "<CompressionType>GZIP</CompressionType>"), "DecompressFailure"),
            (request("select * from ossobject", input: "<CSV><Range>10-20</Range></CSV>"), "InvalidRange"),
            (request("select * from ossobject", input: "<CSV><Range>line-range=3-2</Range></CSV>"), "InvalidRange"),
            (request("select * from ossobject", input: "<CSV><FieldDelimiter>LCw=</FieldDelimiter></CSV>"), "InvalidInputFieldDelimiter"),
            (request("select * from ossobject", input: "<CSV><RecordDelimiter>,</RecordDelimiter></CSV>"), "InvalidInputRecordDelimiter"),
            (
                request("select * from ossobject", output: "<OutputRawData>true</OutputRawData><EnablePayloadCrc>true</EnablePayloadCrc>"),
                "InvalidOSSSelectParameters"
            ),
            (
                request("select * from ossobject", options: "<MaxSkippedRecordsAllowed>abc</MaxSkippedRecordsAllowed>"),
                "InvalidMaxSkippedRecordsAllowed"
            ),
            (request("select * from ossobject where _2 > 'a' and _1 > 3"), "InvalidCsvLine"), ("<Other/>", "MalformedXML"),
            ("", "MalformedXML"),
        ] as [(String, String)])
    func refusals(body: String, code: String) async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("people.csv", Self.people)
            let answer = try await oss.send(.post, "/files/people.csv?x-oss-process=csv/select", document: body)
            #expect(answer.status == 400)
            #expect(answer.code == code)
            #expect(answer.journal.errorCode == code)
        }
    }

    @Test(
        "read records that begin in a range of bytes",
        arguments: [("0-1", "test\n"), ("0-4", "test\n"), ("0-5", "test\nabc\n"), ("1-5", "abc\n"), ("5-", "abc\nd\n"), ("6-", "d\n")])
    func ranges(range: String, selected: String) async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("three.csv", "test\nabc\nd\n")
            let input = "<CSV><AllowQuotedRecordDelimiter>false</AllowQuotedRecordDelimiter></CSV>"
            let target = "/files/three.csv?x-oss-process=csv/select"
            let answer = try await oss.send(
                .post, target, ["Range": "bytes=\(range)"], document: Self.request("select * from ossobject", input: input))
            #expect(try Self.unpack(answer.body).data == selected)
            let quoted = try await oss.send(.post, target, ["Range": "bytes=\(range)"], document: Self.request("select * from ossobject"))
            #expect(quoted.status == 400)
            #expect(quoted.code == "InvalidRange")
        }
    }

    @Test("require the permission to read, and to write for CreateSelectObjectMeta")
    func access() async throws {
        try await OSSSandbox.run { oss async throws in
            let select = Self.request("select * from ossobject")
            let target = "/files/public/hello.txt?x-oss-process=csv/select"
            #expect(try await oss.send(.post, target, document: select, as: .reader).status == 206)
            #expect(try await oss.send(.post, target, document: select, as: .nothing).code == "AccessDenied")
            #expect(try await oss.send(.post, "/files/gone?x-oss-process=csv/select", document: select).code == "NoSuchKey")
            let meta = "/files/public/hello.txt?x-oss-process=csv/meta"
            #expect(try await oss.send(.post, meta, document: "<CsvMetaRequest/>", as: .reader).code == "AccessDenied")
            #expect(try await oss.send(.post, meta, document: "<CsvMetaRequest/>").status == 200)
        }
    }

    @Test("count records")
    func metadata() async throws {
        try await OSSSandbox.run { oss async throws in
            try await oss.put("people.csv", Self.people)
            let csv = try await oss.send(.post, "/files/people.csv?x-oss-process=csv/meta", document: "<CsvMetaRequest/>")
            #expect(csv.status == 200)
            #expect(csv.journal.operation == "CreateSelectObjectMeta")
            let size = String(Self.people.utf8.count, radix: 16)
            let number = String(repeating: "0", count: 16 - size.count) + size
            // Status, splits, records and columns.
            #expect(csv.body.hex.hasPrefix("018000060000002400000000\(number)\(number)000000c800000001000000000000000400000002"))
            try await oss.put("people.json", "{}\n{\"a\":\n1}")
            let json = try await oss.send(
                .post, "/files/people.json?x-oss-process=json/meta",
                document: "<JsonMetaRequest><InputSerialization>\(Self.lines)</InputSerialization></JsonMetaRequest>")
            #expect(json.body.hex.hasPrefix("018000070000002000000000000000000000000b000000000000000b000000c8000000010000000000000002"))
            let compressed =
                "<CsvMetaRequest><InputSerialization><CompressionType>GZIP</CompressionType></InputSerialization></CsvMetaRequest>"
            #expect(
                try await oss.send(.post, "/files/people.csv?x-oss-process=csv/meta", document: compressed).code
                    == "UnsupportedCompressionFormat")
        }
    }

    @Test("read objects of many chunks, compressed or not")
    func long() async throws {
        try await OSSSandbox.run { oss async throws in
            let text = (0..<60_000).map { "\($0),row \($0)\n" }.joined()
            try await oss.put("long.csv", text)
            let body = Self.request("select _2 from ossobject where cast(_1 as int) % 20000 = 19999")
            let answer = try await oss.send(.post, "/files/long.csv?x-oss-process=csv/select", document: body)
            let found = try Self.unpack(answer.body)
            #expect(found.data == "row 19999\nrow 39999\nrow 59999\n")
            #expect(found.offset == text.utf8.count)
            let stream = GzipStream()
            let compressed = Array(text.utf8).withUnsafeBytes { stream.compress($0) } + stream.finish()
            _ = try await oss.send(.put, "/files/long.csv.gz", body: compressed)
            let expanded = try await oss.send(
                .post, "/files/long.csv.gz?x-oss-process=csv/select",
                document: Self.request("select count(*) from ossobject", input: "<CompressionType>GZIP</CompressionType>"))
            #expect(try Self.unpack(expanded.body).data == "60000\n")
            let last = try await oss.send(
                .post, "/files/long.csv?x-oss-process=csv/select", document: Self.request("select _2 from ossobject limit 1"))
            #expect(try Self.unpack(last.body).data == "row 0\n")
        }
    }
}
