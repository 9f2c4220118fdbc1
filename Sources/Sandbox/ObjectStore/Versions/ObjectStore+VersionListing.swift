import SQLite
import WireFormats

extension ObjectStore {
    /// Returns one page of the bucket's objects, versions and delete markers, from one snapshot of the database. Runs on the pool.
    /// Each common prefix costs one seek in each of the two tables.
    package func listVersions(_ query: VersionQuery, in bucket: Bucket.ID) async throws(ObjectStoreError) -> VersionPage {
        if query.limit <= 0 { return VersionPage(entries: [], isTruncated: false) }
        return try await readInPool { connection in
            try connection.readTransaction {
                let after = try connection.sequence(after: query, in: bucket)
                return try connection.withStatement(ObjectStatement.listVersions.text) { objects in
                    try connection.withStatement(VersionStatement.list.text) { versions in
                        var walk = VersionWalk(objects: objects, versions: versions, query: query)
                        try walk.begin(in: bucket, after: after)
                        return try walk.page()
                    }
                }
            }
        }
    }
}

extension Connection {
    /// Returns the sequence of the version marker, if the page begins among the versions of a key.
    fileprivate func sequence(after query: VersionQuery, in bucket: Bucket.ID) throws -> Int64? {
        guard let key = query.keyMarker, let marker = query.versionMarker else { return nil }
        switch marker {
        case .current: return nil
        case .sequence(let sequence): return sequence
        case .null:
            if let occupant = try occupant(of: key.keyColumn, in: bucket), occupant.version.isNull {
                return occupant.version.sequence
            }
            return try version(.null, of: key.keyColumn, in: bucket)?.version.sequence
        }
    }
}

/// Visits the objects and the versions of a bucket in common order. The current object of a key, if there is one, is its newest version.
private struct VersionWalk {
    let objects: PreparedStatement
    let versions: PreparedStatement
    let query: VersionQuery
    private let rollup: KeyRollup
    /// The key of the version marker.
    private var markedKey: [UInt8]?
    private var previousKey: [UInt8] = []

    init(objects: PreparedStatement, versions: PreparedStatement, query: VersionQuery) {
        self.objects = objects
        self.versions = versions
        self.query = query
        rollup = KeyRollup(prefix: query.prefix, delimiter: query.delimiter)
    }

    mutating func begin(in bucket: Bucket.ID, after sequence: Int64?) throws {
        var start = rollup.start(after: query.keyMarker)
        var below = Int64.max
        if let sequence, let marker = query.keyMarker.map({ Array($0.utf8) }), marker.withUnsafeBytes(rollup.place) == .entry {
            (start, below, markedKey) = (marker, sequence, marker)
        }
        for statement in [objects, versions] {
            try statement.bind([.integer(bucket.number), .blob(start), .integer(below)])
        }
    }

    mutating func page() throws -> VersionPage {
        var page = VersionPage(entries: [], isTruncated: false)
        var object = try objects.step()
        var version = try versions.step()
        while true {
            let isObject: Bool
            switch (object, version) {
            case (nil, nil): return page
            case (_?, nil): isObject = true
            case (nil, _?): isObject = false
            case (let object?, let version?): isObject = !Self.precedes(version, object)
            }
            guard let row = isObject ? object : version else { return page }
            let place = row.withBlob(0, rollup.place)
            if place == .beyondPrefix { return page }
            if page.entries.count == query.limit {
                page.isTruncated = true
                return page
            }
            if case .commonPrefix(let length) = place {
                let prefix = row.withBlob(0) { Array($0.prefix(length)) }
                page.add(.commonPrefix(String(decoding: prefix, as: UTF8.self)))
                let next = KeyRollup.successor(ofKeysWith: prefix)
                object = try Self.seek(objects, to: next)
                version = try Self.seek(versions, to: next)
                continue
            }
            page.add(entry(of: row, isObject: isObject))
            if isObject { object = try objects.step() } else { version = try versions.step() }
        }
    }

    private mutating func entry(of row: Row, isObject: Bool) -> VersionEntry {
        let isSameKey = row.withBlob(0) { $0.elementsEqual(previousKey) }
        if !isSameKey { previousKey = row.blob(0) }
        let listed = ListedVersion(
            object: ListedObject(row: row), version: ObjectVersion(row: row, from: 10),
            isLatest: isObject || (!isSameKey && previousKey != markedKey))
        return !isObject && row.integer(12) != 0 ? .deleteMarker(listed) : .version(listed)
    }

    private static func precedes(_ left: Row, _ right: Row) -> Bool {
        left.withBlob(0) { left in right.withBlob(0) { right in left.lexicographicallyPrecedes(right) } }
    }

    private static func seek(_ statement: PreparedStatement, to key: [UInt8]) throws -> Row? {
        statement.reset()
        try statement.bind(.blob(key), at: 2)
        try statement.bind(.integer(.max), at: 3)
        return try statement.step()
    }
}

extension VersionPage {
    fileprivate mutating func add(_ entry: VersionEntry) {
        entries.append(entry)
        switch entry {
        case .version(let listed), .deleteMarker(let listed): (lastKey, lastVersion) = (listed.object.key, listed.version)
        case .commonPrefix(let prefix): (lastKey, lastVersion) = (prefix, nil)
        }
    }
}
