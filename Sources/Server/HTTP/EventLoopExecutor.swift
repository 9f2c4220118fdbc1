import NIOCore
import Synchronization

/// Runs the tasks of a connection on its event loop.
///
/// A point read of the database is cheaper than a hop to another thread. A request that needs no more than that stays on the loop.
final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop
    /// Set while ``starting(_:)`` creates a task, whose first job then runs immediately.
    private let isStarting = Atomic(false)

    init(loop: any EventLoop) { self.loop = loop }

    /// Runs the task that `create` creates, with this executor as its preference, synchronously up to its first suspension.
    ///
    /// A request starts in the channel handler that read its last byte and cannot wait. The task ends with the response, and the shutdown
    /// of the server waits for the connection. The caller creates the task, because each function that passes an asynchronous closure on
    /// adds a frame to it.
    /// - Precondition: the caller is on the event loop.
    func starting(_ create: () -> Void) {
        loop.preconditionInEventLoop()
        isStarting.store(true, ordering: .relaxed)
        create()
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
