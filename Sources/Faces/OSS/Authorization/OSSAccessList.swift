import Cloud
import ObjectStore
import Policy
import WireFormats

/// Converts ACLs to policies, so that one authorizer evaluates both.
/// (OSS User Guide, "Bucket ACL" and "Object ACL".)
enum OSSAccessList {
    private static let readActions = OSSAction.allCases.filter(\.isPublicRead).map { JSONValue.string($0.rawValue) }
    private static let writeActions = OSSAction.allCases.filter(\.isPublicWrite).map { JSONValue.string($0.rawValue) }

    /// Converts the public grants of an ACL to a policy.
    /// - Returns: `nil` if it grants nothing.
    static func policy(of list: AccessControlList, _ label: String, in bucket: String) throws(OSSError) -> AttachedPolicy? {
        var actions: [JSONValue] = []
        if list.allowsEveryone(.read) { actions += readActions }
        if list.allowsEveryone(.write) { actions += writeActions }
        guard !actions.isEmpty else { return nil }
        let statement: JSONValue = [
            "Effect": "Allow", "Principal": ["*"], "Action": .array(actions), "Resource": [.string("acs:oss:*:*:\(bucket)/*")],
        ]
        let document: PolicyDocument
        do {
            document = try PolicyDocument(json: ["Version": "1", "Statement": [statement]], kind: .resource, dialect: .ram)
        } catch {
            throw OSSError(failure: error)
        }
        return AttachedPolicy(label, document)
    }
}

extension AccessControlList {
    /// Whether all users have the permission.
    func allowsEveryone(_ permission: Permission) -> Bool {
        grants.contains { grant in
            guard case .group(let uri) = grant.grantee, uri.hasSuffix("/AllUsers") else { return false }
            return grant.permission == permission || grant.permission == .fullControl
        }
    }

    /// The name of the predefined ACL with the same public grants.
    var ossWord: String {
        allowsEveryone(.write)
            ? OSSBucketAccess.publicReadWrite.rawValue
            : allowsEveryone(.read) ? OSSBucketAccess.publicRead.rawValue : OSSBucketAccess.private.rawValue
    }
}

/// The policy and ACL of a bucket in the form that the authorizer evaluates.
struct OSSBucketPolicies: Sendable {
    /// The bucket policy; `nil` if there is none.
    var policy: AttachedPolicy?
    /// The policy without its Allow statements; `nil` if it denies nothing.
    var denials: AttachedPolicy?
    /// The policy as it applies to the bucket's owner; `nil` if no statement does.
    var policyForOwner: AttachedPolicy?
    /// Whether the policy is public: it allows all callers.
    var isPolicyPublic = false
    /// The bucket's ACL as a policy; `nil` if it grants nothing.
    var list: AttachedPolicy?

    /// Parses the bucket's configuration.
    /// - Throws: `InternalError` if the stored policy, which was validated when it was put, cannot be parsed.
    init(_ bucket: Bucket) throws(OSSError) {
        if let text = bucket.configuration.documents[.ossPolicy] {
            let document: PolicyDocument
            do { document = try PolicyDocument(parsing: text, kind: .resource, dialect: .ram) } catch { throw OSSError(failure: error) }
            policy = AttachedPolicy("policy of bucket \(bucket.name)", document)
            denials = document.denials.map { AttachedPolicy("policy of bucket \(bucket.name), without what it allows", $0) }
            policyForOwner = document.forBucketOwner.map { AttachedPolicy("policy of bucket \(bucket.name), as its owner has it", $0) }
            isPolicyPublic = document.isPublic
        }
        if let grants = bucket.configuration.accessControl {
            list = try OSSAccessList.policy(of: grants, "list of bucket \(bucket.name)", in: bucket.name)
        }
    }
}
