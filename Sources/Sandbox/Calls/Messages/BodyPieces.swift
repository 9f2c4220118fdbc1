package import NIOCore
import ObjectStore
import WireFormats

/// A long body that is read from the store in pieces. A class, because every response has room for one.
package final class PiecedBody: Sendable {
    /// The number of bytes.
    package let length: Int
    private let bytes: ObjectBytes

    /// - Parameters:
    ///   - bytes: what the body consists of.
    ///   - length: the number of bytes.
    init(_ bytes: ObjectBytes, length: Int) {
        self.bytes = bytes
        self.length = length
    }

    /// Starts reading at the beginning.
    package func makePieces() -> BodyPieces { BodyPieces(bytes.makeAsyncIterator(), rest: length) }
}

/// What is left of a body that is read in pieces.
///
/// A value that can be kept while the client does not read. Nothing runs or waits for it then.
package struct BodyPieces: Sendable {
    private var iterator: ObjectBytes.AsyncIterator
    private var rest: Int

    fileprivate init(_ iterator: ObjectBytes.AsyncIterator, rest: Int) {
        self.iterator = iterator
        self.rest = rest
    }

    /// Whether every piece was returned.
    package var isEmpty: Bool { rest <= 0 }

    /// Returns the next piece; `nil` if there is none.
    /// - Parameter room: what the receiver takes.
    package mutating func next(for room: BodyRoom) async throws -> ByteBuffer? {
        guard let piece = try await iterator.next(upTo: room.size, readingAhead: room.readsAhead) else { return nil }
        rest -= piece.readableBytes
        return piece
    }
}
