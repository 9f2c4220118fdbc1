import SQLite
import WireFormats

extension ObjectStore {
    /// Visits the objects whose keys have a prefix, in the order of their keys, from one snapshot of the database.
    /// Runs on the pool.
    /// - Parameter visit: receives each object; returns whether to continue.
    /// - Returns: the final value of `result`.
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

    /// Returns the total size of the bodies of a bucket's objects, in bytes.
    package func totalSize(of bucket: Bucket.ID) async throws(ObjectStoreError) -> Int64 {
        try await readInPool { connection in
            try connection.first(ObjectStatement.totalSize.text, .integer(bucket.number)) { $0.integer(0) } ?? 0
        }
    }
}
