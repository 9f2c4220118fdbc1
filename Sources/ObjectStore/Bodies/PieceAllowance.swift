import Synchronization

/// How many pieces of all bodies together may wait to be written before the next one has to wait.
///
/// Enough that a connection goes on reading and hashing while the writing thread folds the log into the file.
final class PieceAllowance: Sendable {
    /// 16 MiB.
    private static let pieces = 64

    private let taken = Atomic(0)

    /// Whether a piece may be added to those that wait.
    var isLeft: Bool { taken.load(ordering: .relaxed) < Self.pieces }

    func take() { taken.add(1, ordering: .relaxed) }

    func giveBack() { taken.subtract(1, ordering: .relaxed) }
}
