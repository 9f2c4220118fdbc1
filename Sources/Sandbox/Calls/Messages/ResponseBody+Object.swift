package import NIOCore
package import ObjectStore
import WireFormats

extension ResponseBody {
    /// The longest range in bytes that is sent as one buffer with the head.
    private static let longestBuffer: Int64 = 256 << 10

    /// Creates a body from an object or a range of it, if the object's body came with its record; `nil` otherwise.
    package init?(inline stored: StoredObject, _ range: Range<Int64>? = nil) {
        guard let inline = stored.inlineBody else { return nil }
        guard let range else {
            self.init(byteBuffer: inline)
            return
        }
        let start = inline.readerIndex + Int(range.lowerBound)
        self.init(byteBuffer: inline.getSlice(at: start, length: range.count) ?? ByteBuffer())
    }

    /// Creates a body from an object or a range of it; a long one is streamed.
    package init(_ stored: StoredObject, _ range: Range<Int64>? = nil) async throws {
        let length = range.map { Int64($0.count) } ?? stored.record.size
        if let body = ResponseBody(inline: stored, range) {
            self = body
            return
        }
        let bytes = stored.bytes(in: range)
        guard length > (stored.isBodyLater ? ResponseMemory.longestScarceBody : Self.longestBuffer) else {
            var whole = ByteBufferAllocator().buffer(capacity: Int(length))
            for try await piece in bytes { whole.writeImmutableBuffer(piece) }
            self.init(byteBuffer: whole)
            return
        }
        self.init(pieces: PiecedBody(bytes, length: Int(length)))
    }
}

extension ObjectBytes.AsyncIterator {
    /// Returns the next piece, no longer than a receiver takes; `nil` at the end.
    package mutating func next(for writer: inout any ResponseBodyWriter) async throws -> ByteBuffer? {
        let room = try await writer.room()
        return try await next(upTo: room.size, readingAhead: room.readsAhead)
    }
}
