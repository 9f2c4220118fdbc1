import NIOCore
import SQLite
import WireFormats

extension ObjectStore {
    /// The result of a write, and the contents whose last use it removed.
    struct Written: Sendable {
        var record: ObjectRecord
        var released: [ContentID] = []
        /// The staged content that now has its first use.
        var published: ContentID?
    }

    /// Publishes a staged body under a key, as a new version or as a replacement of the existing object. After an error, the body is still
    /// staged.
    /// - Parameter check: the check of an object that is permanently replaced; `nil` for none.
    /// - Throws: ``ObjectStoreError``: the precondition's errors, the errors of `check`, `noSuchBucket`, `bodyDiscarded`, `storage`.
    @discardableResult
    package func put(
        _ object: NewObject, in bucket: Bucket.ID, body: BodyWriter, if precondition: Precondition = .none,
        replacing check: ReplacementCheck? = nil
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let staged = try await body.finish()
        // The content of a long body is published before the checks.
        let checksFirst = if case .inline = staged { true } else { false }
        let publish = publication(of: staged, as: object, in: bucket, if: precondition, replacing: check)
        let written = try await write(checksFirst: checksFirst, publish) { self.settle($0) }
        body.release()
        return written.record
    }

    /// Returns what publishes a staged body. Not inlined, so that its variables are not in the frame of the asynchronous function.
    @inline(never)
    private func publication(
        of staged: StagedBody, as object: NewObject, in bucket: Bucket.ID, if precondition: Precondition, replacing check: ReplacementCheck?
    ) -> @Sendable (Connection) throws -> Written {
        let (new, numbers) = (ObjectRecord(object, size: staged.size), numbers)
        return { connection in
            var written = Written(record: new)
            try connection.place(
                &written.record, in: bucket, body: connection.placement(of: staged, published: &written.published),
                if: precondition, replacing: check, numbers: numbers, released: &written.released)
            return written
        }
    }

    /// Creates an object with the body of another one or of itself. Large bodies are shared, not copied.
    /// - Parameters:
    ///   - check: the check of an object that is permanently replaced; `nil` for none.
    ///   - make: returns the record of the new object, given that of the source. The store assigns its version.
    /// - Throws: ``ObjectStoreError``: `noSuchKey` or `isDeleteMarker` if there is no source object, `preconditionFailed` also if the
    ///   source has changed, and the errors of `check` and `make`.
    @discardableResult
    package func copy(
        _ source: CopySource, to bucket: Bucket.ID, if precondition: Precondition = .none, replacing check: ReplacementCheck? = nil,
        make: @escaping @Sendable (ObjectRecord) throws(ObjectStoreError) -> ObjectRecord
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let numbers = numbers
        let written = try await write { connection in
            let opened: OpenedObject
            switch try connection.opened(source.key, source.version, in: source.bucket) {
            case .object(let object): opened = object
            case .deleteMarker: throw ObjectStoreError.isDeleteMarker
            case .nothing: throw ObjectStoreError.noSuchKey
            }
            if let expected = source.expecting, expected != opened.record.entityTag {
                throw ObjectStoreError.preconditionFailed
            }
            for segment in opened.segments { try connection.addUse(of: segment.content) }
            var written = Written(record: try make(opened.record))
            // The copy of an appendable object is a normal object.
            if case .appendable = written.record.kind { written.record.kind = .normal }
            // A copy has no parts, unless its entity tag still contains their number.
            let hasParts = written.record.entityTag.partCount != nil
            let segments = hasParts ? opened.segments : opened.segments.map(\.withoutChecksums)
            try connection.place(
                &written.record, in: bucket, body: opened.inlineBody.map(Placement.inline) ?? .segments(segments),
                if: precondition, replacing: check, numbers: numbers, released: &written.released)
            return written
        } committed: {
            self.settle($0)
        }
        return written.record
    }

    /// Changes the record of an existing object, whose body stays the same.
    /// - Parameter change: changes the record. Its changes to key, size, version and number of parts are ignored.
    /// - Throws: ``ObjectStoreError``: `noSuchKey`, `isDeleteMarker`, and the errors of `change`.
    @discardableResult
    package func update(
        _ key: String, version: VersionSelector = .current, in bucket: Bucket.ID,
        _ change: @escaping @Sendable (inout ObjectRecord) throws(ObjectStoreError) -> Void
    ) async throws(ObjectStoreError) -> ObjectRecord {
        try await write { connection in
            let record: ObjectRecord
            switch try connection.headed(key, version, in: bucket) {
            case .object(let found): record = found
            case .deleteMarker: throw ObjectStoreError.isDeleteMarker
            case .nothing: throw ObjectStoreError.noSuchKey
            }
            var changed = record
            try change(&changed)
            (changed.key, changed.size, changed.version) = (record.key, record.size, record.version)
            changed.entityTag.partCount = record.entityTag.partCount
            let place: [Value] = [.integer(bucket.number), key.keyColumn]
            let isCurrent = try connection.occupant(of: key.keyColumn, in: bucket)?.version == record.version
            if isCurrent {
                try connection.run(ObjectStatement.update.text, place + changed.columns)
            } else {
                try connection.run(
                    VersionStatement.update.text, place + [.integer(record.version.sequence)] + changed.columns)
            }
            return changed
        }
    }

    /// Updates the state of contents in memory after a commit.
    func settle(_ written: Written) {
        if let content = written.published { contents.publish(content) }
        contents.release(written.released)
    }
}

extension ObjectRecord {
    /// Creates the record of a new object.
    init(_ object: NewObject, size: Int64) {
        self.init(
            key: object.key, size: size, entityTag: EntityTag(md5: object.md5), modified: object.modified,
            attributes: object.attributes, checksums: object.checksums, owner: object.owner, properties: object.properties,
            kind: object.kind)
    }
}

extension Segment {
    fileprivate var withoutChecksums: Segment { Segment(number: number, content: content, size: size) }
}

extension StagedBody {
    var size: Int64 {
        switch self {
        case .inline(let bytes): Int64(bytes.readableBytes)
        case .content(_, let size, _, _): size
        }
    }
}
