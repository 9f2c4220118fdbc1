import Synchronization

/// Whether the client of a connection or stream still waits for its responses. Long work stops if it does not.
package final class ClientPresence: Sendable {
    private let hasEnded = Atomic(false)
    private let hasClosedInput = Atomic(false)

    package init() {}

    /// Whether the connection or stream has ended.
    package var isGone: Bool { hasEnded.load(ordering: .relaxed) }

    /// Whether the client has closed its direction. It may still read the response, or be gone without a further sign.
    package var mayBeGone: Bool { isGone || hasClosedInput.load(ordering: .relaxed) }

    /// Notes the end of the connection or stream.
    package func end() { hasEnded.store(true, ordering: .relaxed) }

    /// Notes that the client has closed its direction.
    package func closeInput() { hasClosedInput.store(true, ordering: .relaxed) }
}
