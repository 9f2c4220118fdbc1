import Cloud
import Exchange
import NIOCore
import WireFormats

/// A query's way through one stored object: what has been found and not yet given out, and where it goes on.
struct SelectSearch: Sendable {
    /// Bytes that are read at a time.
    private static let piece: Int64 = 256 << 10
    /// Bytes that come out of a compressed object, which is looked at as a whole.
    private static let longestExpanded = 64 << 20

    private var run: SelectRun
    private let stored: StoredObject
    private let isCompressed: Bool
    /// Bytes of the object that have been looked through.
    private(set) var offset: Int64
    /// Why nothing more comes.
    private(set) var refusal: SelectRefusal?
    private(set) var isAtEnd = false

    /// - Parameter range: bytes in which the records of CSV begin that are wanted.
    /// - Throws: ``SelectRefusal``.
    init(
        _ statement: SelectStatement, _ request: SelectRequest, in stored: StoredObject, range: ByteRange?
    ) throws(SelectRefusal) {
        self.stored = stored
        isCompressed = request.isCompressed
        guard let range else {
            run = try SelectRun(statement, request)
            offset = 0
            return
        }
        guard case .csv(let format) = request.format, !format.allowsQuotedRecordDelimiter, !request.isCompressed,
            let resolved = range.resolved(size: stored.record.size)
        else {
            throw SelectRefusal(
                .invalidRange, "Range is for CSV that is not compressed, whose records' delimiters do not stand in quotation marks.")
        }
        // A record that begins where the range does is told by the delimiter before it.
        offset = max(0, resolved.lowerBound - Int64(format.recordDelimiter.count))
        run = try SelectRun(
            statement, request, lastStart: resolved.upperBound - 1 - offset, isCutOff: resolved.lowerBound > 0)
    }

    /// Whether nothing has been found that was not given out.
    var isEmpty: Bool { run.output.isEmpty }

    mutating func takeOutput() -> [UInt8] { run.takeOutput() }

    /// Looks through the next piece of the object.
    /// - Throws: an error of the store; what is wrong with the content is ``refusal``.
    mutating func goOn() async throws {
        let end = isCompressed ? stored.record.size : min(offset + Self.piece, stored.record.size)
        var bytes: [UInt8] = []
        for try await piece in stored.bytes(in: offset..<end) { bytes += piece.readableBytesView }
        offset = end
        isAtEnd = end == stored.record.size
        do throws(SelectRefusal) {
            if isCompressed {
                guard let expanded = bytes.gunzipped(upTo: Self.longestExpanded) else {
                    throw SelectRefusal(.decompressFailure, "The object is not compressed by GZIP, or is too long.")
                }
                bytes = expanded
            }
            try run.take(bytes, isLast: isAtEnd)
            if run.isComplete, !isAtEnd {
                isAtEnd = true
                try run.take([], isLast: true)
            }
        } catch {
            refusal = error
            isAtEnd = true
        }
    }
}

/// Counts the records of an object.
struct SelectCounter: Sendable {
    private enum Reader: Sendable {
        case csv(CSVReader)
        case json(JSONReader)
    }

    private var reader: Reader
    private(set) var rows: Int64 = 0
    /// Of the first record of CSV; nothing in JSON.
    private(set) var columns: Int?

    /// - Throws: ``SelectRefusal`` for what cannot be counted.
    init(_ request: SelectRequest) throws(SelectRefusal) {
        guard !request.isCompressed else {
            throw SelectRefusal(.unsupportedCompressionFormat, "The records of compressed objects are not counted.")
        }
        switch request.format {
        case .csv(let format): (reader, columns) = (.csv(CSVReader(format)), 0)
        case .json(isDocument: false, _): reader = .json(JSONReader(longest: SelectRun.longestLine))
        case .json: throw SelectRefusal(.invalidOSSSelectParameters, "The records of LINES can be counted alone.")
        }
    }

    /// - Throws: ``SelectRefusal`` for what is neither CSV nor JSON.
    mutating func take(_ bytes: some Sequence<UInt8>, isLast: Bool) throws(SelectRefusal) {
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
