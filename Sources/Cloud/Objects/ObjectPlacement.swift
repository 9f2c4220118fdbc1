import NIOCore
import SQLite

/// Where the body of an object being written is.
enum Placement {
    /// At most one piece, kept with the object.
    case inline(ByteBuffer)
    /// Contents that already count a use by this object.
    case segments([Segment])
}

/// The object that a write finds under its key.
struct Occupant {
    let number: Int64
    let entityTag: EntityTag
    let isSegmented: Bool
}

extension Precondition {
    func check(_ occupant: Occupant?) throws(ObjectStoreError) {
        switch self {
        case .none: break
        case .ifNoneMatchAny: if occupant != nil { throw .preconditionFailed }
        case .ifMatch(let tag):
            guard let occupant else { throw .noSuchKey }
            if occupant.entityTag != tag { throw .preconditionFailed }
        }
    }
}

/// The steps of which the object store's writes consist; all of them run inside a transaction.
extension Connection {
    func occupant(of key: Value, in bucket: Bucket.ID) throws -> Occupant? {
        try first(ObjectStatement.find.rawValue, .integer(bucket.number), key) { row in
            Occupant(
                number: row.integer(0), entityTag: EntityTag(row: row, md5: 1, partCount: 2), isSegmented: row.integer(3) != 0)
        }
    }

    /// Puts the object under its key in place of what was there.
    /// - Parameter released: receives the contents that nothing refers to any more.
    /// - Throws: ``ObjectStoreError`` when the precondition fails; a foreign key violation when the bucket is gone.
    func place(
        _ record: ObjectRecord, in bucket: Bucket.ID, body: Placement, if precondition: Precondition,
        released: inout [ContentID]
    ) throws {
        let key = record.key.keyColumn
        let occupant = try occupant(of: key, in: bucket)
        try precondition.check(occupant)
        let isSegmented: Int64 = if case .segments = body { 1 } else { 0 }
        let number: Int64
        if let occupant {
            number = occupant.number
            try run(ObjectStatement.update.rawValue, [.integer(number), .integer(isSegmented)] + record.columns)
            try removeBody(of: occupant, released: &released)
        } else {
            try run(ObjectStatement.insert.rawValue, [.integer(bucket.number), key, .integer(isSegmented)] + record.columns)
            number = lastInsertedRow
        }
        switch body {
        case .inline(let bytes):
            if bytes.readableBytes == 0 { return }
            try bytes.withUnsafeReadableBytes { bytes in
                _ = try run(ObjectStatement.setBody.rawValue, .integer(number), .bytes(bytes))
            }
        case .segments(let segments):
            for segment in segments {
                try run(
                    ContentStatement.insertSegment.rawValue, .integer(number), .integer(Int64(segment.number)),
                    .integer(segment.content.number), .integer(segment.size))
            }
        }
    }

    /// Takes the object's body away but leaves its record.
    func removeBody(of occupant: Occupant, released: inout [ContentID]) throws {
        guard occupant.isSegmented else {
            try run(ObjectStatement.deleteBody.rawValue, .integer(occupant.number))
            return
        }
        for segment in try segments(of: occupant.number) { try dropUse(of: segment.content, released: &released) }
        try run(ContentStatement.deleteSegments.rawValue, .integer(occupant.number))
    }

    func segments(of object: Int64) throws -> [Segment] {
        try all(ContentStatement.segments.rawValue, .integer(object)) { row in
            Segment(
                number: Int(truncatingIfNeeded: row.integer(0)), content: ContentID(number: row.integer(1)), size: row.integer(2))
        }
    }

    func addUse(of content: ContentID) throws { try run(ContentStatement.addUse.rawValue, .integer(content.number)) }

    /// Counts one use less; a content without any is appended to `released`.
    func dropUse(of content: ContentID, released: inout [ContentID]) throws {
        let uses = try first(ContentStatement.dropUse.rawValue, .integer(content.number)) { $0.integer(0) }
        if uses == 0 { released.append(content) }
    }

    /// Writes the last piece of a staged content and counts its first use.
    func publish(_ content: ContentID, last: ByteBuffer, position: Int64) throws {
        if position == 0 { try run(ContentStatement.insert.rawValue, .integer(content.number)) }
        if last.readableBytes > 0 { try insertPiece(last, at: content.piece(at: position)) }
        try addUse(of: content)
    }
}
