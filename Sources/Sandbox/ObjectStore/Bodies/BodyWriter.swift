package import NIOCore
import SQLite
import Synchronization
import WireFormats

/// Stages a body, which is invisible until a put or an upload of a part publishes it.
///
/// Only one task appends. A body of at most 256 KiB stays in memory until it is published. A longer one is written in pieces while the
/// caller continues hashing. The number of pieces that wait to be written is limited: three for each body, and beyond that a common
/// limit for all bodies (``PieceAllowance``). If a writer is released without publishing its body, the staged pieces are deleted.
package final class BodyWriter: Sendable {
    fileprivate struct State {
        /// The bytes of the current piece, or of the whole body as long as there is no content.
        var filling = ByteBuffer()
        var size: Int64 = 0
        var content: ContentID?
        var pieceCount: Int64 = 0
        var inFlight = 0
        var waiter: (room: Room, continuation: CheckedContinuation<Void, Never>)?
        var failure: ObjectStoreError?
    }

    /// The condition that a caller waits for.
    fileprivate enum Room {
        case forOneMore
        case forAll
    }

    private static let ownPieces = 3

    private let database: Database
    private let contents: Contents
    private let expected: Int64?
    private let state = Mutex(State())

    init(database: Database, contents: Contents, expecting size: Int64?) {
        self.database = database
        self.contents = contents
        expected = size
    }

    deinit { release() }

    /// The number of bytes appended so far.
    package var size: Int64 { state.withLock { $0.size } }

    /// Whether a caller waits until pieces are written.
    var isWaiting: Bool { state.withLock { $0.waiter != nil } }

    /// Appends the buffer's readable bytes. Suspends while too many pieces wait to be written.
    /// - Throws: ``ObjectStoreError/bodyTooLarge``, ``ObjectStoreError/bodyDiscarded``, or the error of writing a piece.
    package func append(_ buffer: ByteBuffer) async throws(ObjectStoreError) {
        var rest = buffer
        while rest.readableBytes > 0 {
            if let (piece, row, isFirst, content) = try fill(from: &rest) {
                write(piece, to: row, startingContent: isFirst ? content : nil)
                await wait(for: .forOneMore)
            }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Appends the buffer's readable bytes if they fit into the current piece, so that there is nothing to wait for.
    /// - Returns: whether they were appended.
    /// - Throws: as ``append(_:)`` does.
    package func appendIfRoom(_ buffer: ByteBuffer) throws(ObjectStoreError) -> Bool {
        let appended: Result<Bool, ObjectStoreError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            guard buffer.readableBytes <= ContentID.pieceSize - state.filling.readableBytes else { return .success(false) }
            if buffer.readableBytes > 0 { state.take(buffer, expecting: expected) }
            return .success(true)
        }
        return try appended.get()
    }

    /// Waits until all pieces except the last one are written.
    func finish() async throws(ObjectStoreError) -> StagedBody {
        if !state.withLock({ has(.forAll, $0) }) { await wait(for: .forAll) }
        let (staged, failure) = state.withLock { state in
            let last = state.filling
            guard let content = state.content else { return (StagedBody.inline(last), state.failure) }
            return (.content(content, size: state.size, last: last, position: state.pieceCount), state.failure)
        }
        if let failure { throw failure }
        return staged
    }

    /// Ends the writer's use of its content. If the database does not refer to the content, it is deleted in the background.
    func release() {
        let content = state.withLock { state -> ContentID? in
            state.failure = .bodyDiscarded
            state.filling = ByteBuffer()
            defer { state.content = nil }
            return state.content
        }
        if let content { contents.unpin([content]) }
    }

    /// Moves bytes into the current piece. If the piece is full and there are more bytes, returns the piece instead.
    private func fill(
        from rest: inout ByteBuffer
    ) throws(ObjectStoreError) -> (piece: ByteBuffer, row: Int64, isFirst: Bool, content: ContentID)? {
        let incoming = rest
        let filled: Result<(Int, (ByteBuffer, Int64, Bool, ContentID)?), ObjectStoreError> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            let room = ContentID.pieceSize - state.filling.readableBytes
            guard room == 0 else {
                let count = min(room, incoming.readableBytes)
                state.take(incoming.getSlice(at: incoming.readerIndex, length: count) ?? ByteBuffer(), expecting: expected)
                return .success((count, nil))
            }
            guard state.size < ContentID.maximumSize else { return .failure(.bodyTooLarge) }
            let content = state.content ?? contents.stage()
            let row = content.piece(at: state.pieceCount)
            let piece = state.filling
            state.filling = ByteBuffer()
            state.content = content
            state.pieceCount += 1
            state.inFlight += 1
            return .success((0, (piece, row, state.pieceCount == 1, content)))
        }
        let (count, piece) = try filled.get()
        rest.moveReaderIndex(forwardBy: count)
        return piece
    }

    private func write(_ piece: ByteBuffer, to row: Int64, startingContent content: ContentID?) {
        contents.allowance.take()
        database.submit(size: piece.readableBytes) { connection in
            if let content { try connection.run(ContentStatement.insert.rawValue, .integer(content.number)) }
            try connection.insertPiece(piece, at: row)
        } completion: { result in
            self.contents.allowance.release()
            let waiter = self.state.withLock { state -> CheckedContinuation<Void, Never>? in
                state.inFlight -= 1
                if case .failure(let error) = result, state.failure == nil { state.failure = ObjectStoreError(error) }
                guard let waiter = state.waiter, self.has(waiter.room, state) else { return nil }
                state.waiter = nil
                return waiter.continuation
            }
            waiter?.resume()
        }
    }

    private func has(_ room: Room, _ state: State) -> Bool {
        switch room {
        case .forOneMore: state.inFlight < Self.ownPieces || contents.allowance.isLeft
        case .forAll: state.inFlight == 0
        }
    }

    /// Waits for a condition. Every written piece checks it again, and there is always a pending piece while a writer waits.
    ///
    /// A cancellation does not end the wait, because the writing thread has the pieces already. The wait ends when the thread has written a
    /// piece, has failed to, or abandons the pieces because the database closes. None of these depends on a client.
    private func wait(for room: Room) async {
        if state.withLock({ has(room, $0) }) { return }
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if has(room, state) { return true }
                state.waiter = (room, continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}

extension BodyWriter.State {
    /// Adds bytes that fit into the current piece.
    fileprivate mutating func take(_ bytes: ByteBuffer, expecting expected: Int64?) {
        defer { size += Int64(bytes.readableBytes) }
        // A body in one buffer, as small ones are, and a piece that arrives in one buffer are not copied.
        if size == 0 || bytes.readableBytes == ContentID.pieceSize {
            filling = bytes
            return
        }
        let needed = filling.readableBytes + bytes.readableBytes
        if filling.capacity < needed {
            let wanted = expected.map { Int(clamping: $0 - size) + filling.readableBytes } ?? ContentID.pieceSize
            var grown = ByteBufferAllocator().buffer(capacity: min(max(wanted, needed), ContentID.pieceSize))
            grown.writeImmutableBuffer(filling)
            filling = grown
        }
        filling.writeImmutableBuffer(bytes)
    }
}

/// The staged body that the publishing transaction receives.
enum StagedBody: Sendable {
    /// The whole body, at most one piece.
    case inline(ByteBuffer)
    /// A content whose pieces before `position` are written; `last` is the piece at `position`.
    case content(ContentID, size: Int64, last: ByteBuffer, position: Int64)
}

extension Connection {
    func insertPiece(_ piece: ByteBuffer, at row: Int64) throws {
        try piece.withUnsafeReadableBytes { bytes in
            _ = try run(ContentStatement.insertPiece.rawValue, .integer(row), .bytes(bytes))
        }
    }
}
