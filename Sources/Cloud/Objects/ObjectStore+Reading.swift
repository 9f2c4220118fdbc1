import SQLite

extension ObjectStore {
    /// The record of the object under a key. Reads in place: one seek.
    package func head(_ key: String, in bucket: Bucket.ID) throws(ObjectStoreError) -> ObjectRecord? {
        try read { connection in
            try connection.first(ObjectStatement.head.rawValue, .integer(bucket.number), key.keyColumn) { row in
                ObjectRecord(key: key, row: row)
            }
        }
    }

    /// The object under a key, with its body when that is small. Reads in place: one query for a small object, three for
    /// a large one.
    package func open(_ key: String, in bucket: Bucket.ID) throws(ObjectStoreError) -> StoredObject? {
        while true {
            let sweepCount = contents.sweepCount
            let opened = try read { connection -> OpenedObject? in
                guard let (record, body, _) = try connection.opened(key, in: bucket) else { return nil }
                if let body { return OpenedObject(record: record, inlineBody: body, segments: []) }
                return try connection.readTransaction { try connection.openedObject(key, in: bucket) }
            }
            guard let opened else { return nil }
            if opened.inlineBody != nil {
                return StoredObject(record: opened.record, inlineBody: opened.inlineBody, segments: [], pin: nil)
            }
            let pinned = opened.segments.map(\.content)
            if contents.pin(pinned, unlessSweptSince: sweepCount) {
                return StoredObject(
                    record: opened.record, inlineBody: nil, segments: opened.segments,
                    pin: ContentPin(pinned, in: contents, database: database))
            }
        }
    }
}
