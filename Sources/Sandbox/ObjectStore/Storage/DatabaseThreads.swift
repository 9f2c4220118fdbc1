import NIOPosix
import Synchronization
import WireFormats

/// The threads on which the databases of a process read and write.
///
/// All databases share them, so that a process has the same number of threads however many databases are open. Each database has a
/// ``Lane`` of its own. The lanes take turns: a database with many waiting jobs delays another one by a few jobs only.
package final class DatabaseThreads: Sendable {
    private static let readerCount = 4
    private static let writerCount = 2

    /// For reads.
    let readers: ThreadTurns
    /// For writes.
    let writers: ThreadTurns
    /// For closing and removing databases that are not used any more. Deleting a large file takes milliseconds.
    let cleaner: ThreadTurns

    /// Makes the threads. They start with the first job.
    package init() {
        readers = ThreadTurns(count: Self.readerCount)
        writers = ThreadTurns(count: Self.writerCount)
        cleaner = ThreadTurns(count: 1)
    }

    /// Finishes the running jobs and ends the threads. A cancellation does not end the wait: a thread cannot be stopped within a job.
    package func close() async {
        await readers.close()
        await writers.close()
        await cleaner.close()
    }
}

/// A pool of threads that lanes of jobs share fairly.
final class ThreadTurns: Sendable {
    private let pool: NIOThreadPool
    let count: Int
    private let hasStarted = Mutex(false)
    private let waiting = Atomic(0)

    init(count: Int) {
        self.count = count
        pool = NIOThreadPool(numberOfThreads: count)
    }

    deinit {
        pool.shutdownGracefully { _ in }
    }

    /// Whether turns wait for a thread.
    var isContended: Bool { waiting.load(ordering: .relaxed) > 0 }

    /// Runs a turn on the next free thread, behind the turns that wait already.
    /// - Parameter turn: gets `false` where the threads have ended.
    func submit(_ turn: @escaping @Sendable (_ isActive: Bool) -> Void) {
        hasStarted.withLock { hasStarted in
            if !hasStarted { pool.start() }
            hasStarted = true
        }
        waiting.add(1, ordering: .relaxed)
        pool.submit { [self] state in
            waiting.subtract(1, ordering: .relaxed)
            guard case .active = state else { return turn(false) }
            turn(true)
        }
    }

    func close() async {
        // A job that comes later must not start them again.
        hasStarted.withLock { $0 = true }
        await withCheckedContinuation { continuation in
            pool.shutdownGracefully { _ in continuation.resume() }
        }
    }
}

/// The reads of one database that wait for a thread, in their order.
///
/// At most as many run at once as there are threads. After each job the lane goes to the end of the line.
final class ReadLane: Sendable {
    typealias Job = @Sendable (_ isActive: Bool) -> Void

    private struct State {
        var waiting: [Job] = []
        var next = 0
        var turns = 0
        var isClosed = false
        var whenEmpty: (@Sendable () -> Void)?
    }

    private let threads: ThreadTurns
    private let state = Mutex(State())

    init(_ threads: ThreadTurns) { self.threads = threads }

    /// Adds a job. After ``close()``, the job is called at once with `false`.
    func submit(_ job: @escaping Job) {
        let (isAccepted, needsTurn) = state.withLock { state -> (Bool, Bool) in
            guard !state.isClosed else { return (false, false) }
            state.waiting.append(job)
            guard state.turns < threads.count else { return (true, false) }
            state.turns += 1
            return (true, true)
        }
        guard isAccepted else { return job(false) }
        if needsTurn { takeTurn() }
    }

    private func takeTurn() {
        threads.submit { [self] isActive in
            let job = state.withLock { state -> Job? in
                guard state.next < state.waiting.count else { return nil }
                defer {
                    state.next += 1
                    if state.next == state.waiting.count { (state.waiting, state.next) = ([], 0) }
                }
                return state.waiting[state.next]
            }
            job?(isActive)
            let (goesOn, isEmpty) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
                if state.next < state.waiting.count { return (true, nil) }
                state.turns -= 1
                guard state.turns == 0 else { return (false, nil) }
                defer { state.whenEmpty = nil }
                return (false, state.whenEmpty)
            }
            if goesOn { takeTurn() }
            isEmpty?()
        }
    }

    /// Refuses further jobs and waits for those that it has.
    ///
    /// A cancellation does not end the wait, because the connections must not be closed while jobs use them. The wait ends with the jobs.
    func close() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                state.isClosed = true
                guard state.turns > 0 else { return true }
                state.whenEmpty = { continuation.resume() }
                return false
            }
            if isEmpty { continuation.resume() }
        }
    }
}
