package import Cloud
package import NIOCore
import WireFormats

/// The body of a request, complete or still arriving. It can be read once.
package struct RequestBody: AsyncSequence, Sendable {
    /// The body is read in buffers.
    package typealias Element = ByteBuffer

    private enum Source: Sendable {
        case whole(ByteBuffer)
        case arriving(any ArrivingContent)
    }

    private let source: Source

    /// Creates a body that is complete; it may be empty.
    package init(buffer: ByteBuffer = ByteBuffer()) {
        source = .whole(buffer)
    }

    /// Creates a body that a connection is still receiving.
    package init(arriving content: some ArrivingContent) {
        source = .arriving(content)
    }

    /// The whole body; `nil` if it is still arriving.
    package var whole: ByteBuffer? {
        if case .whole(let buffer) = source { buffer } else { nil }
    }

    /// Returns the same body, which is copied into a capture while it is read.
    package func captured(by capture: CapturedExchange) -> RequestBody {
        switch source {
        case .whole(let buffer):
            capture.append(buffer.readableBytesView, to: .request)
            return self
        case .arriving(let content): return RequestBody(arriving: CapturedContent(content: content, capture: capture))
        }
    }

    /// Returns the iterator. The body can be read once.
    package func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .whole(let buffer): AsyncIterator(state: buffer.readableBytes == 0 ? .ended : .whole(buffer))
        case .arriving(let content): AsyncIterator(state: .arriving(content))
        }
    }

    /// Reads the body buffer by buffer.
    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate enum State: Sendable {
            case whole(ByteBuffer)
            case arriving(any ArrivingContent)
            case ended
        }

        fileprivate var state: State

        /// - Returns: the next bytes, never empty; `nil` at the end.
        /// - Throws: ``ContentCutOff``.
        package mutating func next() async throws -> ByteBuffer? {
            switch state {
            case .whole(let buffer):
                state = .ended
                return buffer
            case .arriving(let content): return try await content.next()
            case .ended: return nil
            }
        }
    }
}

/// A body that is still arriving. It has one reader; if the reader is slow, the transport soon stops receiving.
package protocol ArrivingContent: AnyObject, Sendable {
    /// - Returns: the next bytes, never empty; `nil` at the end.
    func next() async throws -> ByteBuffer?
}

/// The error for a body that ends early: the client disconnected, closed its side, or sent malformed HTTP.
package struct ContentCutOff: Error {
    /// Whether the client paused for too long.
    package let isTimedOut: Bool

    /// Creates the error.
    package init(isTimedOut: Bool = false) { self.isTimedOut = isTimedOut }
}

/// Copies a request body while it arrives.
private final class CapturedContent: ArrivingContent {
    private let content: any ArrivingContent
    private let capture: CapturedExchange

    init(content: any ArrivingContent, capture: CapturedExchange) {
        self.content = content
        self.capture = capture
    }

    func next() async throws -> ByteBuffer? {
        let buffer = try await content.next()
        if let buffer { capture.append(buffer.readableBytesView, to: .request) }
        return buffer
    }
}
