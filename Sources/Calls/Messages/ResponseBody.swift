package import HTTPTypes
package import NIOCore

/// The content of an answer: none, one buffer, or what a closure writes at the pace of the receiver.
package struct ResponseBody: Sendable {
    /// Where the content comes from.
    package enum Content: Sendable {
        case none
        case whole(ByteBuffer)
        /// With the number of bytes that the closure writes, if it is known before.
        case written(length: Int?, @Sendable (inout any ResponseBodyWriter) async throws -> Void)
    }

    /// Where the content comes from.
    package let content: Content

    package init() {
        content = .none
    }

    package init(byteBuffer: ByteBuffer) {
        content = .whole(byteBuffer)
    }

    /// - Parameters:
    ///   - contentLength: what `write` writes altogether; without it the answer is sent in chunks.
    ///   - write: writes the content and calls `finish`; an error from it ends the connection.
    package init(contentLength: Int? = nil, _ write: @Sendable @escaping (inout any ResponseBodyWriter) async throws -> Void) {
        content = .written(length: contentLength, write)
    }

    /// The number of bytes, or `nil` if it is not known.
    package var contentLength: Int? {
        switch content {
        case .none: 0
        case .whole(let buffer): buffer.readableBytes
        case .written(let length, _): length
        }
    }

    /// Writes all of it to `writer`.
    package func write(_ writer: consuming any ResponseBodyWriter) async throws {
        switch content {
        case .none: try await writer.finish(nil)
        case .whole(let buffer):
            try await writer.write(buffer)
            try await writer.finish(nil)
        case .written(_, let write): try await write(&writer)
        }
    }
}

/// Takes the content of an answer, piece by piece.
package protocol ResponseBodyWriter {
    /// Returns when the receiver is ready for more.
    mutating func write(_ buffer: ByteBuffer) async throws
    /// Ends the content.
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws
}
