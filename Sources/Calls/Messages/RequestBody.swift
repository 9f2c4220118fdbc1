package import NIOCore

/// The content of a request: whole, or as it arrives. It can be read once.
package struct RequestBody: AsyncSequence, Sendable {
    /// The content comes in buffers.
    package typealias Element = ByteBuffer

    private enum Source: Sendable {
        case whole(ByteBuffer)
        case arriving(any ArrivingContent)
    }

    private let source: Source

    /// Content that is here already; may be empty.
    package init(buffer: ByteBuffer = ByteBuffer()) {
        source = .whole(buffer)
    }

    /// Content that a connection is still receiving.
    package init(arriving content: some ArrivingContent) {
        source = .arriving(content)
    }

    /// The content can be taken once.
    package func makeAsyncIterator() -> AsyncIterator {
        switch source {
        case .whole(let buffer): AsyncIterator(state: buffer.readableBytes == 0 ? .ended : .whole(buffer))
        case .arriving(let content): AsyncIterator(state: .arriving(content))
        }
    }

    /// Takes the content piece by piece.
    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate enum State: Sendable {
            case whole(ByteBuffer)
            case arriving(any ArrivingContent)
            case ended
        }

        fileprivate var state: State

        /// - Returns: the next bytes, never none; nothing after the last.
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

/// Content on its way in. The one reader sets the pace: what it does not take the transport soon stops to receive.
package protocol ArrivingContent: AnyObject, Sendable {
    /// - Returns: the next bytes, never none; nothing after the last.
    func next() async throws -> ByteBuffer?
}

/// Content that will not arrive: the client has gone, closed its side, or sent what is no HTTP.
package struct ContentCutOff: Error {
    package init() {}
}
