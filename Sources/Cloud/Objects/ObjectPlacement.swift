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
    /// The number under which its body is kept; 0 for an empty body.
    let body: Int64
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
                body: row.integer(0), entityTag: EntityTag(row: row, md5: 1, partCount: 2), isSegmented: row.integer(3) != 0)
        }
    }

    /// Puts the object under its key in place of what was there.
    /// - Parameters:
    ///   - contents: gives a body that has none its number.
    ///   - released: receives the contents that nothing refers to any more.
    /// - Throws: ``ObjectStoreError`` when the precondition fails; a foreign key violation when the bucket is gone.
    func place(
        _ record: ObjectRecord, in bucket: Bucket.ID, body: Placement, if precondition: Precondition,
        contents: Contents, released: inout [ContentID]
    ) throws {
        let key = record.key.keyColumn
        let occupant = try occupant(of: key, in: bucket)
        try precondition.check(occupant)
        let number: Int64
        switch body {
        case .inline(let bytes):
            // The body of the same kind that was there makes room for this one.
            let reused = occupant.map { $0.isSegmented ? 0 : $0.body } ?? 0
            if bytes.readableBytes == 0 || reused == 0, let occupant { try removeBody(of: occupant, released: &released) }
            number = bytes.readableBytes == 0 ? 0 : reused == 0 ? contents.newBodyNumber() : reused
            if number != 0 {
                try bytes.withUnsafeReadableBytes { bytes in
                    _ = try run(ObjectStatement.setBody.rawValue, .integer(number), .bytes(bytes))
                }
            }
        case .segments(let segments):
            if let occupant { try removeBody(of: occupant, released: &released) }
            number = contents.newBodyNumber()
            for segment in segments {
                try run(
                    ContentStatement.insertSegment.rawValue, .integer(number), .integer(Int64(segment.number)),
                    .integer(segment.content.number), .integer(segment.size))
            }
        }
        let isSegmented: Int64 = if case .segments = body { 1 } else { 0 }
        let place: [Value] = [.integer(bucket.number), key, .integer(number), .integer(isSegmented)]
        try run(ObjectStatement.set.rawValue, place + record.columns)
    }

    /// Deletes the object's body but leaves its record.
    func removeBody(of occupant: Occupant, released: inout [ContentID]) throws {
        guard occupant.isSegmented else {
            if occupant.body != 0 { try run(ObjectStatement.deleteBody.rawValue, .integer(occupant.body)) }
            return
        }
        for segment in try segments(of: occupant.body) { try dropUse(of: segment.content, released: &released) }
        try run(ContentStatement.deleteSegments.rawValue, .integer(occupant.body))
    }

    func segments(of body: Int64) throws -> [Segment] {
        try all(ContentStatement.segments.rawValue, .integer(body)) { row in
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
