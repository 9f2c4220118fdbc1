import SQLite
package import WireFormats

/// The amount of data in a bucket: objects, older versions, and uploaded parts of unfinished uploads.
package struct BucketStatistics: Hashable, Sendable {
    /// A number of objects and their size.
    package struct Share: Hashable, Sendable {
        /// The number of objects.
        package var count: Int64 = 0
        /// The total size, in bytes.
        package var size: Int64 = 0

        package init(count: Int64 = 0, size: Int64 = 0) {
            self.count = count
            self.size = size
        }
    }

    /// Objects and versions by storage class. The key is empty for the default class.
    package var byClass: [String: Share] = [:]
    /// The number of delete markers.
    package var deleteMarkers: Int64 = 0
    /// The number of multipart uploads in progress.
    package var uploads: Int64 = 0
    /// The parts of multipart uploads in progress.
    package var parts = Share()
    /// When an object or delete marker was last written; `nil` for an empty bucket.
    package var modified: Timestamp?
}

extension ObjectStore {
    /// Returns the statistics of a bucket, from one snapshot of the database. Runs on the pool.
    package func statistics(of bucket: Bucket.ID) async throws(ObjectStoreError) -> BucketStatistics {
        try await readInPool { connection in
            try connection.readTransaction {
                var statistics = BucketStatistics()
                for statement in [BucketStatement.objectSizes, .versionSizes] {
                    try connection.withStatement(statement.rawValue) { statement in
                        try statement.bind(.integer(bucket.number), at: 1)
                        while let row = try statement.step() { statistics.add(row) }
                    }
                }
                statistics.uploads =
                    try connection.first(BucketStatement.uploadCount.rawValue, .integer(bucket.number)) { $0.integer(0) } ?? 0
                statistics.parts =
                    try connection.first(BucketStatement.partStatistics.rawValue, .integer(bucket.number)) {
                        BucketStatistics.Share(count: $0.integer(0), size: $0.integer(1))
                    } ?? BucketStatistics.Share()
                return statistics
            }
        }
    }
}

extension BucketStatistics {
    /// Columns: storage_class, whether it is a delete marker, size, modified.
    fileprivate mutating func add(_ row: Row) {
        let moment = Timestamp(milliseconds: row.integer(3))
        modified = max(modified ?? moment, moment)
        guard row.integer(1) == 0 else {
            deleteMarkers += 1
            return
        }
        let storageClass = row.optionalText(0) ?? ""
        byClass[storageClass, default: Share()].count += 1
        byClass[storageClass, default: Share()].size += row.integer(2)
    }
}
