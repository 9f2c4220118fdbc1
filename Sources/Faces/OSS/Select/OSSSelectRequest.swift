import ObjectServing
import WireFormats

/// A query and the formats of its input and output.
/// (OSS API Reference, "SelectObject" and "CreateSelectObjectMeta", request elements.)
struct OSSSelectRequest: Sendable {
    var query: SelectRequest
    var isRaw = false
    var hasChecksums = false

    /// Returns the encoded statement of a query.
    /// - Throws: ``SelectRefusal``.
    static func expression(in document: XMLElement) throws(SelectRefusal) -> String {
        guard let text = document.child("Expression")?.text.trimmed, !text.isEmpty, let bytes = [UInt8](base64: text),
            let expression = String(validating: bytes, as: UTF8.self), !expression.isEmpty
        else { throw SelectRefusal(.invalidSQLParameter, "The SQL is missing, or not encoded in Base64.") }
        return expression
    }

    /// Parses the document.
    /// - Parameter isJSON: whether the object is JSON, as opposed to CSV.
    /// - Throws: ``SelectRefusal``.
    init(_ document: XMLElement, isJSON: Bool) throws(SelectRefusal) {
        let input = document.child("InputSerialization")
        let name = isJSON ? "JSON" : "CSV"
        let (reading, output) = (input?.child(name), document.child("OutputSerialization"))
        query = SelectRequest(try isJSON ? Self.json(reading) : .csv(try Self.csv(reading)))
        switch input?.child("CompressionType")?.text.trimmed.lowercased() {
        case nil, "", "none": break
        case "gzip": query.compression = .gzip
        default: throw SelectRefusal(.unsupportedCompressionFormat, "CompressionType is NONE or GZIP.")
        }
        if let text = reading?.child("Range")?.text.trimmed, !text.isEmpty { query.lines = try Self.lines(text) }
        let writing = output?.child(name)
        query.recordDelimiter =
            try Self.bytes(writing, "RecordDelimiter", upTo: 2, or: .invalidOutputRecordDelimiter) ?? query.recordDelimiter
        query.fieldDelimiter = try Self.bytes(writing, "FieldDelimiter", upTo: 2, or: .invalidOutputFieldDelimiter) ?? query.fieldDelimiter
        query.keepsAllColumns = Self.isTrue(output, "KeepAllColumns")
        isRaw = Self.isTrue(output, "OutputRawData")
        hasChecksums = Self.isTrue(output, "EnablePayloadCrc")
        query.hasHeader = Self.isTrue(output, "OutputHeader")
        guard !(isRaw && hasChecksums) else {
            throw SelectRefusal(.invalidOSSSelectParameters, "EnablePayloadCrc and OutputRawData exclude each other.")
        }
        let options = document.child("Options")
        query.skipsPartialRecords = Self.isTrue(options, "SkipPartialDataRecord")
        if let text = options?.child("MaxSkippedRecordsAllowed")?.text.trimmed, !text.isEmpty {
            guard let most = Int64(digits: text) else {
                throw SelectRefusal(.invalidMaxSkippedRecordsAllowed, "MaxSkippedRecordsAllowed is a whole number from 0.")
            }
            query.mostSkipped = most
        }
    }

    private static func json(_ element: XMLElement?) throws(SelectRefusal) -> SelectRequest.Format {
        switch element?.child("Type")?.text.trimmed.uppercased() {
        case "DOCUMENT": .json(isDocument: true, takesNumbersAsTexts: isTrue(element, "ParseJsonNumberAsString"))
        case "LINES": .json(isDocument: false, takesNumbersAsTexts: isTrue(element, "ParseJsonNumberAsString"))
        default: throw SelectRefusal(.invalidOSSSelectParameters, "The JSON type is DOCUMENT or LINES.")
        }
    }

    private static func csv(_ element: XMLElement?) throws(SelectRefusal) -> CSVFormat {
        var format = CSVFormat()
        if let text = element?.child("FileHeaderInfo")?.text.trimmed, !text.isEmpty {
            guard let header = CSVFormat.Header(rawValue: text.lowercased()) else {
                throw SelectRefusal(.invalidOSSSelectParameters, "FileHeaderInfo is NONE, IGNORE or USE.")
            }
            format.header = header
        }
        format.recordDelimiter = try bytes(element, "RecordDelimiter", upTo: 2, or: .invalidInputRecordDelimiter) ?? format.recordDelimiter
        format.fieldDelimiter = try bytes(element, "FieldDelimiter", upTo: 1, or: .invalidInputFieldDelimiter)?[0] ?? format.fieldDelimiter
        format.quote = try bytes(element, "QuoteCharacter", upTo: 1, or: .invalidInputQuote)?[0] ?? format.quote
        format.comment = try bytes(element, "CommentCharacter", upTo: 1, or: .invalidCommentCharacter)?[0] ?? format.comment
        if let text = element?.child("AllowQuotedRecordDelimiter")?.text.trimmed, !text.isEmpty {
            format.allowsQuotedRecordDelimiter = text.lowercased() == "true"
        }
        return format
    }

    /// Returns the decoded base64 content of an element; `nil` if it is empty or absent.
    private static func bytes(
        _ parent: XMLElement?, _ name: String, upTo most: Int, or code: SelectRefusal.Code
    ) throws(SelectRefusal) -> [UInt8]? {
        guard let text = parent?.child(name)?.text.trimmed, !text.isEmpty else { return nil }
        guard let bytes = [UInt8](base64: text), (1...most).contains(bytes.count) else {
            throw SelectRefusal(code, "\(name) is 1 to \(most) characters in Base64.")
        }
        return bytes
    }

    private static func isTrue(_ parent: XMLElement?, _ name: String) -> Bool {
        parent?.child(name)?.text.trimmed.lowercased() == "true"
    }

    /// Parses `line-range=10-20` or `split-range=0-`. Both ends are inclusive and count from 0; one of them is optional.
    private static func lines(_ text: String) throws(SelectRefusal) -> ClosedRange<Int64>? {
        let refusal = SelectRefusal(.invalidRange, "Range is line-range=start-end or split-range=start-end.")
        let parts = text.split(separator: "=", maxSplits: 1)
        let ends = parts.count == 2 ? parts[1].split(separator: "-", omittingEmptySubsequences: false) : []
        guard ends.count == 2, ends.contains(where: { !$0.isEmpty }), parts[0] == "line-range" || parts[0] == "split-range",
            let first = ends[0].isEmpty ? 0 : Int64(digits: ends[0]), let last = ends[1].isEmpty ? .max : Int64(digits: ends[1]),
            first <= last
        else { throw refusal }
        // An object consists of one split.
        if parts[0] == "split-range" { return first == 0 ? nil : Int64.max...Int64.max }
        return first...last
    }
}
