import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectStore
import WireFormats

extension S3Request {
    /// A hundred grants and what stands around them.
    private static let listLimit = 256 << 10

    /// GetBucketAcl.
    func getBucketAcl(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.getBucketAcl, on: bucket)
        return answer(bucket.ignoresLists ? nil : bucket.configuration.accessControl, ownedBy: bucket.account)
    }

    /// PutBucketAcl.
    func putBucketAcl(_ name: String) async throws -> Response {
        let bucket = try bucket(name)
        try authorize(.putBucketAcl, on: bucket)
        let list = try await listToPut(ownedBy: bucket.account, bucketOwner: nil)
        guard !bucket.ignoresLists else { throw S3Error(.accessControlListNotSupported) }
        try check(list, for: .putBucketAcl, "arn:aws:s3:::\(name)", in: bucket)
        try await configure(bucket) { $0.accessControl = list }
        return answer(.ok)
    }

    /// The list that a request to replace one carries, in headers or as a document.
    /// - Parameters:
    ///   - account: the owner of what has the list, which cannot be changed.
    ///   - bucketOwner: the account of the bucket that holds it; `nil` for a bucket's own list.
    /// - Returns: nothing for a list that grants the owner alone.
    /// - Throws: `MissingSecurityHeader`, `UnexpectedContent`, `MalformedACLError`, and what the readers of both forms find.
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

    /// The answer of the operations that read a list.
    /// - Parameter list: nothing for one that grants the owner alone.
    func answer(_ list: AccessControlList?, ownedBy account: String) -> Response {
        let directory = call.cloud.directory
        let owner = canonicalUser(account)
        let list = list ?? CannedAccessControl.private.list(owner: owner.id, bucketOwner: nil)
        return answer(root: "AccessControlPolicy") { xml in list.encode(owner: owner, directory, dialect, into: &xml) }
    }
}
