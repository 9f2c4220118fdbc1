package import Directory
import NIOCore
import NIOPosix
import Synchronization
import WireFormats

/// The threads on which hashes of passwords are computed, so that the event loops stay free. Keycloak's usual hash takes a fifth of a second.
///
/// All sandboxes of a process share them. They are half as many as the processors, which bounds what logins can use; further logins wait.
package enum PasswordThreads {
    /// The number of threads.
    package static let count = max(1, System.coreCount / 2)

    private static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
        return pool
    }()

    private static let jobs = Mutex(0)

    /// How much work waits or is being done.
    package static var unfinished: Int { jobs.withLock { $0 } }

    /// Runs work on the next free thread, behind the work that waits already.
    package static func run<Output: Sendable>(_ work: @escaping @Sendable () -> Output) async -> Output {
        jobs.withLock { $0 += 1 }
        defer { jobs.withLock { $0 -= 1 } }
        return await withCheckedContinuation { continuation in
            pool.submit { _ in continuation.resume(returning: work()) }
        }
    }
}

extension Person {
    /// Returns whether a text is the person's password. A hash is computed on ``PasswordThreads``.
    package func accepts(password text: String) async -> Bool {
        guard passwordHash != nil else { return hasPassword(text) }
        return await PasswordThreads.run { hasPassword(text) }
    }
}
