import Calls
import Cloud
import HTTPTypes
import ObjectStore
import WireFormats

extension OSSRequest {
    func getBucketAcl(_ bucket: Bucket) throws(OSSError) -> Response {
        try authorize(.getBucketAcl, on: bucket)
        return answer(root: "AccessControlPolicy") { xml in
            encodeOwner(bucket.account, into: &xml)
            xml.element("AccessControlList") { xml in xml.element("Grant", bucket.ossACL) }
        }
    }

    func putBucketAcl(_ bucket: Bucket) async throws(OSSError) -> Response {
        try authorize(.putBucketAcl, on: bucket)
        try await set(try input(PutBucketACLInput.self).access, of: bucket)
        return answer()
    }

    /// Replaces the ACL of a bucket.
    /// - Throws: `AccessDenied` for a public ACL if public access is blocked.
    func set(_ access: OSSBucketAccess, of bucket: Bucket) async throws(OSSError) {
        if access != .private, blocksPublicAccess(bucket) { throw Self.publicACLBlocked }
        let list = access.list(owner: bucket.account)
        try await configure(bucket) { $0.accessControl = list }
    }

    static let publicACLBlocked = OSSError(.accessDenied, "Put public bucket acl is not allowed", subcode: "0003-00000801")
}

extension OSSBucketAccess {
    /// - Throws: `InvalidArgument`.
    init(header name: String) throws(OSSError) {
        guard let access = OSSBucketAccess(rawValue: name) else {
            throw .invalidArgument("no such bucket access control exists", name: "x-oss-acl", value: name)
        }
        self = access
    }
}

extension Bucket {
    /// The name of the bucket's predefined ACL.
    var ossACL: String { configuration.accessControl?.ossWord ?? OSSBucketAccess.private.rawValue }
}
