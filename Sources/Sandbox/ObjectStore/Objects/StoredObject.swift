package import NIOCore
import SQLite
import WireFormats

/// An object that is open for reading: its record, and access to its body.
///
/// The body stays readable as long as this object or a sequence from it exists, even if the stored object is changed or deleted.
/// A class, because the record has about forty words and a dozen references, and is passed on in every step of a read.
package final class StoredObject: Sendable {
    /// A part of an object that was uploaded in parts.
    package struct Part: Hashable, Sendable {
        /// The part number.
        package let number: Int
        /// The size, in bytes.
        package let size: Int64
        /// The checksums of the part.
        package let checksums: [Checksum]
    }

    /// The record of the object.
    package let record: ObjectRecord
    /// The whole body if it is stored in one row: at most 256 KiB, and not uploaded in parts.
    package let inlineBody: ByteBuffer?
    let segments: [Segment]
    let pin: ContentPin?
    /// The small body that was not read with the record.
    let later: LaterBody?

    init(record: ObjectRecord, inlineBody: ByteBuffer?, segments: [Segment] = [], pin: ContentPin? = nil) {
        self.record = record
        self.inlineBody = inlineBody
        self.segments = segments
        self.pin = pin
        later = nil
    }

    init(record: ObjectRecord, later: LaterBody) {
        self.record = record
        self.later = later
        (inlineBody, segments, pin) = (nil, [], nil)
    }

    /// Whether the body is small and is read in pieces nevertheless. Its reads fail once the object has been replaced.
    package var isBodyLater: Bool { later != nil }

    /// The parts, in order; empty unless the object was uploaded in parts.
    package var parts: [Part] {
        record.entityTag.partCount == nil ? [] : segments.map { Part(number: $0.number, size: $0.size, checksums: $0.checksums) }
    }

    /// Returns the byte range of a part in the body. Part 1 of an object that was not uploaded in parts is the whole body.
    package func range(ofPart number: Int) -> Range<Int64>? {
        if record.entityTag.partCount == nil { return number == 1 ? 0..<record.size : nil }
        var start: Int64 = 0
        for segment in segments {
            if segment.number == number { return start..<start + segment.size }
            start += segment.size
        }
        return nil
    }

    /// Returns the body, or the existing bytes of a range of it, as buffers of at most 256 KiB.
    package func bytes(in range: Range<Int64>? = nil) -> ObjectBytes {
        ObjectBytes(self, range: (range ?? 0..<record.size).clamped(to: 0..<record.size))
    }
}

/// Prevents contents from being swept as long as it exists.
final class ContentPin: Sendable {
    let database: Database
    private let contents: Contents
    private let pinned: [ContentID]

    /// Takes ownership of pins that the caller has set.
    init(_ pinned: [ContentID], in contents: Contents, database: Database) {
        self.pinned = pinned
        self.contents = contents
        self.database = database
    }

    deinit { contents.unpin(pinned) }
}

extension Row {
    /// Copies the bytes of a column into a buffer.
    /// - Parameter part: the bytes to copy, as far as there are any; `nil` for all.
    func buffer(_ column: Int32, _ part: Range<Int>? = nil) -> ByteBuffer {
        withBlob(column) { bytes in
            let wanted = part.map { UnsafeRawBufferPointer(rebasing: bytes[$0.clamped(to: 0..<bytes.count)]) } ?? bytes
            var buffer = ByteBufferAllocator().buffer(capacity: wanted.count)
            buffer.writeBytes(wanted)
            return buffer
        }
    }

    /// Copies a part of the small body of an object; nothing of a body that is longer than `longest`.
    func body(_ column: Int32, of record: ObjectRecord, upTo longest: Int64, _ part: Range<Int>?) -> ByteBuffer {
        record.size > longest ? ByteBuffer() : buffer(column, part)
    }
}
