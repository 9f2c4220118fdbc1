package import Calls
import NIOCore
package import ObjectStore
import Synchronization
import WireFormats

/// The number of records of an object.
package struct SelectCounter: Sendable {
    fileprivate enum Reader: Sendable {
        case csv(CSVReader)
        case json(JSONReader)
    }

    fileprivate struct Count: Sendable {
        var reader: Reader
        var rows: Int64 = 0
        var columns: Int?
    }

    /// The count so far, which the threads of queries change.
    private final class Counting: Sendable {
        private let state: Mutex<Count>

        init(_ count: Count) { state = Mutex(count) }

        var count: Count { state.withLock { $0 } }

        func take(_ bytes: ByteBuffer, isLast: Bool) -> Result<Void, SelectRefusal> {
            state.withLock { count in
                Result { () throws(SelectRefusal) in try count.take(bytes.readableBytesView, isLast: isLast) }
            }
        }
    }

    /// The number of records.
    package let rows: Int64
    /// The number of columns in the first record of CSV; `nil` for JSON.
    package let columns: Int?

    /// Counts all records of a stored object.
    /// - Parameter client: the client that waits for the number.
    /// - Throws: ``SelectRefusal`` for an unsupported format, the errors of the store, and `ContentCutOff` if the client is gone.
    package init(_ request: SelectRequest, in stored: StoredObject, for client: ClientPresence? = nil) async throws {
        guard case .none = request.compression else {
            throw SelectRefusal(.unsupportedCompressionFormat, "The records of compressed objects are not counted.")
        }
        let counting: Counting
        switch request.format {
        case .csv(let format): counting = Counting(Count(reader: .csv(CSVReader(format)), columns: 0))
        case .json(isDocument: false, _):
            counting = Counting(Count(reader: .json(JSONReader(longest: SelectRun.longestRecord))))
        case .json: throw SelectRefusal(.invalidOSSSelectParameters, "Only records of type LINES can be counted.")
        }
        var left = stored.record.size
        for try await piece in stored.bytes() {
            if client?.mayBeGone == true { throw ContentCutOff() }
            left -= Int64(piece.readableBytes)
            let isLast = left == 0
            try await SelectThreads.run { counting.take(piece, isLast: isLast) }.get()
        }
        let count = counting.count
        (rows, columns) = (count.rows, count.columns)
    }
}

extension SelectCounter.Count {
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
