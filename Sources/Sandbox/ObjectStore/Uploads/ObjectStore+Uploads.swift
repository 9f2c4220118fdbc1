import NIOCore
import SQLite
import WireFormats

extension ObjectStore {
    /// Starts a multipart upload.
    /// - Throws: ``ObjectStoreError/noSuchBucket``
    package func createUpload(_ upload: NewUpload, in bucket: Bucket.ID) async throws(ObjectStoreError) -> MultipartUpload {
        let id = Self.newUploadID(initiated: upload.initiated)
        return try await write { connection in
            let columns: [Value] = [
                .text(id), .integer(bucket.number), upload.key.keyColumn, .integer(upload.initiated.milliseconds),
                .text(upload.owner), Value(upload.checksumAlgorithm.map { Int($0.rawValue) }),
                .integer(Int64(upload.checksumCoverage.rawValue)),
            ]
            let replaces = try connection.occupant(of: upload.key.keyColumn, in: bucket) != nil
            try connection.run(
                UploadStatement.insert.rawValue,
                columns + upload.attributes.columns + upload.properties.columns + [Value(upload.initiator), .integer(replaces ? 1 : 0)])
            return MultipartUpload(
                number: connection.lastInsertedRow, id: id, bucket: bucket, key: upload.key, attributes: upload.attributes,
                owner: upload.owner, initiated: upload.initiated, checksumAlgorithm: upload.checksumAlgorithm,
                checksumCoverage: upload.checksumCoverage, properties: upload.properties, initiator: upload.initiator, replaces: replaces)
        }
    }

    private static func newUploadID(initiated: Timestamp) -> String {
        var generator = SystemRandomNumberGenerator()
        let age = UInt64(clamping: initiated.milliseconds).bigEndian
        let random = (generator.next(), generator.next(), generator.next(), generator.next()) as (UInt64, UInt64, UInt64, UInt64)
        return withUnsafeBytes(of: age) { Array($0.dropFirst(2)) }.hex + withUnsafeBytes(of: random) { Array($0) }.hex
    }

    /// Returns the unfinished upload with an ID if it has this key and bucket. Reads on the calling thread: one seek.
    package func upload(
        _ id: String, of key: String, in bucket: Bucket.ID
    ) throws(ObjectStoreError) -> MultipartUpload? {
        try read { connection in
            try connection.first(UploadStatement.find.rawValue, .integer(bucket.number), key.keyColumn, .text(id)) { row in
                MultipartUpload(row: row, in: bucket)
            }
        }
    }

    /// Publishes a staged body as a part, which replaces an earlier part with the same number.
    /// - Throws: ``ObjectStoreError/invalidPart(number:)`` unless the number is 1 to 10,000; `noSuchUpload`.
    @discardableResult
    package func putPart(
        _ part: NewPart, of upload: MultipartUpload, body: BodyWriter
    ) async throws(ObjectStoreError) -> StoredPart {
        guard (1...10_000).contains(part.number) else { throw .invalidPart(number: part.number) }
        let staged = try await body.finish()
        let stored = StoredPart(
            number: part.number, size: staged.size, md5: part.md5, checksums: part.checksums, modified: part.modified)
        let (content, last, position) = staged.asContent(in: contents)
        do {
            try await write { connection -> [ContentID] in
                try connection.requireUpload(upload)
                try connection.publish(content, last: last, position: position)
                var released: [ContentID] = []
                let replaced = try connection.first(
                    UploadStatement.partContent.rawValue, .integer(upload.number), .integer(Int64(part.number))
                ) { ContentID(number: $0.integer(0)) }
                try connection.run(
                    UploadStatement.setPart.rawValue, .integer(upload.number), .integer(Int64(part.number)),
                    .integer(content.number), .integer(stored.size), .blob(part.md5), .integer(part.modified.milliseconds),
                    FieldCoding.encode(part.checksums))
                if let replaced { try connection.dropUse(of: replaced, released: &released) }
                return released
            } committed: { released in
                self.contents.publish(content)
                self.contents.release(released)
            }
        } catch {
            if case .inline = staged { contents.unpin([content]) }
            throw error
        }
        if case .inline = staged { contents.unpin([content]) }
        body.release()
        return stored
    }

    /// Returns the upload's parts with greater numbers, at most `limit`, ordered by number.
    /// - Throws: ``ObjectStoreError/noSuchUpload``
    package func parts(
        of upload: MultipartUpload, after number: Int = 0, limit: Int = 10_000
    ) async throws(ObjectStoreError) -> (parts: [StoredPart], isTruncated: Bool) {
        try await readInPool { connection in
            try connection.readTransaction {
                try connection.requireUpload(upload)
                return try connection.withStatement(UploadStatement.parts.rawValue) { statement in
                    try statement.bind([.integer(upload.number), .integer(Int64(number))])
                    var parts: [StoredPart] = []
                    while let row = try statement.step() {
                        if parts.count >= limit { return (parts, limit > 0) }
                        parts.append(StoredPart(row: row))
                    }
                    return (parts, false)
                }
            }
        }
    }

    /// Aborts an upload and deletes its parts.
    /// - Throws: ``ObjectStoreError/noSuchUpload``
    package func abort(_ upload: MultipartUpload) async throws(ObjectStoreError) {
        try await write { connection -> [ContentID] in
            try connection.requireUpload(upload)
            var released: [ContentID] = []
            try connection.deleteUpload(upload.number, released: &released)
            return released
        } committed: {
            self.contents.release($0)
        }
    }

    /// Returns one page of the bucket's unfinished uploads and their common prefixes. Runs on the pool.
    package func uploads(_ query: UploadQuery, in bucket: Bucket.ID) async throws(ObjectStoreError) -> UploadPage {
        if query.limit <= 0 { return UploadPage(entries: [], isTruncated: false, lastKey: nil, lastID: nil) }
        return try await readInPool { connection in
            try connection.readTransaction { try connection.page(of: query, in: bucket) }
        }
    }
}

extension Connection {
    fileprivate func page(of query: UploadQuery, in bucket: Bucket.ID) throws -> UploadPage {
        let rollup = KeyRollup(prefix: query.prefix, delimiter: query.delimiter)
        var page = UploadPage(entries: [], isTruncated: false, lastKey: nil, lastID: nil)
        var start = (key: rollup.start(after: query.afterKey), id: "")
        if let key = query.afterKey, let id = query.afterID, Array(key.utf8).withUnsafeBytes(rollup.place) == .entry {
            start = (Array(key.utf8), id)
        }
        return try withStatement(UploadStatement.list.rawValue) { statement in
            try statement.bind([.integer(bucket.number), .blob(start.key), .text(start.id)])
            page.isTruncated = try rollup.walk(statement, key: 2, limit: query.limit) { next in
                try statement.bind(.blob(next), at: 2)
                try statement.bind("", at: 3)
            } commonPrefix: { prefix in
                page.entries.append(.commonPrefix(prefix))
                (page.lastKey, page.lastID) = (prefix, nil)
            } entry: { row in
                let upload = MultipartUpload(row: row, in: bucket)
                page.entries.append(.upload(upload))
                (page.lastKey, page.lastID) = (upload.key, upload.id)
            }
            return page
        }
    }
}

extension StagedBody {
    /// Returns the body as a content to publish. A small body gets a new, pinned content, which the caller must unpin.
    fileprivate func asContent(in contents: Contents) -> (content: ContentID, last: ByteBuffer, position: Int64) {
        switch self {
        case .inline(let bytes): (contents.stage(), bytes, 0)
        case .content(let content, _, let last, let position): (content, last, position)
        }
    }
}
