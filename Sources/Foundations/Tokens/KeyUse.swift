import Synchronization

/// Whether anything was sealed or signed under a key. Copies of the key share it.
package final class KeyUse: Sendable {
    private let flag: Atomic<Bool>

    /// - Parameter isUsed: whether the key was used before.
    package init(isUsed: Bool = false) { flag = Atomic(isUsed) }

    /// Whether the key was used.
    package var isUsed: Bool { flag.load(ordering: .relaxed) }

    /// Records a use.
    package func note() {
        // Most uses find it set. Reading does not take the cache line from other threads.
        if !isUsed { flag.store(true, ordering: .relaxed) }
    }
}
