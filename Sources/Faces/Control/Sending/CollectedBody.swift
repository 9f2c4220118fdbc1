import Calls
import ControlDocuments
import HTTPTypes
import NIOCore
import Synchronization
import WireFormats

/// Collects the beginning of a response body. What follows the limit is not produced.
final class CollectedBody: Sendable {
    private struct State {
        var start: [UInt8] = []
        var isFull = false
        var isCutOff = false
    }

    /// Ends a body that is longer than the limit.
    private struct Full: Error {}

    private struct Writer: ResponseBodyWriter {
        let collected: CollectedBody

        mutating func write(_ buffer: ByteBuffer) async throws {
            guard collected.append(buffer) else { throw Full() }
        }

        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    private let limit: Int
    private let state = Mutex(State())

    /// - Parameter limit: how many bytes to keep.
    init(limit: Int) { self.limit = limit }

    /// Collects a body.
    func collect(_ body: ResponseBody) async {
        do {
            try await body.write(Writer(collected: self))
        } catch is Full {
            // The rest is not needed.
        } catch {
            state.withLock { $0.isCutOff = true }
        }
    }

    /// Whether the body ended early, as if the connection had closed.
    var isCutOff: Bool { state.withLock { $0.isCutOff } }

    /// The collected bytes.
    var start: [UInt8] { state.withLock { $0.start } }

    /// The body as a document.
    /// - Parameter length: the length of the whole body, if it is known.
    func document(length: Int?) -> Document<MessageBodyMembers> {
        let state = state.withLock { $0 }
        let collected = Int64(state.start.count)
        return MessageBody(start: state.start, total: length.map(Int64.init) ?? (state.isFull ? collected + 1 : collected)).document
    }

    private func append(_ buffer: ByteBuffer) -> Bool {
        state.withLock { state in
            let bytes = buffer.readableBytesView
            let rest = limit - state.start.count
            state.start += bytes.prefix(rest)
            if bytes.count > rest { state.isFull = true }
            return !state.isFull
        }
    }
}
