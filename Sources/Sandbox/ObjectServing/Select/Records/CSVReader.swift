import WireFormats

/// The format of a CSV object. (OSS API Reference, "SelectObject", CSV.)
package struct CSVFormat: Hashable, Sendable {
    /// The use of the first line.
    package enum Header: String, Hashable, Sendable {
        case none, ignore, use
    }

    /// The use of the first line.
    package var header = Header.none
    /// The record delimiter, one or two bytes.
    package var recordDelimiter = Array("\n".utf8)
    /// The field delimiter.
    package var fieldDelimiter = UInt8(ascii: ",")
    /// The quotation mark; `nil` if fields are not quoted.
    package var quote: UInt8? = UInt8(ascii: "\"")
    /// The escape character before a quotation mark in a quoted field; nil if the mark is doubled instead.
    package var escape: UInt8?
    /// The first byte of comment lines.
    package var comment: UInt8? = UInt8(ascii: "#")
    /// Whether a quoted field can have line breaks.
    package var allowsQuotedRecordDelimiter = true
    /// The maximum size of a record in bytes. (OSS User Guide, "Query objects"; S3 allows 1 MiB.)
    package var longestRecord = 256 << 10

    package init() {}
}

/// A record with its original bytes.
struct CSVRecord: Sendable {
    let bytes: ArraySlice<UInt8>
    /// The ranges of the fields, including their quotation marks.
    let fields: [Range<Int>]
    let quote: UInt8?
    var escape: UInt8?

    /// Returns the original bytes of a field.
    func written(_ index: Int) -> ArraySlice<UInt8> { bytes[fields[index]] }

    /// Returns the text of a field without quotation marks and escapes.
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

/// Finds the records of a CSV object, which arrives in chunks. (RFC 4180.)
struct CSVReader: Sendable {
    let format: CSVFormat
    private var buffer: [UInt8] = []
    private var start = 0
    /// The index of the last record delimiter that was searched for, or of the end of the buffer.
    private var nextDelimiter: Int?
    /// The number of bytes before the next record, including comments.
    private(set) var offset: Int64 = 0

    init(_ format: CSVFormat) { self.format = format }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(start)
        start = 0
        nextDelimiter = nil
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete record.
    /// - Parameter isLast: whether the object ends with the appended bytes.
    /// - Returns: `nil` if more bytes are required, or at the end.
    mutating func next(isLast: Bool) throws(SelectRefusal) -> CSVRecord? {
        while start < buffer.count {
            if let comment = format.comment, buffer[start] == comment {
                guard let end = delimiter(from: start) else {
                    if isLast { advance(to: buffer.count) }
                    try checkLength()
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

    /// Refuses a record that is longer than the maximum size, or still incomplete at that size.
    private func checkLength(to end: Int? = nil) throws(SelectRefusal) {
        guard (end ?? buffer.count) - start <= format.longestRecord else {
            throw SelectRefusal(.csvExceedsMaxRowLength, "A record is longer than \(format.longestRecord) bytes.")
        }
    }

    private mutating func record(isLast: Bool) throws(SelectRefusal) -> CSVRecord? {
        var fields: [Range<Int>] = []
        var field = start
        while true {
            guard let end = try end(ofFieldAt: field, isLast: isLast) else {
                try checkLength()
                return nil
            }
            fields.append(field..<end)
            if end < buffer.count, buffer[end] == format.fieldDelimiter {
                field = end + 1
                continue
            }
            try checkLength(to: end)
            let record = CSVRecord(bytes: buffer[start..<end], fields: fields, quote: format.quote, escape: format.escape)
            advance(to: min(end + format.recordDelimiter.count, buffer.count))
            return record
        }
    }

    /// Returns the end of a field, before a delimiter or at the end of the object; `nil` if more bytes are required.
    private mutating func end(ofFieldAt place: Int, isLast: Bool) throws(SelectRefusal) -> Int? {
        guard let quote = format.quote, place < buffer.count, buffer[place] == quote else {
            let end = buffer[place...].firstIndex { $0 == format.fieldDelimiter || $0 == format.recordDelimiter[0] }
            guard var index = end else { return isLast ? buffer.count : nil }
            // The first byte of a two-byte delimiter is content if the second does not follow.
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
                // An escape character only escapes a quotation mark or itself.
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
            throw SelectRefusal(.invalidCSVLine, "Text follows the closing quotation mark of a field, after byte \(offset).")
        }
        let isCutByDelimiter = !format.allowsQuotedRecordDelimiter && delimiter(from: index) != nil
        guard isLast || isCutByDelimiter else { return nil }
        throw SelectRefusal(
            .invalidCSVLine, "A quotation mark is not closed, after byte \(offset).",
            isCutByDelimiter ? .quotedRecordDelimiter : .unescapedQuote)
    }

    /// Whether there is a record delimiter at an index; `nil` if more bytes are required.
    private func isDelimiter(at index: Int) -> Bool? {
        guard index < buffer.count, buffer[index] == format.recordDelimiter[0] else { return false }
        guard format.recordDelimiter.count == 2 else { return true }
        guard index + 1 < buffer.count else { return nil }
        return buffer[index + 1] == format.recordDelimiter[1]
    }

    /// Returns the index of the next record delimiter. It is searched for only after the last one has been passed.
    private mutating func delimiter(from place: Int) -> Int? {
        if nextDelimiter.map({ $0 < place }) ?? true {
            nextDelimiter = buffer[place...].indices.first { isDelimiter(at: $0) == true } ?? buffer.count
        }
        return nextDelimiter == buffer.count ? nil : nextDelimiter
    }
}
