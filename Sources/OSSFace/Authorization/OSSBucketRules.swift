import Cloud
import ObjectStore
import Policy
import Synchronization

/// What this face derives from the configuration of one bucket, each piece when somebody first asks for it.
///
/// It belongs to one revision of the bucket: a changed configuration has other rules.
final class OSSBucketRules: Sendable {
    let bucket: Bucket
    private let documents = Mutex<[BucketDocument: any Sendable]>([:])
    /// Who may do what. See ``OSSBucketPolicies``.
    private let policies = Mutex<OSSBucketPolicies?>(nil)

    init(_ bucket: Bucket) { self.bucket = bucket }

    /// The bucket's configuration of one kind, parsed once.
    ///
    /// Everybody who asks for a kind asks for the same type of value.
    /// - Parameter parse: reads the text, which its face checked when it was put.
    /// - Returns: nothing where the bucket has no such configuration.
    /// - Throws: `InternalError` where the text cannot be read after all.
    func document<Value: Sendable>(_ kind: BucketDocument, _ parse: (String) throws -> Value) throws(OSSError) -> Value? {
        guard let text = bucket.configuration.documents[kind] else { return nil }
        if let known = documents.withLock({ $0[kind] }) as? Value { return known }
        guard let value = try? parse(text) else { throw OSSError(.internalError) }
        documents.withLock { $0[kind] = value }
        return value
    }

    /// Who may do what in the bucket.
    func access() throws(OSSError) -> OSSBucketPolicies {
        if let known = policies.withLock({ $0 }) { return known }
        let compiled = try OSSBucketPolicies(bucket)
        policies.withLock { $0 = compiled }
        return compiled
    }
}

/// The rules of the buckets that were asked for lately.
final class OSSBucketRulesCache: Sendable {
    private static let capacity = 1024
    private let known = Mutex<[Bucket.ID: OSSBucketRules]>([:])

    /// The rules of a bucket as it stands in `bucket`.
    func rules(of bucket: Bucket) -> OSSBucketRules {
        known.withLock { known in
            if let rules = known[bucket.id], rules.bucket.revision == bucket.revision { return rules }
            if known.count >= Self.capacity { known.removeAll() }
            let rules = OSSBucketRules(bucket)
            known[bucket.id] = rules
            return rules
        }
    }
}
