import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

extension S3Request {
    /// Returns the owner and the ACL of an object that this request writes.
    ///
    /// Call it after the permission to write has been checked: it also checks the permission to set an ACL.
    /// (S3 User Guide, "Controlling ownership of objects and disabling ACLs for your bucket".)
    /// - Returns: the owning account, and the ACL; `nil` for an ACL that only grants the owner.
    /// - Throws: `AccessControlListNotSupported`, `AccessDenied`, and what ``AccessControlHeaders`` finds.
    func accessControl(
        ofNewObjectIn bucket: Bucket, key: String, _ fields: AccessControlFields
    ) throws(S3Error) -> (owner: String, list: AccessControlList?) {
        let writer = caller.account ?? Vendor.anonymous
        guard !fields.isEmpty else {
            return (bucket.ignoresLists ? bucket.account : writer, nil)
        }
        let asked = try AccessControlHeaders(fields, grantees)
        let directory = call.cloud.directory
        let bucketOwner = directory.canonicalUserID(of: bucket.account)
        if bucket.ignoresLists {
            guard asked.grantsFullControlOnly(to: bucketOwner, by: directory.canonicalUserID(of: writer)) else {
                throw S3Error(.accessControlListNotSupported)
            }
            try authorizeList(of: key, in: bucket)
            return (bucket.account, nil)
        }
        var owner = writer
        if bucket.configuration.ownership == .bucketOwnerPreferred, case .canned(.bucketOwnerFullControl) = asked {
            owner = bucket.account
        }
        try authorizeList(of: key, in: bucket)
        let list = asked.list(owner: directory.canonicalUserID(of: owner), bucketOwner: bucketOwner)
        try check(list, for: .putObject, "arn:aws:s3:::\(bucket.name)/\(key)", in: bucket)
        return (owner, list)
    }

    /// Rejects a public ACL if the bucket blocks public ACLs.
    func check(_ list: AccessControlList?, for action: S3Action, _ resource: String, in bucket: Bucket) throws(S3Error) {
        guard list?.isPublic == true, bucket.configuration.publicAccessBlock?.contains(.blocksPublicACLs) == true else { return }
        throw denied(
            action, resource,
            "because public access control lists (ACLs) are blocked by the BlockPublicAcls block public access setting.")
    }
}

extension AccessControlHeaders {
    /// Whether the headers specify what applies while ACLs are disabled: full control for the bucket's owner and no other grants.
    /// - Parameters:
    ///   - bucketOwner: canonical user ID of the bucket's owner.
    ///   - writer: canonical user ID of the caller.
    fileprivate func grantsFullControlOnly(to bucketOwner: String, by writer: String) -> Bool {
        switch self {
        case .none: true
        case .canned(let canned): canned == .bucketOwnerFullControl || (canned == .private && writer == bucketOwner)
        case .grants(let grants): AccessControlList(grants: grants).isPrivate(to: bucketOwner)
        }
    }
}

extension HTTPField.Name {
    /// Whether the header specifies an ACL.
    var isAccessControl: Bool {
        let name = canonicalName
        return name == "x-amz-acl" || name.begins(with: "x-amz-grant-")
    }
}
