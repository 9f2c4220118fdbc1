import WireFormats

@testable import ObjectServing

@Sendable func fuzzSelect(_ bytes: [UInt8]) {
    // Statement and data.
    let mark = bytes.firstIndex(of: 0) ?? bytes.endIndex
    let text = String(decoding: bytes[..<mark], as: UTF8.self)
    let data = bytes[mark...].dropFirst()
    for dialect in [SelectDialect.oss, .s3(now: Timestamp(seconds: 1_800_000_000))] {
        guard let statement = try? SelectParser.statement(text, dialect) else { continue }
        for format in formats {
            let whole = output(of: statement, format, in: data, step: .max)
            precondition(whole == output(of: statement, format, in: data, step: max(7, data.count / 16)), "the pieces change the output")
        }
    }
}

private let formats: [SelectRequest.Format] = {
    var lines = CSVFormat()
    lines.header = .use
    lines.recordDelimiter = Array("\r\n".utf8)
    lines.escape = UInt8(ascii: "\\")
    lines.allowsQuotedRecordDelimiter = false
    return [
        .json(isDocument: false, takesNumbersAsTexts: false), .json(isDocument: true, takesNumbersAsTexts: true), .csv(CSVFormat()),
        .csv(lines),
    ]
}()

/// Returns the selected records; `nil` if the query fails.
private func output(of statement: SelectStatement, _ format: SelectRequest.Format, in data: ArraySlice<UInt8>, step: Int) -> [UInt8]? {
    var rest = data
    do {
        var run = try SelectRun(statement, SelectRequest(format))
        repeat {
            let piece = rest.prefix(step)
            rest = rest.dropFirst(step)
            try run.take(piece, isLast: rest.isEmpty)
        } while !rest.isEmpty
        return run.takeOutput()
    } catch {
        return nil
    }
}
