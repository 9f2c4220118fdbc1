import Cloud
import ObjectStore
import Policy
import WireFormats

/// The words for who may do what with a bucket or an object, as policies that the one authorizer weighs.
/// (OSS User Guide, "Bucket ACL" and "Object ACL".)
enum OSSAccessList {
    private static let readActions: [JSONValue] = [
        "oss:GetObject", "oss:GetObjectVersion", "oss:GetObjectMeta", "oss:HeadObject", "oss:GetSymlink",
    ]

    private static let writeActions: [JSONValue] = [
        "oss:PutObject", "oss:AppendObject", "oss:PostObject", "oss:DeleteObject", "oss:AbortMultipartUpload", "oss:ListParts",
        "oss:PutSymlink", "oss:CopyObject",
    ]

    /// The actions on a key that take away or replace the object that is there.
    static let replacing: Set = ["oss:PutObject", "oss:DeleteObject"]

    /// What a list grants to everybody, as a policy.
    /// - Returns: `nil` if it grants nothing.
    static func policy(of list: AccessControlList, _ label: String, in bucket: String) throws(OSSError) -> AttachedPolicy? {
        var actions: [JSONValue] = []
        if list.letsEverybody(.read) { actions += readActions }
        if list.letsEverybody(.write) { actions += writeActions }
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
    /// Whether everybody has the permission.
    func letsEverybody(_ permission: Permission) -> Bool {
        grants.contains { grant in
            guard case .group(let uri) = grant.grantee, uri.hasSuffix("/AllUsers") else { return false }
            return grant.permission == permission || grant.permission == .fullControl
        }
    }

    /// The word that says the same to everybody.
    var ossWord: String {
        letsEverybody(.write)
            ? OSSBucketAccess.publicReadWrite.rawValue
            : letsEverybody(.read) ? OSSBucketAccess.publicRead.rawValue : OSSBucketAccess.private.rawValue
    }
}

/// What a bucket's policy and list say about access, ready for the authorizer.
struct OSSBucketPolicies: Sendable {
    /// The bucket policy; `nil` if there is none.
    var policy: AttachedPolicy?
    /// What remains of the policy where what it allows does not count; `nil` if it denies nothing.
    var denials: AttachedPolicy?
    /// The policy as it applies to the bucket's owner; `nil` if it does not.
    var policyForOwner: AttachedPolicy?
    /// Whether the policy lets everybody in.
    var isPolicyPublic = false
    /// What the bucket's list grants; `nil` if it grants nothing.
    var list: AttachedPolicy?

    /// - Throws: `InternalError` where the policy, which was checked when it was put, is none.
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
