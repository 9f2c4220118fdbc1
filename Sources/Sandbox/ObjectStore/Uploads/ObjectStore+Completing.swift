import SQLite
import WireFormats

extension ObjectStore {
    /// Creates an object from an upload's parts, and ends the upload. The object takes over the contents of its parts. Parts that the
    /// completion does not name are deleted.
    /// - Parameter check: the check of an object that is permanently replaced; `nil` for none.
    /// - Throws: ``ObjectStoreError``, checked in this order: `noSuchUpload`, `invalidPartOrder`, `invalidPart`, `partTooSmall`, the
    ///   precondition's errors, the errors of `check`.
    @discardableResult
    package func complete(
        _ upload: MultipartUpload, with completion: UploadCompletion, if precondition: Precondition = .none,
        replacing check: ReplacementCheck? = nil
    ) async throws(ObjectStoreError) -> ObjectRecord {
        let numbers = numbers
        let written = try await write { connection in
            try connection.requireUpload(upload)
            let stored = try connection.contentsOfParts(of: upload.number)
            let segments = try completion.segments(from: stored)
            var record = ObjectRecord(
                key: upload.key, size: segments.reduce(0) { $0 + $1.size },
                entityTag: EntityTag(md5: completion.md5, partCount: segments.count), modified: completion.modified,
                attributes: upload.attributes, checksums: completion.checksums, owner: upload.owner, properties: upload.properties)
            var released: [ContentID] = []
            // The uses by the object are counted first, so that no content becomes unused when the parts are deleted.
            for segment in segments { try connection.addUse(of: segment.content) }
            try connection.deleteUpload(upload.number, released: &released)
            try connection.rememberCompletion(of: upload)
            try connection.place(
                &record, in: upload.bucket, body: .segments(segments), if: precondition, replacing: check, numbers: numbers,
                released: &released)
            return Written(record: record, released: released)
        } committed: {
            self.settle($0)
        }
        return written.record
    }
}

extension ObjectStore {
    /// Returns whether an upload with this ID, key and bucket was completed recently. Reads on the calling thread: one seek.
    package func hasCompleted(_ id: String, of key: String, in bucket: Bucket.ID) throws(ObjectStoreError) -> Bool {
        try read { connection in
            try connection.first(
                UploadStatement.findCompletion.rawValue, .text(id), .integer(bucket.number), key.keyColumn
            ) { _ in true } ?? false
        }
    }
}

extension Connection {
    private static let rememberedCompletions: Int64 = 1000

    fileprivate func rememberCompletion(of upload: MultipartUpload) throws {
        try run(UploadStatement.insertCompletion.rawValue, .text(upload.id), .integer(upload.bucket.number), upload.key.keyColumn)
        try run(UploadStatement.forgetCompletions.rawValue, .integer(lastInsertedRow - Self.rememberedCompletions))
    }
}

extension UploadCompletion {
    /// Returns the object's segments, after checking the named parts against the stored ones.
    fileprivate func segments(
        from stored: [(part: StoredPart, content: ContentID)]
    ) throws(ObjectStoreError) -> [Segment] {
        for (earlier, later) in zip(parts, parts.dropFirst()) where earlier.number >= later.number {
            throw .invalidPartOrder
        }
        let byNumber = Dictionary(stored.map { ($0.part.number, $0) }, uniquingKeysWith: { $1 })
        var segments: [Segment] = []
        for named in parts {
            guard let (part, content) = byNumber[named.number], part.md5 == named.md5 else {
                throw .invalidPart(number: named.number)
            }
            if let checksum = named.checksum, !part.checksums.contains(where: { $0.matches(checksum) }) {
                throw .invalidPart(number: named.number)
            }
            segments.append(Segment(number: part.number, content: content, size: part.size, checksums: part.checksums))
        }
        if segments.isEmpty { throw .invalidPart(number: 1) }
        for segment in segments.dropLast() where segment.size < minimumPartSize {
            throw .partTooSmall(number: segment.number, size: segment.size)
        }
        return segments
    }
}

extension Checksum {
    fileprivate func matches(_ other: Checksum) -> Bool { algorithm == other.algorithm && bytes == other.bytes }
}
