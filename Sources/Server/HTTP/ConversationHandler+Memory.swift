import Calls
import NIOCore
import ObjectStore
import WireFormats

/// What the responses of a connection or stream hold in memory, and its writer, which waits until they hold less.
struct UnreadResponse {
    /// What the process may hold.
    let memory: ResponseMemory
    /// The responses that were built as a whole.
    let documents: UnreadDocuments
    /// What the streams of the connection hold; `nil` in HTTP/1.1.
    let share: ConnectionShare?
    /// The bytes that the channel has not sent yet.
    var unsent = 0
    /// The bytes that are being read from the store.
    var reserved = 0
    /// The unsent bytes beyond which the writer waits.
    var window = 0
    /// The bytes that are counted in the memory of the process.
    var counted = 0
    /// The identifier among the documents.
    var document: UInt64?
    /// Waits until the client can receive more.
    var writer: CheckedContinuation<Void, any Error>?
    /// What is left of a body whose writer ended until the client can receive more.
    var paused: PausedBody?
    /// Whether the writer waits for other streams.
    var awaitsShare = false
    var hasEnded = false

    /// Whether a response is not written completely, because the client does not read.
    var isWaiting: Bool { writer != nil || paused != nil }
}

extension ConversationHandler {
    /// The bytes of the head of a response, about.
    private static let headSize = 256
    /// The window of a writer that does not ask for room.
    private static let smallWindow = 128 << 10

    // MARK: Counting

    /// Counts the held bytes in the memory of the process.
    private func recount() {
        let held = unread.hasEnded ? 0 : unread.unsent + unread.reserved
        let difference = held - unread.counted
        guard difference != 0 else { return }
        unread.counted = held
        unread.memory.change(by: difference)
        unread.share?.change(by: difference)
    }

    /// Returns a promise for bytes that are about to be written, which are unsent until then.
    func promise(for bytes: Int) -> EventLoopPromise<Void>? {
        guard let loop = context?.eventLoop else { return nil }
        let count = bytes + Self.headSize
        unread.unsent += count
        unread.reserved = max(0, unread.reserved - bytes)
        recount()
        let promise = loop.makePromise(of: Void.self)
        let handler = NIOLoopBound(self, eventLoop: loop)
        promise.futureResult.whenComplete { _ in handler.value.isSent(count) }
        return promise
    }

    private func isSent(_ count: Int) {
        unread.unsent -= count
        recount()
        guard !unread.hasEnded else { return }
        if unread.unsent == 0, !unread.isWaiting {
            forgetDocument()
            timeouts.waitsSince = nil
        } else if let document = unread.document, let loop = context?.eventLoop {
            unread.documents.renew(document, at: loop.now)
        }
        if unread.isWaiting, !unread.awaitsShare, unread.unsent <= unread.window { continueWriting() }
    }

    /// Ends the counting with the connection or stream.
    func endCounting() {
        unread.hasEnded = true
        unread.reserved = 0
        recount()
        forgetDocument()
        unread.share?.remove(self)
        unread.paused = nil
        if let writer = unread.writer {
            unread.writer = nil
            writer.resume(throwing: ConnectionEnded())
        }
    }

    // MARK: Whole responses

    /// Notes in the next turn of the loop whether a response is still unsent.
    /// - Parameter document: the memory of a response that was built as a whole; `nil` for another one.
    func noteUnsent(document: Int?) {
        guard unread.unsent > 0, let loop = context?.eventLoop else { return }
        let handler = NIOLoopBound(self, eventLoop: loop)
        loop.execute { handler.value.noteUnsent(document: document, on: loop) }
    }

    private func noteUnsent(document: Int?, on loop: any EventLoop) {
        guard unread.unsent > 0, !unread.hasEnded, unread.document == nil, !unread.isWaiting, !conversation.isAnswering else { return }
        timeouts.waitsSince = .now()
        guard let document else { return }
        let handler = NIOLoopBound(self, eventLoop: loop)
        unread.document = unread.documents.add(document, on: loop) {
            loop.execute { handler.value.abortUnread() }
        }
    }

    private func abortUnread() {
        if !unread.hasEnded, unread.document != nil { abort() }
    }

    private func forgetDocument() {
        guard let document = unread.document else { return }
        unread.document = nil
        unread.documents.remove(document)
    }

    // MARK: Writers

