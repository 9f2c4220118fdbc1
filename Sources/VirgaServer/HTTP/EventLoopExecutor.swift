import NIOCore
import Synchronization

/// Runs the tasks of a connection on its event loop.
///
/// A point read of the database is cheaper than a hop to another thread, so a request that needs no more than that is parsed,
/// decided and answered without leaving the loop.
final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop
    /// Set while ``start(_:)`` makes a task, whose first job then runs at once.
    private let isStarting = Atomic(false)

    init(loop: any EventLoop) { self.loop = loop }

    /// Begins a task here and now: what it does before it first waits is done when this returns.
    ///
    /// A request begins where its last byte is read, in a channel handler that cannot wait. Its task ends with its answer, and
    /// the server's end waits for the connection.
    /// - Precondition: on the event loop.
    func start(_ operation: sending @escaping () async -> Void) {
        loop.preconditionInEventLoop()
        isStarting.store(true, ordering: .relaxed)
        Task(executorPreference: self, operation: operation)
        isStarting.store(false, ordering: .relaxed)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if loop.inEventLoop, isStarting.exchange(false, ordering: .relaxed) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        } else {
            loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
