import Synchronization

/// Whether the process is being drained: it serves requests, but asks clients and proxies to go elsewhere.
final class Drain: Sendable {
    private let flag = Atomic(false)

    /// Whether the process is being drained.
    var isOn: Bool { flag.load(ordering: .relaxed) }

    /// Begins or ends draining.
    func set(_ isOn: Bool) { flag.store(isOn, ordering: .relaxed) }
}

/// Tells an open connection that the process is being drained.
struct DrainEvent: Sendable {}
