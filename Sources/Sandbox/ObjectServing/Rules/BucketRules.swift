import Caching
package import ObjectStore
import Synchronization
import WireFormats

/// The access rules that a face derives from the configuration of one bucket, compiled on first use.
///
/// It belongs to one revision of the bucket. A changed configuration has a new instance.
package final class BucketRules<Access: Sendable>: Sendable {
    /// The bucket.
    package let bucket: Bucket
    private let access = Mutex<Access?>(nil)

    init(_ bucket: Bucket) { self.bucket = bucket }

    /// Returns the access rules of the bucket. The compiled value is cached.
    package func access<Failure: Error>(_ compile: (Bucket) throws(Failure) -> Access) throws(Failure) -> Access {
        if let known = access.withLock({ $0 }) { return known }
        let compiled = try compile(bucket)
        access.withLock { $0 = compiled }
        return compiled
    }
}

/// A cache of the rules of recently used buckets.
package final class BucketRulesCache<Access: Sendable>: Sendable {
    private let known = BoundedCache<Bucket.ID, BucketRules<Access>>(capacity: 8192)

    package init() {}

    /// Returns the rules of a bucket in the revision `bucket`.
    package func rules(of bucket: Bucket) -> BucketRules<Access> {
        known.value(for: bucket.id, where: { $0.bucket.revision == bucket.revision }, orMake: { BucketRules(bucket) })
    }
}
