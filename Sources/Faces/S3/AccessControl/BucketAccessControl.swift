import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectStore
import WireFormats

extension S3Request {
    /// The maximum size of an ACL document in bytes: 100 grants and the enclosing elements.
    private static let listLimit = 256 << 10

    func getBucketAcl(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketAcl, on: bucket)
        return answer(bucket.ignoresLists ? nil : bucket.configuration.accessControl, ownedBy: bucket.account)
    }

    func putBucketAcl(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketAcl, on: bucket)
        try refuseVersionOfBucket()
        let list = try await listToPut(ownedBy: bucket.account, bucketOwner: nil)
        guard !bucket.ignoresLists else { throw S3Error(.accessControlListNotSupported) }
        try check(list, for: .putBucketAcl, "arn:aws:s3:::\(name)", in: bucket)
        try await configure(bucket) { $0.accessControl = list }
        return answer(.ok)
    }

    /// Returns the ACL of a request that replaces an ACL, from its headers or its document.
    /// - Parameters:
    ///   - account: the owner of the bucket or object, which cannot be changed.
    ///   - bucketOwner: the account of the bucket that contains the object; `nil` for a bucket's own ACL.
    /// - Returns: `nil` for an ACL with grants for the owner only.
    /// - Throws: `MissingSecurityHeader`, `UnexpectedContent`, `MalformedACLError`, and the errors of the parsers of both forms.
    func listToPut(ownedBy account: String, bucketOwner: String?) async throws -> AccessControlList? {
        let directory = call.cloud.directory
        let owner = directory.canonicalUserID(of: account)
        let asked = try AccessControlHeaders(try input(PutAclInput.self).accessControl, grantees)
        let body = try await document(upTo: Self.listLimit, try declaredBody())
        if case .none = asked {
            guard !body.isEmpty else {
                throw S3Error(.missingSecurityHeader, nil, ["MissingHeaderName": "x-amz-acl"])
            }
            guard let element = try? xml("AccessControlPolicy", body) else { throw S3Error(.malformedACL) }
            let policy = try AccessControlPolicy(element, grantees)
            guard policy.owner == owner else {
                _ = try grantees.canonicalUser(policy.owner, "CanonicalUser/ID")
                throw S3Error(.accessDenied)
            }
            return policy.list.isPrivate(to: owner) ? nil : policy.list
        }
        guard body.isEmpty else { throw S3Error(.unexpectedContent) }
        return asked.list(owner: owner, bucketOwner: bucketOwner.map(directory.canonicalUserID))
    }

    /// Returns the response of the operations that read an ACL.
    /// - Parameter list: `nil` for an ACL with grants for the owner only.
    func answer(_ list: AccessControlList?, ownedBy account: String) -> Response {
        let directory = call.cloud.directory
        let owner = canonicalUser(account)
        let list = list ?? CannedAccessControl.private.list(owner: owner.id, bucketOwner: nil)
        return answer(root: "AccessControlPolicy") { xml in list.encode(owner: owner, directory, dialect, into: &xml) }
    }
}
