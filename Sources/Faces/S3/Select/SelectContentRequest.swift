import Calls
import Cloud
import ObjectServing
import WireFormats

/// The document of a SelectObjectContent request. (S3 API Reference, SelectObjectContent, request elements.)
struct SelectContentRequest {
    /// The maximum size of a record in bytes. (S3 User Guide, "Querying data in place with Amazon S3 Select", limits.)
    private static let longestRecord = 1 << 20

    let expression: String
    var query: SelectRequest
    var range: ByteRange?
    var showsProgress = false

    /// Parses the document.
    /// - Throws: `MalformedXML`, and an error code of Select for an unsupported value.
    init(_ bytes: [UInt8]) throws(S3Error) {
        guard let document = try? XMLElement(parsing: bytes), ["SelectObjectContentRequest", "SelectRequest"].contains(document.name),
            document.namespace.isEmpty || document.namespace == S3Face.namespace
        else { throw S3Error(.malformedXML) }
        try Self.check(
            document,
            ["Expression", "ExpressionType", "InputSerialization", "OutputSerialization", "RequestProgress", "ScanRange"])
        expression = try Self.required("Expression", in: document).text
        guard !expression.trimmed.isEmpty else { throw .missing("Expression") }
        guard try Self.required("ExpressionType", in: document).text.uppercased() == "SQL" else { throw S3Error(.invalidExpressionType) }
        query = SelectRequest(try Self.input(try Self.required("InputSerialization", in: document)))
        query.checksText = true
        query.readsHeaderBeforeRange = true
        switch document.child("InputSerialization")?.child("CompressionType")?.text.uppercased() {
        case nil, "", "NONE": break
        case "GZIP": query.compression = .gzip
        case "BZIP2": query.compression = .bzip2
        default: throw S3Error(.invalidCompressionFormat)
        }
        try Self.readOutput(try Self.required("OutputSerialization", in: document), into: &query)
        if let progress = document.child("RequestProgress") {
            try Self.check(progress, ["Enabled"])
            showsProgress = try Self.truth("Enabled", in: progress)
        }
        if let element = document.child("ScanRange") { range = try Self.scanRange(element) }
    }

    /// Parses the format of the object.
    private static func input(_ element: XMLElement) throws(S3Error) -> SelectRequest.Format {
        try check(element, ["CSV", "JSON", "Parquet", "CompressionType"])
        let formats = element.children.filter { $0.name != "CompressionType" }
        guard formats.count <= 1 else { throw S3Error(.objectSerializationConflict) }
        guard let format = formats.first else { throw S3Error(.missingRequiredParameter) }
        switch format.name {
        case "CSV": return .csv(try csv(format))
        case "JSON":
            try check(format, ["Type"])
            guard let type = format.child("Type")?.text, !type.isEmpty else { throw .missing("Type") }
            switch type.uppercased() {
            case "DOCUMENT": return .json(isDocument: true, takesNumbersAsTexts: false)
            case "LINES": return .json(isDocument: false, takesNumbersAsTexts: false)
            default: throw S3Error(.invalidJSONType)
            }
        default: throw .notImplemented(header: "Parquet")
        }
    }

    private static func csv(_ element: XMLElement) throws(S3Error) -> CSVFormat {
        try check(
            element,
            [
                "FileHeaderInfo", "Comments", "QuoteEscapeCharacter", "RecordDelimiter", "FieldDelimiter", "QuoteCharacter",
                "AllowQuotedRecordDelimiter",
            ])
        var format = CSVFormat()
        format.longestRecord = longestRecord
        if let text = element.child("FileHeaderInfo")?.text, !text.isEmpty {
            guard let header = CSVFormat.Header(rawValue: text.lowercased()) else { throw S3Error(.invalidFileHeaderInfo) }
            format.header = header
        }
        format.recordDelimiter = try bytes("RecordDelimiter", in: element, upTo: 2) ?? format.recordDelimiter
        format.fieldDelimiter = try bytes("FieldDelimiter", in: element, upTo: 1)?[0] ?? format.fieldDelimiter
        format.comment = try bytes("Comments", in: element, upTo: 1)?[0] ?? format.comment
        // An empty element disables quoting.
        if let quote = element.child("QuoteCharacter"), quote.text.isEmpty {
            format.quote = nil
        } else {
            format.quote = try bytes("QuoteCharacter", in: element, upTo: 1)?[0] ?? format.quote
        }
        if let escape = try bytes("QuoteEscapeCharacter", in: element, upTo: 1)?[0], escape != format.quote { format.escape = escape }
        format.allowsQuotedRecordDelimiter = try truth("AllowQuotedRecordDelimiter", in: element)
        return format
    }

