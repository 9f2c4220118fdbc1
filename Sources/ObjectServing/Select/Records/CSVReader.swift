import WireFormats

/// How the records of a CSV object are written. (OSS API Reference, "SelectObject", CSV.)
package struct CSVFormat: Hashable, Sendable {
    /// What the first line is.
    package enum Header: String, Hashable, Sendable {
        case none, ignore, use
    }

    /// What the first line is.
    package var header = Header.none
    /// One byte or two.
    package var recordDelimiter = Array("\n".utf8)
    /// The byte between fields.
    package var fieldDelimiter = UInt8(ascii: ",")
    /// `nil` if no field is quoted.
    package var quote: UInt8? = UInt8(ascii: "\"")
    /// The escape character before a quotation mark in a quoted field; nil if the mark is doubled instead.
    package var escape: UInt8?
    /// What a line begins with that is no record.
    package var comment: UInt8? = UInt8(ascii: "#")
    /// Whether a quoted field can have line breaks.
    package var allowsQuotedRecordDelimiter = true
    /// Bytes of a record. (OSS User Guide, "Query objects"; S3 allows 1 MiB.)
    package var longestRecord = 256 << 10

    package init() {}
}

/// A record as it was written.
struct CSVRecord: Sendable {
    let bytes: ArraySlice<UInt8>
    /// Each field with its quotation marks.
    let fields: [Range<Int>]
    let quote: UInt8?
    var escape: UInt8?

    /// A field as it was written.
    func written(_ index: Int) -> ArraySlice<UInt8> { bytes[fields[index]] }

    /// What a field says.
    func text(_ index: Int) -> String {
        let written = written(index)
        guard written.first == quote, written.count >= 2 else { return String(decoding: written, as: UTF8.self) }
        var content: [UInt8] = []
        var isEscaped = false
        for byte in written.dropFirst().dropLast() {
            if isEscaped, let escape, byte != quote, byte != escape { content.append(escape) }
            isEscaped = byte == escape ?? quote && !isEscaped
            if !isEscaped { content.append(byte) }
        }
        return String(decoding: content, as: UTF8.self)
    }
}

/// Finds the records of a CSV object, whose bytes come piece by piece. (RFC 4180.)
struct CSVReader: Sendable {
    let format: CSVFormat
    private var buffer: [UInt8] = []
    private var start = 0
    /// Bytes before the next record, comments among them.
    private(set) var offset: Int64 = 0

    init(_ format: CSVFormat) { self.format = format }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(start)
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// The next whole record.
    /// - Parameter isLast: whether nothing follows what has come.
    /// - Returns: `nil` if more has to come first, or nothing is left.
    mutating func next(isLast: Bool) throws(SelectRefusal) -> CSVRecord? {
        while start < buffer.count {
            if let comment = format.comment, buffer[start] == comment {
                guard let end = delimiter(from: start) else {
                    if isLast { advance(to: buffer.count) }
                    return nil
                }
                advance(to: end + format.recordDelimiter.count)
                continue
            }
            return try record(isLast: isLast)
        }
        return nil
    }

    private mutating func advance(to index: Int) {
        offset += Int64(index - start)
        start = index
    }

    private mutating func record(isLast: Bool) throws(SelectRefusal) -> CSVRecord? {
        var fields: [Range<Int>] = []
        var field = start
        while true {
            guard let end = try end(ofFieldAt: field, isLast: isLast) else {
                guard buffer.count - start <= format.longestRecord else {
                    throw SelectRefusal(.csvExceedsMaxRowLength, "A record is longer than \(format.longestRecord) bytes.")
                }
                return nil
            }
            fields.append(field..<end)
            if end < buffer.count, buffer[end] == format.fieldDelimiter {
                field = end + 1
                continue
            }
            let record = CSVRecord(bytes: buffer[start..<end], fields: fields, quote: format.quote, escape: format.escape)
            advance(to: min(end + format.recordDelimiter.count, buffer.count))
            return record
        }
    }

    /// Where a field ends: before a delimiter, or with the object.
    private func end(ofFieldAt place: Int, isLast: Bool) throws(SelectRefusal) -> Int? {
        guard let quote = format.quote, place < buffer.count, buffer[place] == quote else {
            let end = buffer[place...].firstIndex { $0 == format.fieldDelimiter || $0 == format.recordDelimiter[0] }
            guard var index = end else { return isLast ? buffer.count : nil }
            // The first byte of a delimiter alone is content.
            while buffer[index] != format.fieldDelimiter {
                guard let isDelimiter = isDelimiter(at: index) else { return isLast ? buffer.count : nil }
                if isDelimiter { return index }
                let next = buffer[(index + 1)...].firstIndex { $0 == format.fieldDelimiter || $0 == format.recordDelimiter[0] }
                guard let next else { return isLast ? buffer.count : nil }
                index = next
            }
            return index
        }
        var index = place + 1
        while let mark = buffer[index...].firstIndex(where: { $0 == quote || $0 == format.escape }) {
            if !format.allowsQuotedRecordDelimiter, let line = delimiter(from: index), line < mark { break }
            guard mark + 1 < buffer.count else { return isLast && buffer[mark] == quote ? buffer.count : nil }
            if buffer[mark] != quote {
                // Escapes only a mark or itself.
                index = mark + (buffer[mark + 1] == quote || buffer[mark + 1] == format.escape ? 2 : 1)
                continue
            }
            if format.escape == nil, buffer[mark + 1] == quote {
                index = mark + 2
                continue
            }
            if buffer[mark + 1] == format.fieldDelimiter { return mark + 1 }
            guard let isDelimiter = isDelimiter(at: mark + 1) else { return isLast ? buffer.count : nil }
            if isDelimiter { return mark + 1 }
            throw SelectRefusal(.invalidCSVLine, "Something follows the quotation mark that ends a field, after byte \(offset).")
        }
        let isCutByDelimiter = !format.allowsQuotedRecordDelimiter && delimiter(from: index) != nil
        guard isLast || isCutByDelimiter else { return nil }
        throw SelectRefusal(
            .invalidCSVLine, "A quotation mark has no partner, after byte \(offset).",
            isCutByDelimiter ? .quotedRecordDelimiter : .unescapedQuote)
    }

    /// Whether a record's delimiter stands at a place; `nil` if only more bytes can tell.
    private func isDelimiter(at index: Int) -> Bool? {
        guard index < buffer.count, buffer[index] == format.recordDelimiter[0] else { return false }
        guard format.recordDelimiter.count == 2 else { return true }
        guard index + 1 < buffer.count else { return nil }
        return buffer[index + 1] == format.recordDelimiter[1]
    }

    /// Where the next delimiter of records stands.
    private func delimiter(from place: Int) -> Int? {
        buffer[place...].indices.first { isDelimiter(at: $0) == true }
    }
}
