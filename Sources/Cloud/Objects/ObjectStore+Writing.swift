import NIOCore
import SQLite

extension ObjectStore {
    /// What a write made, and which contents lost their last use by it.
    struct Written: Sendable {
        var record: ObjectRecord
        var released: [ContentID] = []
        /// The staged content that got its first use.
        var published: ContentID?
    }

    /// Publishes a staged body under a key, in place of what was there. After an error the body is still staged.
    /// - Throws: ``ObjectStoreError``: the precondition's errors, `noSuchBucket`, `bodyDiscarded`, `storage`.
    @discardableResult
    package func put(
        _ object: NewObject, in bucket: Bucket.ID, body: BodyWriter, if precondition: Precondition = .none
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let staged = try await body.finish()
        let record = ObjectRecord(
            key: object.key, size: staged.size, entityTag: EntityTag(md5: object.md5), modified: object.modified,
            attributes: object.attributes, checksums: object.checksums, owner: object.owner)
        let written = try await write { connection in
            var written = Written(record: record)
            let placement: Placement
            switch staged {
            case .inline(let bytes): placement = .inline(bytes)
            case .content(let content, let size, let last, let position):
                try connection.publish(content, last: last, position: position)
                written.published = content
                placement = .segments([Segment(number: 1, content: content, size: size)])
            }
            try connection.place(
                record, in: bucket, body: placement, if: precondition, contents: self.contents, released: &written.released)
            return written
        } committed: {
            self.settle($0)
        }
        body.release()
        return written.record
    }

    /// Makes an object with the body of another, or changes an object's record when both are the same. Large bodies are
    /// shared, not copied.
    /// - Throws: ``ObjectStoreError``: `noSuchKey` without a source, `preconditionFailed` also when the source has changed.
    @discardableResult
    package func copy(
        _ source: CopySource, to bucket: Bucket.ID, as object: CopiedObject, if precondition: Precondition = .none
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let written = try await write { connection in
            let opened = try connection.openedObject(source.key, in: source.bucket)
            guard let opened else { throw ObjectStoreError.noSuchKey }
            if let expected = source.expecting, expected != opened.record.entityTag {
                throw ObjectStoreError.preconditionFailed
            }
            var record = opened.record
            record.key = object.key
            record.owner = object.owner
            record.modified = object.modified
            if let attributes = object.attributes { record.attributes = attributes }
            if let entityTag = object.entityTag { record.entityTag = entityTag }
            if let checksums = object.checksums { record.checksums = checksums }
            for segment in opened.segments { try connection.addUse(of: segment.content) }
            var written = Written(record: record)
            try connection.place(
                record, in: bucket, body: opened.inlineBody.map(Placement.inline) ?? .segments(opened.segments),
                if: precondition, contents: self.contents, released: &written.released)
            return written
        } committed: {
            self.settle($0)
        }
        return written.record
    }

    /// Deletes the object under a key.
    /// - Parameter tag: the tag that the caller has judged; an object changed meanwhile is
    ///   ``ObjectStoreError/preconditionFailed``, one that is gone ``ObjectStoreError/noSuchKey``.
    /// - Returns: whether there was one.
    @discardableResult
    package func delete(
        _ key: String, in bucket: Bucket.ID, expecting tag: EntityTag? = nil
    ) async throws(ObjectStoreError) -> Bool {
        try await write { connection -> (existed: Bool, released: [ContentID]) in
            var released: [ContentID] = []
            if let tag { try Precondition.ifMatch(tag).check(try connection.occupant(of: key.keyColumn, in: bucket)) }
            let existed = try connection.remove(key.keyColumn, in: bucket, released: &released)
            return (existed, released)
        } committed: {
            self.contents.release($0.released)
        }.existed
    }

    /// Deletes the objects under several keys in one transaction.
    /// - Returns: for each key, in its place, whether there was an object.
    @discardableResult
    package func delete(_ keys: [String], in bucket: Bucket.ID) async throws(ObjectStoreError) -> [Bool] {
        try await write { connection -> (existed: [Bool], released: [ContentID]) in
            var released: [ContentID] = []
            let existed = try keys.map { try connection.remove($0.keyColumn, in: bucket, released: &released) }
            return (existed, released)
        } committed: {
            self.contents.release($0.released)
        }.existed
    }

    /// Brings the memory of contents up to date with a commit.
    func settle(_ written: Written) {
        if let content = written.published { contents.publish(content) }
        contents.release(written.released)
    }
}

extension StagedBody {
    var size: Int64 {
        switch self {
        case .inline(let bytes): Int64(bytes.readableBytes)
        case .content(_, let size, _, _): size
        }
    }
}

extension Connection {
    /// Removes the object under a key with its body.
    /// - Returns: whether there was one.
    fileprivate func remove(_ key: Value, in bucket: Bucket.ID, released: inout [ContentID]) throws -> Bool {
        guard let occupant = try occupant(of: key, in: bucket) else { return false }
        try removeBody(of: occupant, released: &released)
        try run(ObjectStatement.delete.rawValue, .integer(bucket.number), key)
        return true
    }
}
