import Calls
import Testing
import WireFormats

@testable import ObjectServing

@Suite("Queries take turns, and stop")
struct SelectTurnsTests {
    private static let s3 = SelectDialect.s3(now: Timestamp(seconds: 0))
    private static let mebibyte = 1 << 20

    private static func run(
        _ statement: String, _ format: SelectRequest.Format, meter: SelectMeter = SelectMeter(), output: SelectRequest.Output = .json
    ) throws -> SelectRun {
        var request = SelectRequest(format)
        request.output = output
        return try SelectRun(try SelectParser.statement(statement, s3), request, meter: meter)
    }

    private static let documents = SelectRequest.Format.json(isDocument: true, takesNumbersAsTexts: false)

    @Test("a turn ends when there is much output, and the next one continues")
    func output() throws {
        let literal = String(repeating: "a", count: 100_000)
        for (format, source, content) in [
            (SelectRequest.Format.csv(CSVFormat()), "", String(repeating: "1\n", count: 50)),
            (Self.documents, "[*][*]", "[\(Array(repeating: "1", count: 50).joined(separator: ", "))]"),
            (Self.documents, "", String(repeating: "{}", count: 50)),
        ] {
            var run = try Self.run("SELECT '\(literal)' FROM S3Object\(source)", format)
            run.append(content.utf8, isLast: true)
            var (turns, size) = (1, 0)
            while try !run.evaluate() {
                #expect(run.output.count < 2 * Self.mebibyte)
                size += run.takeOutput().count
                turns += 1
            }
            size += run.takeOutput().count
            #expect(turns > 3)
            #expect(size == 50 * (100_000 + "{\"_1\":\"\"}\n".utf8.count))
        }
    }

    @Test("a JSON value in the object may have 1 MiB", arguments: ["[", "{\"a\":["])
    func values(beginning: String) throws {
        let end = beginning == "[" ? "]" : "]}"
        func document(of size: Int) -> [UInt8] {
            let space = [UInt8](repeating: 0x20, count: size - beginning.utf8.count - end.utf8.count)
            return beginning.utf8 + space + end.utf8
        }
        for isDocument in [true, false] {
            let format = SelectRequest.Format.json(isDocument: isDocument, takesNumbersAsTexts: false)
            var run = try Self.run("SELECT COUNT(*) FROM S3Object", format)
            try run.take(document(of: Self.mebibyte), isLast: true)
            #expect(run.takeOutput() == Array("{\"_1\":1}\n".utf8))
            // The second one is refused before its end has arrived.
            for bytes in [document(of: Self.mebibyte + 1)[...], document(of: Self.mebibyte + 2).dropLast()] {
                var run = try Self.run("SELECT COUNT(*) FROM S3Object", format)
                #expect { try run.take(bytes, isLast: false) } throws: { ($0 as? SelectRefusal)?.detail == .recordTooLong }
            }
        }
    }

    @Test("a record of the result may have 1 MiB", arguments: [true, false])
    func results(isJSON: Bool) throws {
        let field = String(repeating: "a", count: 200_000)
        for (count, fits) in [(5, true), (6, false)] {
            let columns = Array(repeating: "s._1", count: count).joined(separator: ", ")
            var run = try Self.run(
                "SELECT \(columns) FROM S3Object s", .csv(CSVFormat()),
                output: isJSON ? .json : .csv(quote: 0x22, escape: 0x22, quotesEverything: false))
            if fits {
                try run.take("\(field)\n".utf8, isLast: true)
                #expect(run.takeOutput().count > count * field.utf8.count)
            } else {
                #expect { try run.take("\(field)\n".utf8, isLast: true) } throws: {
                    ($0 as? SelectRefusal)?.detail == .evaluation(SelectValue.Mismatch(.length))
                }
                #expect(run.output.isEmpty)
            }
        }
    }

    private static let expensive = [
        "s.a LIKE '%b%' OR s.a LIKE '%c%' OR s.a LIKE '%d%'", "s.a IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)",
        "s.b = 1 OR s.b = 2 OR s.b = 3 OR s.b = 4", "'x' IN s.b OR 'y' IN s.b OR 'z' IN s.b", "LOWER(s.a) = 'x' OR UPPER(s.a) = 'X'",
    ]

    @Test("a record takes a limited number of steps", arguments: expensive)
    func steps(condition: String) throws {
        let record =
            "{\"a\":\"\(String(repeating: "a", count: 10_000))\",\"b\":[\(Array(repeating: "1", count: 4000).joined(separator: ","))]}"
        let statement = "SELECT COUNT(*) FROM S3Object s WHERE \(condition)"
        var run = try Self.run(statement, Self.documents, meter: SelectMeter(most: 20_000))
        #expect { try run.take(record.utf8, isLast: true) } throws: { ($0 as? SelectRefusal)?.code == .sqlExceedsMaxConditionDepth }
        // They are counted for each record.
        run = try Self.run(statement, Self.documents, meter: SelectMeter(most: 2_000_000))
        for _ in 0..<20 { try run.take(record.utf8, isLast: false) }
    }

    @Test("the evaluation stops when the client is gone")
    func client() throws {
        let client = ClientPresence()
        var run = try Self.run("SELECT * FROM S3Object s WHERE s._1 = 1", .csv(CSVFormat()), meter: SelectMeter(client: client))
        client.closeInput()
        try run.take("1\n".utf8, isLast: false)
        client.end()
        #expect { try run.take("1\n".utf8, isLast: false) } throws: {
            ($0 as? SelectRefusal)?.detail == .evaluation(SelectValue.Mismatch(.stopped))
        }
    }

    @Test("work runs beside the caller's thread")
    func threads() async throws {
        let values = await withTaskGroup(of: Int.self) { group in
            for number in 0..<100 { group.addTask { await SelectThreads.run { number } } }
            return await group.reduce(0, +)
        }
        #expect(values == 4950)
        await #expect(throws: SelectRefusal.self) { try await SelectParser.parse("SELECT", Self.s3) }
    }
}
