import Synchronization

/// The common limit of pieces that wait to be written, for all bodies.
///
/// It is large enough that connections can continue reading and hashing while the writing thread runs a checkpoint.
final class PieceAllowance: Sendable {
    /// The number of pieces; 16 MiB in total.
    private static let pieces = 64

    private let taken = Atomic(0)

    /// Whether another piece can be queued.
    var isLeft: Bool { taken.load(ordering: .relaxed) < Self.pieces }

    func take() { taken.add(1, ordering: .relaxed) }

    func release() { taken.subtract(1, ordering: .relaxed) }
}