    private static func readOutput(_ element: XMLElement, into query: inout SelectRequest) throws(S3Error) {
        try check(element, ["CSV", "JSON"])
        guard element.children.count <= 1 else { throw S3Error(.objectSerializationConflict) }
        guard let format = element.children.first else { throw S3Error(.missingRequiredParameter) }
        query.recordDelimiter = try bytes("RecordDelimiter", in: format, upTo: 64) ?? query.recordDelimiter
        guard format.name == "CSV" else {
            try check(format, ["RecordDelimiter"])
            query.output = .json
            return
        }
        try check(format, ["QuoteFields", "QuoteEscapeCharacter", "RecordDelimiter", "FieldDelimiter", "QuoteCharacter"])
        query.fieldDelimiter = try bytes("FieldDelimiter", in: format, upTo: 64) ?? query.fieldDelimiter
        let quote = try bytes("QuoteCharacter", in: format, upTo: 1)?[0] ?? UInt8(ascii: "\"")
        let escape = try bytes("QuoteEscapeCharacter", in: format, upTo: 1)?[0] ?? quote
        switch format.child("QuoteFields")?.text.uppercased() {
        case nil, "", "ASNEEDED": query.output = .csv(quote: quote, escape: escape, quotesEverything: false)
        case "ALWAYS": query.output = .csv(quote: quote, escape: escape, quotesEverything: true)
        default: throw S3Error(.invalidQuoteFields)
        }
    }

    /// Parses `Start` and `End`, which includes the last byte; `End` alone counts from the object's end.
    private static func scanRange(_ element: XMLElement) throws(S3Error) -> ByteRange {
        try check(element, ["Start", "End"])
        let start = try place("Start", in: element)
        let end = try place("End", in: element)
        let text =
            switch (start, end) {
            case (let start?, let end?) where start <= end: "bytes=\(start)-\(end)"
            case (let start?, nil): "bytes=\(start)-"
            case (nil, let end?): "bytes=-\(end)"
            default: ""
            }
        guard let range = ByteRange(header: text) else { throw S3Error(.invalidScanRange) }
        return range
    }

    private static func place(_ name: String, in element: XMLElement) throws(S3Error) -> Int64? {
        guard let text = element.child(name)?.text else { return nil }
        guard let number = Int64(digits: text.trimmed) else { throw S3Error(.invalidScanRange) }
        return number
    }
}

extension SelectContentRequest {
    /// Rejects elements that are unknown or occur twice.
    private static func check(_ element: XMLElement, _ names: Set<String>) throws(S3Error) {
        var left = names
        for child in element.children {
            guard left.remove(child.name) != nil else { throw S3Error(.malformedXML) }
        }
    }

    private static func required(_ name: String, in element: XMLElement) throws(S3Error) -> XMLElement {
        guard let child = element.child(name) else { throw .missing(name) }
        return child
    }

    /// Returns the bytes of an element; `nil` if it is empty or absent.
    private static func bytes(_ name: String, in element: XMLElement, upTo most: Int) throws(S3Error) -> [UInt8]? {
        guard let text = element.child(name)?.text, !text.isEmpty else { return nil }
        let bytes = Array(text.utf8)
        guard bytes.count <= most else { throw S3Error(.invalidRequestParameter) }
        return bytes
    }

    private static func truth(_ name: String, in element: XMLElement) throws(S3Error) -> Bool {
        guard let text = element.child(name)?.text, !text.isEmpty else { return false }
        guard let truth = ["true": true, "false": false][text.lowercased()] else { throw S3Error(.invalidRequestParameter) }
        return truth
    }
}

extension S3Error {
    /// Returns the error for a missing element.
    /// - Parameter name: the missing element.
    fileprivate static func missing(_ name: String) -> S3Error {
        S3Error(.missingRequiredParameter, "\(name) is required. Please check the service documentation and try again.")
    }
}
