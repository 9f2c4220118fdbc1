package import NIOCore
import SQLite
import Synchronization
import WireFormats

/// The bytes of an object's body or of a range of it, as buffers of at most 256 KiB; no buffer for an empty range.
///
/// Pieces are read on the database's pool. One piece is read ahead, unless the reader has no room for it. The record of the object is not
/// kept: a client may read slowly.
package struct ObjectBytes: AsyncSequence, Sendable {
    /// Buffers of bytes.
    package typealias Element = ByteBuffer
    /// The error of reading the store.
    package typealias Failure = ObjectStoreError

    /// The range of a small body.
    private let inline: ByteBuffer?
    private let segments: [Segment]
    private let pin: ContentPin?
    private let later: LaterBody?
    private let range: Range<Int64>

    /// - Parameter range: a range within the body.
    init(_ object: StoredObject, range: Range<Int64>) {
        inline = object.inlineBody?.getSlice(at: Int(range.lowerBound), length: range.count)
        segments = object.segments
        pin = object.pin
        later = object.later
        self.range = range
    }

    /// Starts reading at the beginning of the range.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Reads the range piece by piece. A copy continues at the same place, instead of the original.
    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// A small body that has not been returned yet.
        private var inline: ByteBuffer?
        private var walk: PieceWalk
        private let pin: ContentPin?
        /// A small body that is read in pieces, and what is left of it.
        private let later: LaterBody?
        private var rest: Range<Int64>
        private var ahead: PieceRead?

        init(_ bytes: ObjectBytes) {
            inline = bytes.inline
            walk = PieceWalk(bytes.segments, range: bytes.range)
            pin = bytes.pin
            later = bytes.later
            rest = bytes.range
        }

        /// Returns the next piece, or `nil` at the end.
        package mutating func next() async throws(ObjectStoreError) -> ByteBuffer? {
            try await next(upTo: ContentID.pieceSize, readingAhead: true)
        }

        /// Returns the next piece, or `nil` at the end.
        /// - Parameters:
        ///   - size: the most bytes of the piece, unless it was read ahead.
        ///   - readsAhead: whether the piece after it may be read already.
        package mutating func next(upTo size: Int, readingAhead readsAhead: Bool) async throws(ObjectStoreError) -> ByteBuffer? {
            if let whole = inline {
                inline = nil
                return whole.readableBytes == 0 ? nil : whole
            }
            guard let current = ahead ?? readNext(size) else { return nil }
            ahead = readsAhead ? readNext(size) : nil
            return try await current.value
        }

        /// Returns the next piece, or `nil` at the end.
        package mutating func next(isolation: isolated (any Actor)?) async throws(ObjectStoreError) -> ByteBuffer? {
            try await next()
        }

        private mutating func readNext(_ size: Int) -> PieceRead? {
            if let later {
                let start = rest.lowerBound
                let end = Swift.min(start + Int64(size), rest.upperBound)
                guard start < end else { return nil }
                rest = end..<rest.upperBound
                return PieceRead(Int(start)..<Int(end), of: later)
            }
            guard let pin, let slice = walk.next(upTo: size) else { return nil }
            return PieceRead(slice, pin: pin)
        }
    }
}

/// A pending read of one piece on the pool. Its value is awaited at most once.
private final class PieceRead: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Result<ByteBuffer, ObjectStoreError>, Never>)
        case finished(Result<ByteBuffer, ObjectStoreError>)
    }

    private let state = Mutex(State.running)

    /// Starts the read. The pin is kept until the read has ended.
    init(_ slice: PieceWalk.Slice, pin: ContentPin) {
        pin.database.readLargeInPool { connection in
            var buffer = ByteBufferAllocator().buffer(capacity: slice.range.count)
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: slice.range.count) { memory in
                let wanted = UnsafeMutableRawBufferPointer(rebasing: memory.prefix(slice.range.count))
                try connection.readBlob(
                    table: "pieces", column: "bytes", row: slice.row, from: slice.range.lowerBound, into: wanted)
                return slice.range.count
            }
            return buffer
        } completion: { result in
            withExtendedLifetime(pin) { self.finish(result.mapError { ObjectStoreError($0) }) }
        }
    }

    /// Starts the read of a part of a small body.
    init(_ range: Range<Int>, of body: LaterBody) {
        body.database.readLargeInPool { connection in
            try body.read(range, on: connection)
        } completion: { result in
            self.finish(result.mapError { ObjectStoreError($0) })
        }
    }

    /// The bytes of the piece.
    ///
    /// A cancellation does not end the wait, because the reading thread fills the buffer. The wait ends with the read of at most 256 KiB,
    /// or with an error when the database closes.
    var value: ByteBuffer {
        get async throws(ObjectStoreError) {
            let result = await withCheckedContinuation { continuation in
                let finished = state.withLock { state -> Result<ByteBuffer, ObjectStoreError>? in
                    if case .finished(let result) = state { return result }
                    state = .awaited(continuation)
                    return nil
                }
                if let finished { continuation.resume(returning: finished) }
            }
            return try result.get()
        }
    }

    private func finish(_ result: Result<ByteBuffer, ObjectStoreError>) {
        let waiting = state.withLock { state -> CheckedContinuation<Result<ByteBuffer, ObjectStoreError>, Never>? in
            defer { state = .finished(result) }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: result)
    }
}
