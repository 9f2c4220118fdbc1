import NIOCore
import SQLite
import WireFormats

/// A small body that is read in pieces, because there is no memory for all of it.
///
/// Small bodies are not kept for readers: if the object is replaced or deleted, the next read fails. A class with what finds the object
/// again, because each reader has one for as long as its client reads, and each opened object has room for one.
final class LaterBody: Sendable {
    let database: Database
    private let bucket: Bucket.ID
    private let key: String
    private let sequence: Int64
    private let size: Int64
    private let entityTag: EntityTag

    init(_ record: ObjectRecord, in bucket: Bucket.ID, database: Database) {
        key = record.key
        sequence = record.version.sequence
        size = record.size
        entityTag = record.entityTag
        self.bucket = bucket
        self.database = database
    }

    /// Returns a part of the body.
    /// - Throws: `ObjectStoreError.storage` if the object was replaced or deleted.
    func read(_ range: Range<Int>, on connection: Connection) throws -> ByteBuffer {
        let found = try connection.readTransaction {
            try connection.opened(key, .sequence(sequence), in: bucket, part: range)
        }
        guard case .object(let opened) = found, opened.record.size == size, opened.record.entityTag == entityTag,
            let piece = opened.inlineBody, piece.readableBytes == range.count
        else { throw ObjectStoreError.storage(Self.replaced) }
        return piece
    }

    /// An error after which clients try again.
    private static let replaced = SQLiteError(extendedCode: 5, message: "the object was replaced while it was read")
}
