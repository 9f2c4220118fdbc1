import NIOCore
import SQLite
import WireFormats

/// The storage of the body of an object that is being written.
enum Placement {
    /// At most one piece, stored in one row.
    case inline(ByteBuffer)
    /// Segments whose contents already count a use by this object.
    case segments([Segment])
}

/// The existing object or version under a key, as a write finds it.
struct Occupant {
    /// The number of its body; 0 for an empty body.
    let body: Int64
    let entityTag: EntityTag
    let isSegmented: Bool
    let version: ObjectVersion
    /// Whether it is a delete marker, which only versions can be.
    var isDeleteMarker = false

    /// Reads the columns body, md5, part_count, is_segmented, sequence, is_null.
    init(object row: Row) {
        body = row.integer(0)
        entityTag = EntityTag(row: row, md5: 1, partCount: 2)
        isSegmented = row.integer(3) != 0
        version = ObjectVersion(row: row, from: 4)
    }

    /// Reads the same columns, then is_delete_marker.
    init(version row: Row) {
        self.init(object: row)
        isDeleteMarker = row.integer(6) != 0
    }
}

/// The steps of the object store's writes. All of them run inside a transaction.
extension Connection {
    /// Returns the current object of a key.
    func occupant(of key: Value, in bucket: Bucket.ID) throws -> Occupant? {
        try first(ObjectStatement.find.text, .integer(bucket.number), key, row: Occupant.init(object:))
    }

    /// Writes an object under its key. The existing object becomes a version or is replaced, depending on the bucket's versioning.
    /// - Parameters:
    ///   - record: the record, which gets its version.
    ///   - check: the check of an object that is permanently replaced.
    ///   - released: receives the contents that are no longer referenced.
    /// - Throws: ``ObjectStoreError`` if the precondition fails or the bucket was deleted, and the errors of `check`.
    func place(
        _ record: inout ObjectRecord, in bucket: Bucket.ID, body: Placement, if precondition: Precondition,
        replacing check: ReplacementCheck? = nil, numbers: RowNumbers, released: inout [ContentID]
    ) throws {
        let key = record.key.keyColumn
        let versioning = try versioning(of: bucket)
        let occupant = try occupant(of: key, in: bucket)
        try precondition.check(occupant?.entityTag)
        if let check, versioning == .never, occupant != nil, case .object(let present) = try headed(record.key, .current, in: bucket) {
            try check(present)
        }
        let replaced = try makeRoom(for: key, over: occupant, in: bucket, versioning, released: &released)
        let newest = try occupant?.version.sequence ?? (versioning == .never ? nil : newestVersion(of: key, in: bucket)?.version.sequence)
        record.version = ObjectVersion(
            sequence: numbers.sequences.next(at: record.modified, after: newest), isNull: versioning != .enabled)
        let number: Int64
        switch body {
        case .inline(let bytes):
            // The row of the existing body is reused if it is of the same kind.
            let reused = replaced.map { $0.isSegmented ? 0 : $0.body } ?? 0
            if bytes.readableBytes == 0 || reused == 0, let replaced { try removeBody(of: replaced, released: &released) }
            number = bytes.readableBytes == 0 ? 0 : reused == 0 ? numbers.contents.newBodyNumber() : reused
            if number != 0 {
                try bytes.withUnsafeReadableBytes { bytes in
                    _ = try run(ObjectStatement.setBody.text, .integer(number), .bytes(bytes))
                }
            }
        case .segments(let segments):
            if let replaced { try removeBody(of: replaced, released: &released) }
            number = numbers.contents.newBodyNumber()
            for segment in segments { try insert(segment, of: number) }
        }
        let isSegmented: Int64 = if case .segments = body { 1 } else { 0 }
        let place: [Value] = [.integer(bucket.number), key, .integer(number), .integer(isSegmented)]
        let statement = occupant == nil ? ObjectStatement.insert : .replace
        try run(statement.text, place + record.columns)
    }

    /// Returns the placement of a staged body as an object of its own.
    /// - Parameter published: receives the staged content, which now has its first use.
    func placement(of staged: StagedBody, published: inout ContentID?) throws -> Placement {
        switch staged {
        case .inline(let bytes): return .inline(bytes)
        case .content(let content, let size, let last, let position):
            try publish(content, last: last, position: position)
            published = content
            return .segments([Segment(number: 1, content: content, size: size)])
        }
    }

    func insert(_ segment: Segment, of body: Int64) throws {
        try run(
            ContentStatement.insertSegment.rawValue, .integer(body), .integer(Int64(segment.number)),
            .integer(segment.content.number), .integer(segment.size), FieldCoding.encode(segment.checksums))
    }

    /// Deletes the object's body, but not its record.
    func removeBody(of occupant: Occupant, released: inout [ContentID]) throws {
        guard occupant.isSegmented else {
            if occupant.body != 0 { try run(ObjectStatement.deleteBody.text, .integer(occupant.body)) }
            return
        }
        for segment in try segments(of: occupant.body) { try dropUse(of: segment.content, released: &released) }
        try run(ContentStatement.deleteSegments.rawValue, .integer(occupant.body))
    }

    func segments(of body: Int64) throws -> [Segment] {
        try all(ContentStatement.segments.rawValue, .integer(body)) { row in
            Segment(
                number: Int(truncatingIfNeeded: row.integer(0)), content: ContentID(number: row.integer(1)),
                size: row.integer(2), checksums: FieldCoding.checksums(in: row, at: 3))
        }
    }

    func addUse(of content: ContentID) throws { try run(ContentStatement.addUse.rawValue, .integer(content.number)) }

    /// Decrements the use count of a content. If it reaches 0, the content is appended to `released`.
    func dropUse(of content: ContentID, released: inout [ContentID]) throws {
        let uses = try first(ContentStatement.dropUse.rawValue, .integer(content.number)) { $0.integer(0) }
        if uses == 0 { released.append(content) }
    }

    /// Writes the last piece of a staged content, and counts its first use.
    func publish(_ content: ContentID, last: ByteBuffer, position: Int64) throws {
        if position == 0 { try run(ContentStatement.insert.rawValue, .integer(content.number)) }
        if last.readableBytes > 0 { try insertPiece(last, at: content.piece(at: position)) }
        try addUse(of: content)
    }
}
