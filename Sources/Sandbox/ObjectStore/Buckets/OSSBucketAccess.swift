import WireFormats

/// The public access to a bucket of OSS, as its canned ACL names it. (OSS API Reference, "PutBucketAcl".)
package enum OSSBucketAccess: String, Sendable, CaseIterable {
    case `private`
    case publicRead = "public-read"
    case publicReadWrite = "public-read-write"

    /// Returns the equivalent access control list; `nil` if only the owner has a grant.
    /// - Parameter owner: the account number of the owner.
    package func list(owner: String) -> AccessControlList? {
        var grants = [AccessControlList.Grant(.canonicalUser(owner), .fullControl), .init(.group(Self.everybody), .read)]
        switch self {
        case .private: return nil
        case .publicRead: break
        case .publicReadWrite: grants.append(.init(.group(Self.everybody), .write))
        }
        return AccessControlList(grants: grants)
    }

    /// The group of all users. (S3 User Guide, "Amazon S3 predefined groups".)
    private static let everybody = "http://acs.amazonaws.com/groups/global/AllUsers"
}
