import SQLite
import Synchronization
import WireFormats

/// The writes of one database, in their order. It owns the writing connection. Waiting writes share a commit.
///
/// One thread at a time works for it; which one can change from commit to commit, because databases share the threads.
///
/// A write that can fail after a change runs inside a savepoint of the shared transaction, so it rolls back only its own changes. If the
/// commit fails, all of its writes fail.
final class WriteQueue: Sendable {
    /// A write. Writes run in the order of submission.
    struct Write: Sendable {
        /// Changes the database. It must pass an error to the caller in `end`.
        let perform: @Sendable (Connection, _ sharesTransaction: Bool) -> Outcome
        /// Whether it must run outside a transaction, and so does not share a commit.
        var isAlone = false
        /// The number of bytes of the write, if it is large.
        var size = 0
        /// Called instead of `perform` if the write cannot run.
        let abandon: @Sendable (any Error) -> Void
    }

    struct Outcome {
        /// The error of the write; `nil` if it succeeded.
        let error: (any Error)?
        /// Called when the transaction has ended: with `nil` after the commit, otherwise with the error.
        let end: @Sendable ((any Error)?) -> Void
    }

    private struct State {
        var waiting: [Write] = []
        var isDraining = false
        var isClosed = false
        var whenDrained: (@Sendable () -> Void)?
    }

    private static let writesPerCommit = 64
    /// The limit of bytes per commit. Senders of large bodies wait for commits, so longer ones would keep receiving and writing from
    /// overlapping.
    private static let bytesPerCommit = 1 << 20

    private let state = Mutex(State())
    private let threads: ThreadTurns
    private let lent: Mutex<LentConnection?>

    /// Creates a queue that owns the connection. It must not be used elsewhere until ``close()`` returns it.
    init(connection: LentConnection, threads: ThreadTurns) {
        lent = Mutex(connection)
        self.threads = threads
    }

    /// Appends a write. Its caller is notified on the queue's thread, or at once if the queue is closed.
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
        if mustStart { takeTurn() }
    }

    /// Rejects further writes and finishes waiting ones.
    ///
    /// A cancellation does not end the wait, because the connection must not be closed while it is used. The wait ends when the writes that
    /// were accepted before are done, or are abandoned because the threads have ended.
    /// - Returns: the connection, for the owner to close; `nil` if the queue was already closed.
    func close() async -> LentConnection? {
        let isFirst = await withCheckedContinuation { continuation in
            let last = Write(
                perform: { _, _ in Outcome(error: nil) { _ in continuation.resume(returning: true) } },
                abandon: { _ in continuation.resume(returning: false) })
            submit(last, closing: true)
        }
        guard isFirst else { return nil }
        await withCheckedContinuation { continuation in
            let isDrained = state.withLock { state in
                guard state.isDraining else { return true }
                state.whenDrained = { continuation.resume() }
                return false
            }
            if isDrained { continuation.resume() }
        }
        return lent.withLock { lent in
            defer { lent = nil }
            return lent
        }
    }

    /// Closes the connection without a checkpoint, because the file is about to be removed. Nothing uses the queue any more.
    func discard() {
        let last = lent.withLock { lent in
            defer { lent = nil }
            return lent
        }
        last?.connection.skipCheckpointAtClose()
    }

    private func takeTurn() {
        threads.submit { [self] isActive in
            if isActive { drain() } else { abandonAll() }
            let (goesOn, whenDrained) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
                guard state.waiting.isEmpty else { return (true, nil) }
                state.isDraining = false
                defer { state.whenDrained = nil }
                return (false, state.whenDrained)
            }
            if goesOn { takeTurn() }
            whenDrained?()
        }
    }

    /// Refuses what waits, because the threads have ended.
    private func abandonAll() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for write in waiting { write.abandon(StorageError.closed) }
    }

    /// Commits what waits. Ends after a commit if other databases wait for a thread.
    private func drain() {
        guard let connection = lent.withLock({ $0 })?.connection else { return }
        while true {
            let batch = state.withLock { state -> ArraySlice<Write> in
                let batch = state.waiting.prefix(Self.countSharingCommit(state.waiting))
                state.waiting.removeFirst(batch.count)
                return batch
            }
            if batch.isEmpty { return }
            if let alone = batch.first, alone.isAlone {
                alone.perform(connection, false).end(nil)
            } else {
                commit(batch, on: connection)
            }
            if threads.isContended { return }
        }
    }

    /// Returns how many of the waiting writes the next commit includes: at least one, if there are any.
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
        var isLost = false
        do {
            try connection.run("BEGIN IMMEDIATE")
            for write in batch {
                outcomes.append(write.perform(connection, batch.count > 1))
                guard connection.isInTransaction else {
                    isLost = true
                    // If there is no space for one write, there is none for those before it either.
                    throw outcomes.last?.error.flatMap { StorageError.isFull($0) ? $0 : nil } ?? SQLiteError.transactionLost
                }
            }
            try connection.run(outcomes.contains { $0.error == nil } ? "COMMIT" : "ROLLBACK")
        } catch {
            connection.rollBack()
            failure = error
        }
        for outcome in outcomes { outcome.end(failure) }
        guard let failure else { return }
        let rest = batch.dropFirst(outcomes.count)
        // If SQLite rolled back the transaction because of one write, those that had not begun are not affected.
        if isLost, !rest.isEmpty { return commit(rest, on: connection) }
        for write in rest { write.abandon(failure) }
    }
}
