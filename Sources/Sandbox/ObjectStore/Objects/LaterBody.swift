import NIOCore
import SQLite
import WireFormats

/// A small body that is read in pieces, because there is no memory for all of it.
///
/// Small bodies are not kept for readers: if the object is replaced or deleted, the next read fails.
struct LaterBody: Sendable {
    let database: Database
    private let bucket: Bucket.ID
    private let record: ObjectRecord

    init(_ record: ObjectRecord, in bucket: Bucket.ID, database: Database) {
        self.record = record
        self.bucket = bucket
        self.database = database
    }

    /// Returns a part of the body.
    /// - Throws: `ObjectStoreError.storage` if the object was replaced or deleted.
    func read(_ range: Range<Int>, on connection: Connection) throws -> ByteBuffer {
        let found = try connection.readTransaction {
            try connection.opened(record.key, .sequence(record.version.sequence), in: bucket)
        }
        guard case .object(let opened) = found, opened.record.size == record.size, opened.record.entityTag == record.entityTag,
            let body = opened.inlineBody, let slice = body.getSlice(at: body.readerIndex + range.lowerBound, length: range.count)
        else { throw ObjectStoreError.storage(Self.replaced) }
        // A copy, because the slice would keep the whole body.
        var piece = ByteBufferAllocator().buffer(capacity: range.count)
        piece.writeImmutableBuffer(slice)
        return piece
    }

    /// An error after which clients try again.
    private static let replaced = SQLiteError(extendedCode: 5, message: "the object was replaced while it was read")
}
