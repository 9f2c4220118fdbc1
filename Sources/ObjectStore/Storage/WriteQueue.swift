import NIOPosix
import SQLite
import Synchronization

/// One thread that owns the writing connection and lets writes that wait together share a commit.
///
/// Each write runs inside a savepoint of the shared transaction, so a write that fails undoes itself alone; a commit
/// that fails fails them all.
final class WriteQueue: Sendable {
    /// One write, run in the order of submission.
    struct Write: Sendable {
        /// Changes the database; must not throw away an error, but answer it in `end`.
        let perform: @Sendable (Connection, _ sharesTransaction: Bool) -> Outcome
        /// Whether it must run outside a transaction, and so shares nothing with other writes.
        var isAlone = false
        /// Bytes that it brings with it, as far as they are many.
        var size = 0
        /// Told instead of `perform` when the write cannot run at all.
        let abandon: @Sendable (any Error) -> Void
    }

    struct Outcome {
        let hasSucceeded: Bool
        /// Tells the caller once the transaction has ended: nil after the commit, else why everything was lost.
        let end: @Sendable ((any Error)?) -> Void
    }

    private struct State {
        var waiting: [Write] = []
        var isDraining = false
        var isClosed = false
    }

    private static let writesPerCommit = 64
    /// Whoever brings many bytes waits for the commit to bring more, so that long commits would make arriving and writing alternate.
    private static let bytesPerCommit = 1 << 20

    private let state = Mutex(State())
    private let thread = NIOThreadPool(numberOfThreads: 1)
    private let lent: Mutex<LentConnection?>

    /// The queue takes the connection over: nobody else may use it until ``close()`` has given it back.
    init(connection: LentConnection) { lent = Mutex(connection) }

    deinit {
        thread.shutdownGracefully { _ in }
    }

    /// Appends a write. Its caller is told on the queue's thread, or at once when the queue has been closed.
    func submit(_ write: Write) { submit(write, closing: false) }

    private func submit(_ write: Write, closing: Bool) {
        let (isAccepted, mustStart) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.isClosed = closing
            state.waiting.append(write)
            defer { state.isDraining = true }
            return (true, !state.isDraining)
        }
        guard isAccepted else { return write.abandon(StorageError.closed) }
        if mustStart {
            thread.start()
            thread.submit { _ in self.drain() }
        }
    }

    /// Refuses further writes, finishes those that wait, and ends the thread.
    /// - Returns: the connection for its owner to close; nil when somebody else has closed the queue.
    func close() async -> LentConnection? {
        let isFirst = await withCheckedContinuation { continuation in
            let last = Write(
                perform: { _, _ in Outcome(hasSucceeded: true) { _ in continuation.resume(returning: true) } },
                abandon: { _ in continuation.resume(returning: false) })
            submit(last, closing: true)
        }
        guard isFirst else { return nil }
        await withCheckedContinuation { continuation in
            thread.shutdownGracefully { _ in continuation.resume() }
        }
        return lent.withLock { lent in
            defer { lent = nil }
            return lent
        }
    }

    private func drain() {
        guard let connection = lent.withLock({ $0 })?.connection else { return }
        while true {
            let batch = state.withLock { state -> ArraySlice<Write> in
                let batch = state.waiting.prefix(Self.countSharingCommit(state.waiting))
                state.waiting.removeFirst(batch.count)
                if batch.isEmpty { state.isDraining = false }
                return batch
            }
            if batch.isEmpty { return }
            if let alone = batch.first, alone.isAlone {
                alone.perform(connection, false).end(nil)
            } else {
                commit(batch, on: connection)
            }
        }
    }

    /// How many of the waiting writes the next commit takes; at least one, where there is one.
    private static func countSharingCommit(_ waiting: [Write]) -> Int {
        var bytes = 0
        for (index, write) in waiting.prefix(writesPerCommit).enumerated() {
            if write.isAlone || bytes >= bytesPerCommit { return max(index, 1) }
            bytes += write.size
        }
        return min(waiting.count, writesPerCommit)
    }

    private func commit(_ batch: ArraySlice<Write>, on connection: Connection) {
        var outcomes: [Outcome] = []
        var failure: (any Error)?
        do {
            try connection.run("BEGIN IMMEDIATE")
            for write in batch {
                outcomes.append(write.perform(connection, batch.count > 1))
                guard connection.isInTransaction else { throw SQLiteError.transactionLost }
            }
            try connection.run(outcomes.contains(where: \.hasSucceeded) ? "COMMIT" : "ROLLBACK")
        } catch {
            connection.rollBack()
            failure = error
        }
        for outcome in outcomes { outcome.end(failure) }
        guard let failure else { return }
        let rest = batch.dropFirst(outcomes.count)
        // What SQLite rolled back for the sake of one write says nothing about those that had not begun.
        if !outcomes.isEmpty, failure as? SQLiteError == .transactionLost, !rest.isEmpty { return commit(rest, on: connection) }
        for write in rest { write.abandon(failure) }
    }
}
