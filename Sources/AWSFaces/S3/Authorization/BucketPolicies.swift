import Cloud
import Policy
import Synchronization

/// The policies of buckets, compiled once for each text that a bucket has had.
final class BucketPolicies: Sendable {
    private struct Compiled {
        var text: String
        var policy: AttachedPolicy
    }

    private static let capacity = 1024
    private let compiled = Mutex<[Bucket.ID: Compiled]>([:])

    /// The policy of a bucket as the authorizer takes it; nothing where it has none.
    /// - Throws: `InternalError` where the text, which was checked when it was put, is no policy.
    func policy(of bucket: Bucket) throws(S3Error) -> AttachedPolicy? {
        guard let text = bucket.policy else { return nil }
        // The texts are the same storage unless the policy was replaced, so that the comparison costs nothing.
        if let known = compiled.withLock({ $0[bucket.id] }), known.text == text { return known.policy }
        guard let document = try? PolicyDocument(parsing: text, kind: .resource) else { throw S3Error(.internalError) }
        let policy = AttachedPolicy("policy of bucket \(bucket.name)", document)
        compiled.withLock { compiled in
            if compiled.count >= Self.capacity { compiled.removeAll() }
            compiled[bucket.id] = Compiled(text: text, policy: policy)
        }
        return policy
    }
}
