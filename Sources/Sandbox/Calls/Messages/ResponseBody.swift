package import HTTPTypes
package import NIOCore
import WireFormats

/// The body of a response: empty, one buffer, read in pieces, or written by a closure at the speed of the receiver.
package struct ResponseBody: Sendable {
    /// The source of the body.
    package enum Content: Sendable {
        case none
        case whole(ByteBuffer)
        /// Read from the store in pieces, whose sizes the receiver chooses.
        case pieces(PiecedBody)
        /// Written by the closure; `length` is the number of bytes, if it is known.
        case written(length: Int?, @Sendable (inout any ResponseBodyWriter) async throws -> Void)
    }

    /// The source of the body.
    package let content: Content

    package init() {
        content = .none
    }

    package init(byteBuffer: ByteBuffer) {
        content = .whole(byteBuffer)
    }

    /// Creates a body that is read in pieces.
    init(pieces: PiecedBody) {
        content = .pieces(pieces)
    }

    /// - Parameters:
    ///   - contentLength: the number of bytes that `write` writes; if it is `nil`, the response is sent in chunks.
    ///   - write: writes the body and calls `finish`; if it throws, the connection closes.
    package init(contentLength: Int? = nil, _ write: @Sendable @escaping (inout any ResponseBodyWriter) async throws -> Void) {
        content = .written(length: contentLength, write)
    }

    /// The number of bytes; `nil` if it is unknown.
    package var contentLength: Int? {
        switch content {
        case .none: 0
        case .whole(let buffer): buffer.readableBytes
        case .pieces(let body): body.length
        case .written(let length, _): length
        }
    }

    /// Writes the whole body to `writer`.
    package func write(_ writer: consuming any ResponseBodyWriter) async throws {
        switch content {
        case .none: try await writer.finish(nil)
        case .whole(let buffer):
            try await writer.write(buffer)
            try await writer.finish(nil)
        case .pieces(let body):
            var pieces = body.makePieces()
            while !pieces.isEmpty, let piece = try await pieces.next(for: writer.room()) { try await writer.write(piece) }
            try await writer.finish(nil)
        case .written(_, let write): try await write(&writer)
        }
    }
}

/// Receives the body of a response, buffer by buffer.
package protocol ResponseBodyWriter {
    /// Returns the part of the body that the receiver takes next. A writer that reads the body from the store asks before each piece.
    mutating func room() async throws -> BodyRoom
    /// Writes a buffer. Returns when the receiver is ready for more.
    mutating func write(_ buffer: ByteBuffer) async throws
    /// Ends the body.
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws
}

extension ResponseBodyWriter {
    /// Returns the full room, for receivers that keep no more than they need.
    package mutating func room() async throws -> BodyRoom { .full }
}
