import Synchronization
import WireFormats

/// The right to run a query, of which a process has a limited number. The memory of all queries is thus bounded. The last copy of a search
/// returns it.
final class SelectSlot: Sendable {
    /// The maximum number of queries at the same time.
    static let most = 64

    private static let count = Atomic(0)

    // Does not throw: Swift would call `deinit` after the error.
    private init() {}

    /// Takes a slot.
    /// - Throws: ``SelectRefusal/Code/busy`` if there are too many queries.
    static func take() throws(SelectRefusal) -> SelectSlot {
        guard count.add(1, ordering: .relaxed).newValue <= most else {
            count.subtract(1, ordering: .relaxed)
            throw SelectRefusal(.busy, "There are too many queries at the same time.")
        }
        return SelectSlot()
    }

    deinit { Self.count.subtract(1, ordering: .relaxed) }
}
