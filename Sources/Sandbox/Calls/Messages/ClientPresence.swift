import Synchronization
import WireFormats

/// The client of a connection or stream: whether it still waits for its responses, and the memory that they may use. Long work stops if
/// it does not wait.
package final class ClientPresence: Sendable {
    private let hasEnded = Atomic(false)
    private let hasClosedInput = Atomic(false)

    /// The memory of unread responses; `nil` if nothing limits it.
    package let memory: ResponseMemory?

    /// - Parameter memory: the memory of unread responses; `nil` if nothing limits it.
    package init(memory: ResponseMemory? = nil) { self.memory = memory }

    /// The longest body in bytes that is read with its record.
    package var longestWholeBody: Int64 { memory?.isScarce == true ? ResponseMemory.longestScarceBody : .max }

    /// Whether the connection or stream has ended.
    package var isGone: Bool { hasEnded.load(ordering: .relaxed) }

    /// Whether the client has closed its direction. It may still read the response, or be gone without a further sign.
    package var mayBeGone: Bool { isGone || hasClosedInput.load(ordering: .relaxed) }

    /// Notes the end of the connection or stream.
    package func end() { hasEnded.store(true, ordering: .relaxed) }

    /// Notes that the client has closed its direction.
    package func closeInput() { hasClosedInput.store(true, ordering: .relaxed) }
}
