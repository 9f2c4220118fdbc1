import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectStore
import Policy

extension S3Request {
    /// Who will own an object that this request writes, and the list of access control that it asks for.
    ///
    /// Call it when the caller is known to be allowed to write: it asks for the permission to set a list as well.
    /// (S3 User Guide, "Controlling ownership of objects and disabling ACLs for your bucket".)
    /// - Returns: the owning account, and nothing for a list that grants the owner alone.
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
            guard asked.givesEverything(to: bucketOwner, by: directory.canonicalUserID(of: writer)) else {
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

    /// Refuses a public list where the bucket blocks them.
    func check(_ list: AccessControlList?, for action: S3Action, _ resource: String, in bucket: Bucket) throws(S3Error) {
        guard list?.isPublic == true, bucket.configuration.publicAccessBlock?.contains(.blocksPublicACLs) == true else { return }
        throw denied(
            action, resource,
            "because public access control lists (ACLs) are blocked by the BlockPublicAcls block public access setting.")
    }
}

extension AccessControlHeaders {
    /// Whether the headers ask for what holds where lists are off: the bucket's owner may do everything, and nobody else.
    /// - Parameters:
    ///   - bucketOwner: canonical identifier.
    ///   - writer: canonical identifier of who writes.
    fileprivate func givesEverything(to bucketOwner: String, by writer: String) -> Bool {
        switch self {
        case .none: true
        case .canned(let canned): canned == .bucketOwnerFullControl || (canned == .private && writer == bucketOwner)
        case .grants(let grants): AccessControlList(grants: grants).isPrivate(to: bucketOwner)
        }
    }
}

extension HTTPField.Name {
    /// Whether the header says something of a list of access control.
    var isAccessControl: Bool {
        let name = canonicalName
        return name == "x-amz-acl" || name.hasPrefix("x-amz-grant-")
    }
}
