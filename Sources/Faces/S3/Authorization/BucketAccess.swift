import Cloud
import Directory
import ObjectStore
import Policy
import WireFormats

/// The policy, ACL and access settings of a bucket in the form that the authorizer evaluates.
struct BucketAccess: Sendable {
    /// The bucket policy; `nil` if there is none.
    var policy: AttachedPolicy?
    /// The policy without its Allow statements; `nil` if it denies nothing.
    var denials: AttachedPolicy?
    /// Whether the policy is public: it allows callers that it does not name.
    var isPolicyPublic = false
    /// The bucket's ACL as a policy; `nil` if it grants nothing.
    var list: AttachedPolicy?

    /// Parses the bucket's configuration.
    /// - Throws: `InternalError` if the stored policy, which was validated when it was put, cannot be parsed.
    init(_ bucket: Bucket, _ directory: Directory) throws(S3Error) {
        if let text = bucket.policy {
            // The content was validated when the policy was put; the Ceph dialect accepts every valid policy.
            let document: PolicyDocument
            do { document = try PolicyDocument(parsing: text, kind: .resource, dialect: .ceph) } catch { throw S3Error(failure: error) }
            let bound = bucket.policyPrincipals.map { BoundPrincipals(stored: $0).bind(document) } ?? document
            let resolved = bound.resolvingCanonicalUsers { directory.account(ofCanonicalUser: $0)?.id }
            policy = AttachedPolicy("policy of bucket \(bucket.name)", resolved)
            denials = resolved.denials.map { AttachedPolicy("policy of bucket \(bucket.name), without what it allows", $0) }
            isPolicyPublic = document.isPublic
        }
        if let grants = bucket.listInForce {
            list = try grants.policy("list of bucket \(bucket.name)", on: .bucket, in: bucket.name, directory)
        }
    }

    /// Returns the policy that applies to a caller: with `RestrictPublicBuckets`, a public policy allows only the owner's account.
    /// (S3 User Guide, "Blocking public access", `RestrictPublicBuckets`.)
    func policy(for account: String?, in bucket: Bucket) -> AttachedPolicy? {
        guard isPolicyPublic, account != bucket.account,
            bucket.configuration.publicAccessBlock?.contains(.restrictsPublicBuckets) == true
        else { return policy }
        return denials
    }
}

extension Bucket {
    /// Whether ACLs are disabled. (S3 User Guide, "Controlling ownership of objects".)
    var ignoresLists: Bool { configuration.ownership == .bucketOwnerEnforced }

    /// Whether public grants of ACLs are ignored.
    var ignoresPublicLists: Bool { configuration.publicAccessBlock?.contains(.ignoresPublicACLs) == true }

    /// The effective ACL of the bucket; `nil` if only the owner has an effective grant.
    var listInForce: AccessControlList? { configuration.accessControl.flatMap(inForce) }

    /// Returns the effective part of an ACL of this bucket or of an object in it.
    func inForce(_ list: AccessControlList) -> AccessControlList? {
        guard !ignoresLists else { return nil }
        guard ignoresPublicLists else { return list }
        return AccessControlList(grants: list.grants.filter { !$0.isPublic })
    }
}
