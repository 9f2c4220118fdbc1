import SQLite
import WireFormats

extension ObjectStore {
    /// Returns one page of the bucket's objects and common prefixes, from one snapshot of the database. Runs on the pool.
    /// Each common prefix costs one seek, regardless of its number of keys.
    package func list(_ query: ListQuery, in bucket: Bucket.ID) async throws(ObjectStoreError) -> ListPage {
        if query.limit <= 0 { return ListPage(entries: [], isTruncated: false, last: nil) }
        return try await readInPool { connection in
            try connection.readTransaction { try connection.page(of: query, in: bucket) }
        }
    }
}

extension Connection {
    fileprivate func page(of query: ListQuery, in bucket: Bucket.ID) throws -> ListPage {
        let rollup = KeyRollup(prefix: query.prefix, delimiter: query.delimiter)
        var page = ListPage(entries: [], isTruncated: false, last: nil)
        return try withStatement(ObjectStatement.list.text) { statement in
            try statement.bind(.integer(bucket.number), at: 1)
            try statement.bind(.blob(rollup.start(after: query.after)), at: 2)
            page.isTruncated = try rollup.walk(statement, key: 0, limit: query.limit) { next in
                try statement.bind(.blob(next), at: 2)
            } commonPrefix: { prefix in
                page.entries.append(.commonPrefix(prefix))
                page.last = prefix
            } entry: { row in
                let object = ListedObject(row: row)
                page.entries.append(.object(object))
                page.last = object.key
            }
            return page
        }
    }
}

extension ListedObject {
    /// Columns: key, size, md5, part_count, modified, storage_class, owner, checksums, restoration, kind.
    init(row: Row) {
        self.init(
            key: row.withBlob(0) { String(decoding: $0, as: UTF8.self) },
            size: row.integer(1),
            entityTag: EntityTag(row: row, md5: 2, partCount: 3),
            modified: Timestamp(milliseconds: row.integer(4)),
            storageClass: row.optionalText(5),
            owner: row.text(6),
            checksums: FieldCoding.checksums(in: row, at: 7),
            restoration: FieldCoding.restoration(in: row, at: 8),
            kind: FieldCoding.kind(in: row, at: 9))
    }
}
