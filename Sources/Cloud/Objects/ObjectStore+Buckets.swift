import SQLite
import Synchronization
package import WireFormats

extension Bucket {
    /// Columns: id, name, account, region, created, policy.
    init(row: Row) {
        self.init(
            id: ID(number: row.integer(0)), name: row.text(1), account: row.text(2), region: row.text(3),
            created: Timestamp(milliseconds: row.integer(4)), policy: row.optionalText(5))
    }
}

extension ObjectStore {
    /// The bucket of this name; costs a look into memory.
    package func bucket(named name: String) -> Bucket? { buckets.withLock { $0[name] } }

    /// Every bucket, ordered by name.
    package var allBuckets: [Bucket] { buckets.withLock { Array($0.values) }.sorted { $0.name < $1.name } }

    /// The account's buckets, ordered by name.
    package func buckets(of account: String) -> [Bucket] { allBuckets.filter { $0.account == account } }

    /// Makes an empty bucket. Which names are allowed is the face's rule.
    /// - Throws: ``ObjectStoreError/bucketExists(owner:)``
    package func createBucket(
        named name: String, account: String, region: String, created: Timestamp
    ) async throws(ObjectStoreError) -> Bucket {
        try await write { connection in
            if let owner = try connection.first(BucketStatement.owner.rawValue, .text(name), row: { $0.text(0) }) {
                throw ObjectStoreError.bucketExists(owner: owner)
            }
            try connection.run(
                BucketStatement.insert.rawValue, .text(name), .text(account), .text(region), .integer(created.milliseconds))
            return Bucket(
                id: Bucket.ID(number: connection.lastInsertedRow), name: name, account: account, region: region,
                created: created)
        } committed: { bucket in
            self.buckets.withLock { $0[name] = bucket }
        }
    }

    /// Deletes a bucket that holds no object; its unfinished uploads are aborted.
    /// - Throws: ``ObjectStoreError/bucketNotEmpty``, ``ObjectStoreError/noSuchBucket``
    package func deleteBucket(_ bucket: Bucket.ID) async throws(ObjectStoreError) {
        try await write { connection -> [ContentID] in
            guard try connection.first(BucketStatement.anyObject.rawValue, .integer(bucket.number), row: { _ in () }) == nil
            else { throw ObjectStoreError.bucketNotEmpty }
            var released: [ContentID] = []
            let uploads = try connection.all(UploadStatement.numbers.rawValue, .integer(bucket.number)) { $0.integer(0) }
            for upload in uploads { try connection.deleteUpload(upload, released: &released) }
            guard try connection.run(BucketStatement.delete.rawValue, .integer(bucket.number)) == 1 else {
                throw ObjectStoreError.noSuchBucket
            }
            return released
        } committed: { released in
            self.buckets.withLock { buckets in
                if let name = buckets.values.first(where: { $0.id == bucket })?.name { buckets[name] = nil }
            }
            self.contents.release(released)
        }
    }

    /// Sets the bucket policy to a JSON text that the face has checked, or removes it.
    /// - Throws: ``ObjectStoreError/noSuchBucket``
    package func setPolicy(_ policy: String?, of bucket: Bucket.ID) async throws(ObjectStoreError) {
        try await write { connection in
            guard try connection.run(BucketStatement.setPolicy.rawValue, .integer(bucket.number), Value(policy)) == 1 else {
                throw ObjectStoreError.noSuchBucket
            }
        } committed: { _ in
            self.buckets.withLock { buckets in
                if let name = buckets.values.first(where: { $0.id == bucket })?.name { buckets[name]?.policy = policy }
            }
        }
    }
}
