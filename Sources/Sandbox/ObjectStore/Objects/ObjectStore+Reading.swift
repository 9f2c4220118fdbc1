import NIOCore
import SQLite
import WireFormats

extension ObjectStore {
    /// Returns the record of the current object or of a version of a key. Reads on the calling thread: one seek for an existing object.
    package func head(
        _ key: String, version: VersionSelector = .current, in bucket: Bucket.ID
    ) throws(ObjectStoreError) -> Found<ObjectRecord> {
        try read { connection in
            if version == .current {
                let found = try connection.row(ObjectStatement.head.text, of: key, in: bucket) { ObjectRecord(key: key, row: $0) }
                if let found { return .object(found) }
            }
            return try connection.readTransaction { try connection.headed(key, version, in: bucket) }
        }
    }

    /// Returns the current object or a version of a key, with its body if that is small. Reads on the calling thread: one query for a small
    /// object, three for a large one.
    /// - Parameter longest: the longest body in bytes that is read with the record.
    package func open(
        _ key: String, version: VersionSelector = .current, in bucket: Bucket.ID, withBodyUpTo longest: Int64 = .max
    ) throws(ObjectStoreError) -> Found<StoredObject> {
        while true {
            let sweepCount = contents.sweepCount
            if version == .current, let small = try read({ try $0.smallObject(key, in: bucket, upTo: longest) }) {
                return .object(small)
            }
            let found = try read { connection in
                try connection.readTransaction { try connection.opened(key, version, in: bucket, withBodyUpTo: longest) }
            }
            let opened: OpenedObject
            switch found {
            case .object(let object): opened = object
            case .deleteMarker(let version, let modified): return .deleteMarker(version, modified: modified)
            case .nothing: return .nothing
            }
            if let body = opened.inlineBody {
                guard opened.record.size > longest else { return .object(StoredObject(record: opened.record, inlineBody: body)) }
                return .object(StoredObject(record: opened.record, later: LaterBody(opened.record, in: bucket, database: database)))
            }
            let pinned = opened.segments.map(\.content)
            if contents.pin(pinned, unlessSweptSince: sweepCount) {
                return .object(
                    StoredObject(
                        record: opened.record, inlineBody: nil, segments: opened.segments,
                        pin: ContentPin(pinned, in: contents, database: database)))
            }
        }
    }
}

/// An object from one snapshot of the database, whose contents are not pinned yet.
struct OpenedObject {
    let record: ObjectRecord
    let inlineBody: ByteBuffer?
    let segments: [Segment]
}

/// Call these in a transaction, so that an object cannot become a version between two queries.
extension Connection {
    func headed(_ key: String, _ version: VersionSelector, in bucket: Bucket.ID) throws -> Found<ObjectRecord> {
        let current = try first(ObjectStatement.head.text, .integer(bucket.number), key.keyColumn) { row in
            ObjectRecord(key: key, row: row)
        }
        if let current, version.selects(current.version) { return .object(current) }
        guard let sequence = try sequence(of: version, key, in: bucket) else { return .nothing }
        let found = try first(
            VersionStatement.head.text, .integer(bucket.number), key.keyColumn, .integer(sequence)
        ) { row -> Found<ObjectRecord> in
            let record = ObjectRecord(key: key, row: row)
            let isMarker = row.integer(ObjectRecord.columnCount) != 0
            return isMarker ? .deleteMarker(record.version, modified: record.modified) : .object(record)
        }
        return found ?? .nothing
    }

    /// Returns the object with its small body or its segments.
    /// - Parameters:
    ///   - longest: the longest small body in bytes that is read; a longer one is returned empty.
    ///   - part: the bytes of a small body that are read; `nil` for all.
    func opened(
        _ key: String, _ version: VersionSelector, in bucket: Bucket.ID, withBodyUpTo longest: Int64 = .max, part: Range<Int>? = nil
    ) throws -> Found<OpenedObject> {
        if let (record, body, number) = try openedRow(key, in: bucket, withBodyUpTo: longest, part: part), version.selects(record.version) {
            return .object(OpenedObject(record: record, inlineBody: body, segments: body == nil ? try segments(of: number) : []))
        }
        guard let sequence = try sequence(of: version, key, in: bucket) else { return .nothing }
        let row = try first(
            VersionStatement.open.text, .integer(bucket.number), key.keyColumn, .integer(sequence)
        ) { row in
            let count = ObjectRecord.columnCount
            let record = ObjectRecord(key: key, row: row)
            let body = row.integer(count + 2) != 0 ? nil : row.body(count + 3, of: record, upTo: longest, part)
            return (record, isMarker: row.integer(count) != 0, number: row.integer(count + 1), body)
        }
        guard let (record, isMarker, number, body) = row else { return .nothing }
        if isMarker { return .deleteMarker(record.version, modified: record.modified) }
        return .object(OpenedObject(record: record, inlineBody: body, segments: body == nil ? try segments(of: number) : []))
    }

    /// Returns the current object of a key if its body is small. This is a single query, so it needs no transaction.
    fileprivate func smallObject(_ key: String, in bucket: Bucket.ID, upTo longest: Int64) throws -> StoredObject? {
        try row(ObjectStatement.open.text, of: key, in: bucket) { row in
            let count = ObjectRecord.columnCount
            guard row.integer(count + 1) == 0 else { return nil }
            let record = ObjectRecord(key: key, row: row)
            guard record.size <= longest else { return nil }
            return StoredObject(record: record, inlineBody: row.buffer(count + 2))
        }
    }

    /// Returns what `read` makes of the row of a key, for the queries that nearly every read runs. SQLite reads the key in place.
    /// - Parameter text: a statement with two parameters: the bucket and the key.
    fileprivate func row<Output>(
        _ text: String, of key: String, in bucket: Bucket.ID, _ read: (Row) throws -> Output?
    ) throws -> Output? {
        var key = key
        return try key.withUTF8 { bytes in
            let lent = try lend(text)
            defer { takeBack(lent) }
            try lent.statement.bind(.integer(bucket.number), at: 1)
            try lent.statement.bind(.bytes(UnsafeRawBufferPointer(bytes)), at: 2)
            guard let row = try lent.statement.step() else { return nil }
            return try read(row)
        }
    }

    /// Returns the current object of a key; `body` is `nil` if it is segmented. The other parameters are those of `opened`.
    func openedRow(
        _ key: String, in bucket: Bucket.ID, withBodyUpTo longest: Int64 = .max, part: Range<Int>? = nil
    ) throws -> (record: ObjectRecord, body: ByteBuffer?, number: Int64)? {
        try first(ObjectStatement.open.text, .integer(bucket.number), key.keyColumn) { row in
            let count = ObjectRecord.columnCount
            let isSegmented = row.integer(count + 1) != 0
            let record = ObjectRecord(key: key, row: row)
            return (record, isSegmented ? nil : row.body(count + 2, of: record, upTo: longest, part), row.integer(count))
        }
    }

    /// Returns the sequence of a version that is not the current object.
    private func sequence(of version: VersionSelector, _ key: String, in bucket: Bucket.ID) throws -> Int64? {
        switch version {
        case .current: try newestVersion(of: key.keyColumn, in: bucket)?.version.sequence
        case .null: try self.version(.null, of: key.keyColumn, in: bucket)?.version.sequence
        case .sequence(let sequence): sequence
        }
    }
}

extension VersionSelector {
    /// Returns whether the selector selects the current object of a key, given its version.
    func selects(_ version: ObjectVersion) -> Bool {
        switch self {
        case .current: true
        case .null: version.isNull
        case .sequence(let sequence): sequence == version.sequence
        }
    }
}
