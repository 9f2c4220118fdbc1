import Cloud
import ObjectStore
import WireFormats

/// The predefined ACL of an object. (OSS API Reference, "PutObjectACL".)
enum OSSObjectAccess: String, CaseIterable {
    /// The ACL of the bucket applies.
    case `default`
    case `private`
    case publicRead = "public-read"
    case publicReadWrite = "public-read-write"

    /// Parses the value of `x-oss-object-acl`.
    /// - Throws: `InvalidArgument`.
    init(header text: String) throws(OSSError) {
        guard let access = OSSObjectAccess(rawValue: text) else {
            throw .invalidArgument("no such object access control exists", name: "x-oss-object-acl", value: text)
        }
        self = access
    }

    /// Returns the equivalent ACL; `nil` if the object has no ACL of its own.
    /// - Parameter owner: the account.
    func list(owner: String) -> AccessControlList? {
        switch self {
        case .default: nil
        case .private: AccessControlList(grants: [.init(.canonicalUser(owner), .fullControl)])
        case .publicRead: OSSBucketAccess.publicRead.list(owner: owner)
        case .publicReadWrite: OSSBucketAccess.publicReadWrite.list(owner: owner)
        }
    }

    /// Creates the predefined ACL with the same public grants as an ACL, which may have been put with S3.
    init(_ list: AccessControlList?) {
        guard let list else {
            self = .default
            return
        }
        let granted = Set(list.grants.compactMap { grant in grant.grantee == .everybody ? grant.permission : nil })
        self =
            if granted.contains(.fullControl) || granted.isSuperset(of: [.read, .write]) {
                .publicReadWrite
            } else if granted.contains(.read) {
                .publicRead
            } else {
                .private
            }
    }
}

extension OSSRequest {
    /// Returns the ACL for `x-oss-object-acl`; `nil` if the object gets no ACL of its own.
    /// - Throws: `AccessDenied` for a public ACL if public access is blocked. (OSS User Guide, "Block public access".)
    func accessControl(_ access: OSSObjectAccess, in bucket: Bucket) throws(OSSError) -> AccessControlList? {
        if access == .publicRead || access == .publicReadWrite, blocksPublicAccess(bucket) {
            throw OSSError(.accessDenied, "Put public object acl is not allowed")
        }
        return access.list(owner: bucket.account)
    }
}

extension AccessControlList.Grantee {
    fileprivate static let everybody = group("http://acs.amazonaws.com/groups/global/AllUsers")
}
