import Cloud
import Directory
import ObjectStore
import Policy

/// What a bucket's policy, list of access control and settings say about access, ready for the authorizer.
struct BucketAccess: Sendable {
    /// The bucket policy; `nil` if there is none.
    var policy: AttachedPolicy?
    /// What remains of the policy where its Allow statements do not count; `nil` if it denies nothing.
    var denials: AttachedPolicy?
    /// Whether the policy lets somebody in whom it does not name.
    var isPolicyPublic = false
    /// What the bucket's list grants; `nil` if it grants nothing.
    var list: AttachedPolicy?

    /// - Throws: `InternalError` where the policy, which was checked when it was put, is none.
    init(_ bucket: Bucket, _ directory: Directory) throws(S3Error) {
        if let text = bucket.policy {
            // What it may say was settled when it was put.
            let document: PolicyDocument
            do { document = try PolicyDocument(parsing: text, kind: .resource, dialect: .ceph) } catch { throw S3Error(failure: error) }
            let resolved = document.resolvingCanonicalUsers { directory.account(ofCanonicalUser: $0)?.id }
            policy = AttachedPolicy("policy of bucket \(bucket.name)", resolved)
            denials = resolved.denials.map { AttachedPolicy("policy of bucket \(bucket.name), without what it allows", $0) }
            isPolicyPublic = document.isPublic
        }
        if let grants = bucket.listInForce {
            list = try grants.policy("list of bucket \(bucket.name)", on: .bucket, in: bucket.name, directory)
        }
    }

    /// The policy as it counts for a caller: a restricted public policy lets nobody in but the owner's account.
    /// (S3 User Guide, "Blocking public access", `RestrictPublicBuckets`.)
    func policy(for account: String?, in bucket: Bucket) -> AttachedPolicy? {
        guard isPolicyPublic, account != bucket.account,
            bucket.configuration.publicAccessBlock?.contains(.restrictsPublicBuckets) == true
        else { return policy }
        return denials
    }
}

extension Bucket {
    /// Whether lists of access control have no say. (S3 User Guide, "Controlling ownership of objects".)
    var ignoresLists: Bool { configuration.ownership == .bucketOwnerEnforced }

    /// Whether what lists grant to everybody has no say.
    var ignoresPublicLists: Bool { configuration.publicAccessBlock?.contains(.ignoresPublicACLs) == true }

    /// The bucket's list as far as it counts; `nil` if nobody but the owner has a grant that does.
    var listInForce: AccessControlList? { configuration.accessControl.flatMap(inForce) }

    /// What counts of a list of this bucket or of an object in it.
    func inForce(_ list: AccessControlList) -> AccessControlList? {
        guard !ignoresLists else { return nil }
        guard ignoresPublicLists else { return list }
        return AccessControlList(grants: list.grants.filter { !$0.isPublic })
    }
}