    /// Returns what the writer of a body may read next; `nil` if it has to wait for other streams.
    func room() -> BodyRoom? {
        let (memory, others) = (unread.memory, unread.memory.held - unread.counted)
        func fits(_ room: BodyRoom, _ limit: Int) -> Bool {
            let needed = unread.unsent + room.reserved
            return others + needed <= limit && unread.share?.hasRoom(for: needed - unread.counted, of: memory) != false
        }
        let room: BodyRoom
        if fits(.full, memory.budget / 4 * 3) {
            room = .full
        } else if fits(.scarce, memory.budget) {
            room = .scarce
        } else if unread.counted == 0, unread.share?.isFull == true {
            return nil
        } else {
            room = .least
        }
        // While a long piece is being sent, the next one is read.
        unread.window = room.readsAhead ? room.size : 0
        unread.reserved = room.reserved
        recount()
        return room
    }

    /// Suspends a request until it may be processed, one after another.
    func awaitTurn() async throws {
        while isCrowdedOut { try await awaitShare() }
        let turns = unread.documents.turns
        await turns.take()
        do {
            if unread.hasEnded { throw ConnectionEnded() }
            // What was built just before is noted, and cut off if it is too much, in the next turns of the loop. As long as this frees memory,
            // the request waits; it is not known whether it will need much.
            var cuts = -1
            while unread.memory.isExhausted, unread.documents.cuts != cuts {
                cuts = unread.documents.cuts
                try await nextTurns()
            }
        } catch {
            turns.end()
            throw error
        }
        // A response that is built at once is noted before the next request is processed.
        guard let loop = context?.eventLoop else { return turns.end() }
        Self.execute(after: Self.turnsOfNoting, on: loop) { turns.end() }
    }

    /// In how many turns of the loop a response that was built as a whole is noted, and one that is cut off is freed.
    private static let turnsOfNoting = 3

    private static func execute(after turns: Int, on loop: any EventLoop, _ task: @escaping @Sendable () -> Void) {
        loop.execute { if turns == 1 { task() } else { execute(after: turns - 1, on: loop, task) } }
    }

    /// Whether a request has to wait before it is processed.
    var hasToWait: Bool { unread.memory.isExhausted }

    /// Whether a request has to wait for the responses to others on its connection, beyond the budget.
    private var isCrowdedOut: Bool {
        guard let share = unread.share else { return false }
        return share.isFull && unread.memory.isExhausted
    }

    /// Suspends a request until what was built before is noted.
    private func nextTurns() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            guard !unread.hasEnded, let loop = context?.eventLoop else { return continuation.resume(throwing: ConnectionEnded()) }
            Self.execute(after: Self.turnsOfNoting, on: loop) { continuation.resume() }
        }
    }

    var isAwaitingShare: Bool { unread.awaitsShare }

    /// Suspends the writer until other streams of the connection hold less.
    func awaitShare() async throws {
        try await withCheckedThrowingContinuation { continuation in
            guard !unread.hasEnded, let share = unread.share, share.isFull else { return resume(continuation) }
            unread.awaitsShare = true
            wait(continuation)
            share.enqueue(self, on: context?.eventLoop)
        }
    }

    /// Suspends the writer until the client has received enough.
    func awaitReceiver() async throws {
        try await withCheckedThrowingContinuation { continuation in
            guard !unread.hasEnded, unread.unsent > unread.window else { return resume(continuation) }
            wait(continuation)
        }
    }

    private func resume(_ continuation: CheckedContinuation<Void, any Error>) {
        if unread.hasEnded { continuation.resume(throwing: ConnectionEnded()) } else { continuation.resume() }
    }

    private func wait(_ continuation: CheckedContinuation<Void, any Error>) {
        unread.writer = continuation
        timeouts.waitsSince = .now()
    }

    /// Resumes the waiting writer, or starts the one that ended.
    func continueWriting() {
        if let paused = unread.paused {
            unread.paused = nil
            timeouts.waitsSince = nil
            return restart(paused.pieces)
        }
        guard let writer = unread.writer else { return }
        (unread.writer, unread.awaitsShare) = (nil, false)
        timeouts.waitsSince = nil
        writer.resume()
    }

    /// Whether the writer may write on after a write.
    var mayWriteOn: Bool { unread.unsent <= unread.window }

    /// Sets the window of a writer that does not ask for room.
    func openWindow() {
        if unread.reserved == 0 { unread.window = unread.memory.isScarce ? 0 : Self.smallWindow }
    }

    /// Returns the room that is left after a body.
    func leaveRoom() {
        unread.reserved = 0
        recount()
    }

    /// Whether the client has not read since an instant.
    func hasStalled(since deadline: NIODeadline) -> Bool {
        guard unread.unsent > 0 || unread.isWaiting, !unread.awaitsShare else { return false }
        return (timeouts.waitsSince ?? timeouts.lastActivity) <= deadline
    }
}
