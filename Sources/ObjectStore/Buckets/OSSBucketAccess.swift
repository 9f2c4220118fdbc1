/// What everybody may do with a bucket of OSS, in its words. (OSS API Reference, "PutBucketAcl".)
package enum OSSBucketAccess: String, Sendable, CaseIterable {
    case `private`
    case publicRead = "public-read"
    case publicReadWrite = "public-read-write"

    /// The list of access control that says so; `nil` if nobody but the owner has a grant.
    /// - Parameter owner: the account.
    package func list(owner: String) -> AccessControlList? {
        var grants = [AccessControlList.Grant(.canonicalUser(owner), .fullControl), .init(.group(Self.everybody), .read)]
        switch self {
        case .private: return nil
        case .publicRead: break
        case .publicReadWrite: grants.append(.init(.group(Self.everybody), .write))
        }
        return AccessControlList(grants: grants)
    }

    /// The group of everybody, as lists call it. (S3 User Guide, "Amazon S3 predefined groups".)
    private static let everybody = "http://acs.amazonaws.com/groups/global/AllUsers"
}
