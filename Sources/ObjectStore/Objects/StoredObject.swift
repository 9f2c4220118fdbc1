package import NIOCore
import SQLite

/// An object opened for reading: its record, and its body or the way to it.
///
/// The body stays readable while this object or a sequence made from it lives, whatever happens to the stored one meanwhile.
/// By reference: the record alone is some forty words with a dozen counted references, and every step of a read hands it on.
package final class StoredObject: Sendable {
    /// A part of an object that was uploaded in parts.
    package struct Part: Hashable, Sendable {
        /// As the uploader numbered it.
        package let number: Int
        /// Bytes.
        package let size: Int64
        /// The checksums of the part.
        package let checksums: [Checksum]
    }

    /// What is known of the object.
    package let record: ObjectRecord
    /// The whole body where it is kept in one piece with its record: at most 256 KiB, and not uploaded in parts.
    package let inlineBody: ByteBuffer?
    let segments: [Segment]
    let pin: ContentPin?

    init(record: ObjectRecord, inlineBody: ByteBuffer?, segments: [Segment] = [], pin: ContentPin? = nil) {
        self.record = record
        self.inlineBody = inlineBody
        self.segments = segments
        self.pin = pin
    }

    /// The parts in the order of the body; empty unless the object was uploaded in parts.
    package var parts: [Part] {
        record.entityTag.partCount == nil ? [] : segments.map { Part(number: $0.number, size: $0.size, checksums: $0.checksums) }
    }

    /// The bytes of one part, counted from the start of the body; part 1 of an object not uploaded in parts is all of it.
    package func range(ofPart number: Int) -> Range<Int64>? {
        if record.entityTag.partCount == nil { return number == 1 ? 0..<record.size : nil }
        var start: Int64 = 0
        for segment in segments {
            if segment.number == number { return start..<start + segment.size }
            start += segment.size
        }
        return nil
    }

    /// The body, or those bytes of the range that it has, as buffers of at most 256 KiB.
    package func bytes(in range: Range<Int64>? = nil) -> ObjectBytes {
        ObjectBytes(object: self, range: (range ?? 0..<record.size).clamped(to: 0..<record.size))
    }
}

/// Holds contents against being swept while it lives.
final class ContentPin: Sendable {
    let database: Database
    private let contents: Contents
    private let pinned: [ContentID]

    /// Takes over pins that the caller has set.
    init(_ pinned: [ContentID], in contents: Contents, database: Database) {
        self.pinned = pinned
        self.contents = contents
        self.database = database
    }

    deinit { contents.unpin(pinned) }
}

extension Row {
    /// The column's bytes in a buffer of their own.
    func buffer(_ column: Int32) -> ByteBuffer {
        withBlob(column) { bytes in
            var buffer = ByteBufferAllocator().buffer(capacity: bytes.count)
            buffer.writeBytes(bytes)
            return buffer
        }
    }
}
