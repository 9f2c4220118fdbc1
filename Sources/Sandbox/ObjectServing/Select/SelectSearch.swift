package import Calls
import NIOCore
package import ObjectStore
import WireFormats

/// Runs a query over one stored object, step by step.
///
/// A step reads a piece of the object and evaluates it in turns with other queries, see ``SelectThreads``. It ends after a second at the
/// latest, so that the client can be sent a message. What a query keeps in memory between the steps is bounded, see ``SelectSlot``.
package struct SelectSearch: Sendable {
    /// The number of bytes that are read at a time.
    private static let piece: Int64 = 256 << 10
    /// The size of the output in bytes at which a step ends.
    private static let fullOutput = 1 << 20
    /// The longest step. The last turn may take longer.
    private static let step = Duration.seconds(1)

    private let slot: SelectSlot
    private var stage: SelectStage
    private let statement: SelectStatement
    private let request: SelectRequest
    private let stored: StoredObject
    private let client: ClientPresence?
    /// If the header must still be read from the object's beginning: the last position at which a record may begin.
    private var lastStartWithoutHeader: Int64?
    /// The number of bytes of the object that have been searched.
    package private(set) var offset: Int64
    /// The number of bytes that have been read.
    package private(set) var scanned: Int64 = 0
    private var progress = SelectStage.Progress()
    private let end: Int64

    /// Creates a search.
    /// - Parameters:
    ///   - range: the range of bytes in which the requested records begin.
    ///   - client: the client that waits for the result. If it is gone, the search ends.
    /// - Throws: ``SelectRefusal``.
    package init(
        _ statement: SelectStatement, _ request: SelectRequest, in stored: StoredObject, range: ByteRange?,
        for client: ClientPresence? = nil
    ) throws(SelectRefusal) {
        self.stored = stored
        self.statement = statement
        self.request = request
        self.client = client
        end = stored.record.size
        slot = try SelectSlot.take()
        guard let range else {
            stage = SelectStage(try SelectRun(statement, request, meter: SelectMeter(client: client)), request.compression)
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
        guard let resolved = range.resolved(size: stored.record.size), !resolved.isEmpty else {
            throw SelectRefusal(refusal.code, refusal.message)
        }
        // The delimiter before the range shows whether a record begins at the start of the range.
        offset = max(0, resolved.lowerBound - Int64(delimiter))
        let lastStart = resolved.upperBound - 1 - offset
        let run = try SelectRun(
            statement, request, lastStart: lastStart, isCutOff: resolved.lowerBound > 0, meter: SelectMeter(client: client))
        stage = SelectStage(run, .none)
        if header == .use, request.readsHeaderBeforeRange, resolved.lowerBound > 0 { lastStartWithoutHeader = lastStart }
    }

    /// The number of bytes after decompression.
    package var processed: Int64 { progress.processed }

    /// The error that ended the query, if any.
    package var refusal: SelectRefusal? { progress.refusal }

    /// Whether the query is complete.
    package var isAtEnd: Bool { progress.isAtEnd || progress.refusal != nil }

    /// Whether there is no output to take.
    package var isEmpty: Bool { progress.output == 0 }

    /// Returns the records that were found since the last call.
    package mutating func takeOutput() -> [UInt8] {
        progress.output = 0
        return stage.takeOutput()
    }

    /// Searches the next chunk of the object, or as much of it as a step allows.
    /// - Throws: the errors of the store, and `ContentCutOff` if the client is gone. An error in the content is stored in ``refusal``.
    package mutating func searchNextChunk() async throws {
        do {
            if let lastStart = lastStartWithoutHeader {
                let header = try await header()
                lastStartWithoutHeader = nil
                let run = try SelectRun(
                    statement, request, lastStart: lastStart, isCutOff: true, header: header, meter: SelectMeter(client: client))
                stage = SelectStage(run, .none)
            }
        } catch let error as SelectRefusal {
            progress.refusal = error
            return
        }
        let deadline = ContinuousClock.now + Self.step
        if progress.needsBytes { try await readPiece() }
        repeat {
            progress = await SelectThreads.run { [stage] in stage.takeTurn() }
            if client?.isGone == true { throw ContentCutOff() }
            try Task.checkCancellation()
            if progress.needsBytes, isCompressed, !isAtEnd, offset < end { try await readPiece() }
        } while !isAtEnd && !progress.needsBytes && progress.output < Self.fullOutput && ContinuousClock.now < deadline
        // A client that sends nothing more may still read. It gets no message here, so it is not seen whether it does.
        if ContinuousClock.now >= deadline, client?.mayBeGone == true { throw ContentCutOff() }
    }

    private var isCompressed: Bool { if case .none = request.compression { false } else { true } }

    private mutating func readPiece() async throws {
        let next = min(offset + Self.piece, end)
        let piece = try await bytes(in: offset..<next)
        scanned += next - offset
        offset = next
        stage.append(piece, isLast: next == end)
        progress.needsBytes = false
    }

    private func bytes(in range: Range<Int64>) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in stored.bytes(in: range) { bytes += piece.readableBytesView }
        return bytes
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
            if let record = try reader.next(isLast: place == end) {
                return await SelectThreads.run { [statement] in
                    CSVHeader(record.fields.indices.map { record.text($0) }, for: statement)
                }
            }
        }
        return nil
    }
}
