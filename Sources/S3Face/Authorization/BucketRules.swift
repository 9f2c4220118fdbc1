import Cloud
import Directory
import ObjectStore
import Policy
import Synchronization

/// What this face derives from the configuration of one bucket, each piece when somebody first asks for it.
///
/// It belongs to one revision of the bucket: a changed configuration has other rules.
final class BucketRules: Sendable {
    let bucket: Bucket
    /// Who may do what. See ``BucketAccess``.
    private let access = Mutex<BucketAccess?>(nil)
    private let documents = Mutex<[BucketDocument: any Sendable]>([:])

    init(_ bucket: Bucket) { self.bucket = bucket }

    /// The bucket's configuration of one kind, parsed once.
    ///
    /// Everybody who asks for a kind asks for the same type of value.
    /// - Parameter parse: reads the text, which its face checked when it was put.
    /// - Returns: nothing where the bucket has no such configuration.
    /// - Throws: `InternalError` where the text cannot be read after all.
    func document<Value: Sendable>(_ kind: BucketDocument, _ parse: (String) throws -> Value) throws(S3Error) -> Value? {
        guard let text = bucket.configuration.documents[kind] else { return nil }
        if let known = documents.withLock({ $0[kind] }) as? Value { return known }
        guard let value = try? parse(text) else { throw S3Error(.internalError) }
        documents.withLock { $0[kind] = value }
        return value
    }

    /// Who may do what in the bucket.
    /// - Parameter directory: tells which accounts the canonical users of policy and grants are.
    func access(in directory: () -> Directory) throws(S3Error) -> BucketAccess {
        if let known = access.withLock({ $0 }) { return known }
        let compiled = try BucketAccess(bucket, directory())
        access.withLock { $0 = compiled }
        return compiled
    }
}

/// The rules of the buckets that were asked for lately.
final class BucketRulesCache: Sendable {
    private static let capacity = 1024
    private let known = Mutex<[Bucket.ID: BucketRules]>([:])

    /// The rules of a bucket as it stands in `bucket`.
    func rules(of bucket: Bucket) -> BucketRules {
        known.withLock { known in
            if let rules = known[bucket.id], rules.bucket.revision == bucket.revision { return rules }
            if known.count >= Self.capacity { known.removeAll() }
            let rules = BucketRules(bucket)
            known[bucket.id] = rules
            return rules
        }
    }
}
