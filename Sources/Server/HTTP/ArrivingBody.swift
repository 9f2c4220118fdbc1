import Calls
import NIOCore
import Synchronization
import WireFormats

/// The body of a request while it is being received. The conversation appends to it, the face reads from it.
final class ArrivingBody: ArrivingContent {
    /// The number of unread bytes at which the connection stops reading.
    private static let highWater = 1 << 20
    private static let lowWater = 1 << 19

    private enum End {
        case open
        case complete
        case cutOff(isTimedOut: Bool)
    }

    private enum Step {
        case take(ByteBuffer, goOn: Bool)
        case end
        case cutOff(isTimedOut: Bool)
        case wait(ask: Bool)
    }

    private struct State {
        var buffers = CircularBuffer<ByteBuffer>(initialCapacity: 16)
        var size = 0
        var end = End.open
        var isPaused = false
        var isAsked = false
        var reader: CheckedContinuation<Void, Never>?

        mutating func step() -> Step {
            if let buffer = buffers.popFirst() {
                size -= buffer.readableBytes
                let goOn = isPaused && size <= ArrivingBody.lowWater
                if goOn { isPaused = false }
                return .take(buffer, goOn: goOn)
            }
            switch end {
            case .complete: return .end
            case .cutOff(let isTimedOut): return .cutOff(isTimedOut: isTimedOut)
            case .open:
                defer { isAsked = true }
                return .wait(ask: !isAsked)
            }
        }
    }

    private let state = Mutex(State())
    private let onDemand: @Sendable () -> Void

    /// - Parameter onDemand: called, on any thread, when the reader first waits for data, and when a full buffer has been emptied to the
    ///   low water mark.
    init(onDemand: @escaping @Sendable () -> Void) {
        self.onDemand = onDemand
    }

    /// Appends a buffer.
    /// - Returns: whether there is room for more.
    func append(_ buffer: ByteBuffer) -> Bool {
        let (reader, hasRoom) = state.withLock { state in
            state.buffers.append(buffer)
            state.size += buffer.readableBytes
            if state.size >= Self.highWater { state.isPaused = true }
            defer { state.reader = nil }
            return (state.reader, !state.isPaused)
        }
        reader?.resume()
        return hasRoom
    }

    /// Marks the body as complete.
    func finish() { end(.complete) }

    /// Marks the body as cut off: the rest will not arrive.
    /// - Parameter isTimedOut: whether the client paused for too long.
    func cutOff(isTimedOut: Bool = false) { end(.cutOff(isTimedOut: isTimedOut)) }

    private func end(_ end: End) {
        let reader = state.withLock { state in
            if case .open = state.end { state.end = end }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    private func takeReader() -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            defer { state.reader = nil }
            return state.reader
        }
    }

    /// Returns the next buffer.
    /// - Throws: `ContentCutOff` if the rest cannot arrive, or `CancellationError`.
    func next() async throws -> ByteBuffer? {
        while true {
            switch state.withLock({ $0.step() }) {
            case .take(let buffer, let goOn):
                if goOn { onDemand() }
                return buffer
            case .end: return nil
            case .cutOff(let isTimedOut): throw ContentCutOff(isTimedOut: isTimedOut)
            case .wait(let ask):
                if ask { onDemand() }
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        let isReady = state.withLock { state in
                            if !state.buffers.isEmpty || Task.isCancelled { return true }
                            guard case .open = state.end else { return true }
                            state.reader = continuation
                            return false
                        }
                        if isReady { continuation.resume() }
                    }
                } onCancel: {
                    takeReader()?.resume()
                }
                try Task.checkCancellation()
            }
        }
    }
}

/// The error for a connection that closed too early.
struct ConnectionEnded: Error {}
