import SQLite

extension ObjectStore {
    /// Walks the objects whose keys begin with a prefix, in the order of their keys, as one moment of the database shows them.
    /// Runs on the pool.
    /// - Parameter visit: told of each object; answers whether to go on.
    /// - Returns: what `visit` has made of `result`.
    package func walk<Result: Sendable>(
        _ prefix: String = "", in bucket: Bucket.ID, into result: Result,
        visit: @escaping @Sendable (inout Result, ObjectRecord) -> Bool
    ) async throws(ObjectStoreError) -> Result {
        try await readInPool { connection in
            let start = Array(prefix.utf8)
            var result = result
            return try connection.withStatement(ObjectStatement.records.text) { statement in
                try statement.bind(.integer(bucket.number), at: 1)
                try statement.bind(.blob(start), at: 2)
                while let row = try statement.step() {
                    let key = row.blob(ObjectRecord.columnCount)
                    guard key.starts(with: start), visit(&result, ObjectRecord(key: String(decoding: key, as: UTF8.self), row: row))
                    else { break }
                }
                return result
            }
        }
    }

    /// How many bytes the bodies of a bucket's objects have altogether.
    package func totalSize(of bucket: Bucket.ID) async throws(ObjectStoreError) -> Int64 {
        try await readInPool { connection in
            try connection.first(ObjectStatement.totalSize.text, .integer(bucket.number)) { $0.integer(0) } ?? 0
        }
    }
}
