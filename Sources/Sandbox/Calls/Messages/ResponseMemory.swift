import Synchronization

/// The memory of responses that clients have not read yet: one budget for the process.
///
/// A response counts what it has read from the store and what its connection has not sent. Nothing waits for the memory of another
/// connection, so that no client can stop another one: while memory is scarce, bodies are read in smaller pieces, and beyond the budget
/// each connection still has room for its next small piece.
package final class ResponseMemory: Sendable {
    /// The longest body in bytes that is read with its record while memory is scarce.
    package static let longestScarceBody: Int64 = 16 << 10

    /// The number of bytes that all responses together may hold.
    package let budget: Int
    private let counted = Atomic(0)
    private let wasScarce = Atomic(false)

    /// - Parameter budget: in bytes.
    package init(budget: Int) { self.budget = budget }

    /// The number of bytes that responses hold.
    package var held: Int { counted.load(ordering: .relaxed) }

    /// Whether half of the budget is used. Bodies are then read in small pieces, after their records.
    package var isScarce: Bool { held > budget / 2 }

    /// Whether the budget is used.
    package var isExhausted: Bool { held > budget }

    /// Changes the number of bytes that responses hold.
    package func change(by difference: Int) {
        let held = counted.add(difference, ordering: .relaxed).newValue
        if difference > 0, held > budget / 2 { wasScarce.store(true, ordering: .relaxed) }
    }

    /// Returns whether memory is scarce, or was since the last call that returned true.
    package func takeScarcity() -> Bool {
        let isScarce = isScarce
        return wasScarce.exchange(isScarce, ordering: .relaxed) || isScarce
    }
}

/// The part of a body that its receiver takes next.
package struct BodyRoom: Hashable, Sendable {
    /// The most bytes of the next piece.
    package let size: Int
    /// Whether the piece after it may be read already.
    package let readsAhead: Bool

    /// A long piece, and one more ahead.
    package static let full = BodyRoom(size: 256 << 10, readsAhead: true)
    /// A piece while memory is scarce.
    package static let scarce = BodyRoom(size: 64 << 10, readsAhead: false)
    /// A piece beyond the budget.
    package static let least = BodyRoom(size: 4 << 10, readsAhead: false)

    /// The most bytes that the pieces use.
    package var reserved: Int { readsAhead ? 2 * size : size }
}
