import Caching
package import ObjectStore
import Synchronization

/// What a face derives from the configuration of one bucket, each piece when somebody first asks for it.
///
/// It belongs to one revision of the bucket: a changed configuration has other rules.
package final class BucketRules<Access: Sendable>: Sendable {
    /// The bucket.
    package let bucket: Bucket
    private let access = Mutex<Access?>(nil)
    private let documents = Mutex<[BucketDocument: any Sendable]>([:])

    init(_ bucket: Bucket) { self.bucket = bucket }

    /// The bucket's configuration of one kind, parsed once.
    ///
    /// Everybody who asks for a kind asks for the same type of value.
    /// - Parameter parse: reads the text, which its face checked when it was put.
    /// - Returns: `nil` if the bucket has no such configuration.
    /// - Throws: what `parse` throws.
    package func parsed<Value: Sendable, Failure: Error>(
        _ kind: BucketDocument, _ parse: (String) throws(Failure) -> Value
    ) throws(Failure) -> Value? {
        guard let text = bucket.configuration.documents[kind] else { return nil }
        if let known = documents.withLock({ $0[kind] }) as? Value { return known }
        let value = try parse(text)
        documents.withLock { $0[kind] = value }
        return value
    }

    /// Who may do what in the bucket, compiled once.
    package func access<Failure: Error>(_ compile: (Bucket) throws(Failure) -> Access) throws(Failure) -> Access {
        if let known = access.withLock({ $0 }) { return known }
        let compiled = try compile(bucket)
        access.withLock { $0 = compiled }
        return compiled
    }
}

/// The rules of the buckets that were asked for lately.
package final class BucketRulesCache<Access: Sendable>: Sendable {
    private let known = BoundedCache<Bucket.ID, BucketRules<Access>>(capacity: 8192)

    package init() {}

    /// The rules of a bucket as it stands in `bucket`.
    package func rules(of bucket: Bucket) -> BucketRules<Access> {
        known.value(for: bucket.id, where: { $0.bucket.revision == bucket.revision }, orMake: { BucketRules(bucket) })
    }
}
