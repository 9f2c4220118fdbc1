package import Calls
import NIOCore
package import ObjectStore
import WireFormats

/// Runs a query over one stored object, step by step.
package struct SelectSearch: Sendable {
    /// The number of bytes that are read at a time.
    private static let piece: Int64 = 256 << 10
    /// The maximum size of a compressed object and of its uncompressed content in bytes, because both are held in memory.
    private static let longestExpanded = 64 << 20

    private var run: SelectRun
    private let statement: SelectStatement
    private let request: SelectRequest
    private let stored: StoredObject
    /// If the header must still be read from the object's beginning: the last position at which a record may begin.
    private var lastStartWithoutHeader: Int64?
    /// The number of bytes of the object that have been searched.
    package private(set) var offset: Int64
    /// The number of bytes that have been read.
    package private(set) var scanned: Int64 = 0
    /// The number of bytes after decompression.
    package private(set) var processed: Int64 = 0
    /// The error that ended the query, if any.
    package private(set) var refusal: SelectRefusal?
    /// Whether the query is complete.
    package private(set) var isAtEnd = false
    private let end: Int64

    /// Creates a search.
    /// - Parameter range: the range of bytes in which the requested records begin.
    /// - Throws: ``SelectRefusal``.
    package init(
        _ statement: SelectStatement, _ request: SelectRequest, in stored: StoredObject, range: ByteRange?
    ) throws(SelectRefusal) {
        self.stored = stored
        self.statement = statement
        self.request = request
        end = stored.record.size
        if case .none = request.compression {
        } else if end > Self.longestExpanded {
            throw SelectRefusal(.decompressFailure, "The compressed object is too long.")
        }
        guard let range else {
            run = try SelectRun(statement, request)
            offset = 0
            return
        }
        let refusal = SelectRefusal(
            .invalidRange, "A range requires uncompressed CSV without quoted record delimiters.",
            .unsupportedRange)
        let delimiter: Int
        var header = CSVFormat.Header.none
        switch request.format {
        case .csv(let format) where !format.allowsQuotedRecordDelimiter:
            delimiter = format.recordDelimiter.count
            header = format.header
        case .json(isDocument: false, _) where statement.emitsMissing: delimiter = 1
        default: throw refusal
        }
        guard case .none = request.compression else { throw refusal }
        guard let resolved = range.resolved(size: stored.record.size) else {
            throw SelectRefusal(refusal.code, refusal.message)
        }
        // The delimiter before the range shows whether a record begins at the start of the range.
        offset = max(0, resolved.lowerBound - Int64(delimiter))
        let lastStart = resolved.upperBound - 1 - offset
        run = try SelectRun(statement, request, lastStart: lastStart, isCutOff: resolved.lowerBound > 0)
        if header == .use, request.readsHeaderBeforeRange, resolved.lowerBound > 0 { lastStartWithoutHeader = lastStart }
    }

    /// Whether there is no output to take.
    package var isEmpty: Bool { run.output.isEmpty }

    /// Returns the records that were found since the last call.
    package mutating func takeOutput() -> [UInt8] { run.takeOutput() }

    /// Searches the next chunk of the object.
    /// - Throws: the errors of the store. An error in the content is stored in ``refusal``.
    package mutating func searchNextChunk() async throws {
        do {
            if let lastStart = lastStartWithoutHeader {
                let header = try await header()
                lastStartWithoutHeader = nil
                run = try SelectRun(statement, request, lastStart: lastStart, isCutOff: true, header: header)
            }
            let end = isCompressed ? self.end : min(offset + Self.piece, self.end)
            var bytes = try await bytes(in: offset..<end)
            scanned += end - offset
            offset = end
            isAtEnd = end == self.end
            bytes = try expanded(bytes)
            processed += Int64(bytes.count)
            try run.take(bytes, isLast: isAtEnd)
            if run.isComplete, !isAtEnd {
                isAtEnd = true
                try run.take([], isLast: true)
            }
        } catch let error as SelectRefusal {
            refusal = error
            isAtEnd = true
        }
    }

    private var isCompressed: Bool { if case .none = request.compression { false } else { true } }

    private func bytes(in range: Range<Int64>) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in stored.bytes(in: range) { bytes += piece.readableBytesView }
        return bytes
    }

    /// Decompresses the bytes.
    /// - Throws: ``SelectRefusal`` if they are not compressed in the specified format.
    private func expanded(_ bytes: [UInt8]) throws(SelectRefusal) -> [UInt8] {
        let (name, isMarked, expanded): (String, Bool, [UInt8]?) =
            switch request.compression {
            case .none: ("", true, bytes)
            case .gzip: ("GZIP", bytes.starts(with: [0x1F, 0x8B]), bytes.gunzipped(upTo: Self.longestExpanded))
            case .bzip2: ("BZIP2", bytes.starts(with: Array("BZh".utf8)), bytes.bunzipped(upTo: Self.longestExpanded))
            }
        guard let expanded else {
            throw SelectRefusal(
                .decompressFailure, "The object is not compressed by \(name), or is too long.", isMarked ? nil : .notCompressed)
        }
        return expanded
    }

    /// Returns the column names of CSV, from the object's first record.
    private func header() async throws -> CSVHeader? {
        guard case .csv(let format) = request.format else { return nil }
        var reader = CSVReader(format)
        var place: Int64 = 0
        while place < end {
            let next = min(place + Self.piece, end)
            reader.append(try await bytes(in: place..<next))
            place = next
            if let record = try reader.next(isLast: place == end) { return CSVHeader(record.fields.indices.map { record.text($0) }) }
        }
        return nil
    }
}

/// Counts the records of an object.
package struct SelectCounter: Sendable {
    private enum Reader: Sendable {
        case csv(CSVReader)
        case json(JSONReader)
    }

    private var reader: Reader
    /// The number of records.
    package private(set) var rows: Int64 = 0
    /// The number of columns in the first record of CSV; `nil` for JSON.
    package private(set) var columns: Int?

    /// Counts all records of a stored object.
    /// - Throws: ``SelectRefusal`` for an unsupported format, and the errors of the store.
    package init(_ request: SelectRequest, in stored: StoredObject) async throws {
        guard case .none = request.compression else {
            throw SelectRefusal(.unsupportedCompressionFormat, "The records of compressed objects are not counted.")
        }
        switch request.format {
        case .csv(let format): (reader, columns) = (.csv(CSVReader(format)), 0)
        case .json(isDocument: false, _): reader = .json(JSONReader(longest: SelectRun.longestLine))
        case .json: throw SelectRefusal(.invalidOSSSelectParameters, "Only records of type LINES can be counted.")
        }
        var left = stored.record.size
        for try await piece in stored.bytes() {
            left -= Int64(piece.readableBytes)
            try take(piece.readableBytesView, isLast: left == 0)
        }
    }

    private mutating func take(_ bytes: some Sequence<UInt8>, isLast: Bool) throws(SelectRefusal) {
        switch reader {
        case .csv(var csv):
            csv.append(bytes)
            while let record = try csv.next(isLast: isLast) {
                if rows == 0 { columns = record.fields.count }
                rows += 1
            }
            reader = .csv(csv)
        case .json(var json):
            json.append(bytes)
            while try json.next(isLast: isLast) != nil { rows += 1 }
            reader = .json(json)
        }
    }
}
