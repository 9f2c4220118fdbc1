import Cloud
import ObjectStore

/// A list of access control that S3 knows by name. (S3 User Guide, "Canned ACL".)
enum CannedAccessControl: String {
    case `private`
    case publicRead = "public-read"
    case publicReadWrite = "public-read-write"
    case awsExecRead = "aws-exec-read"
    case authenticatedRead = "authenticated-read"
    case bucketOwnerRead = "bucket-owner-read"
    case bucketOwnerFullControl = "bucket-owner-full-control"
    case logDeliveryWrite = "log-delivery-write"

    /// - Throws: `InvalidArgument` for a name that S3 does not know.
    init(named name: String) throws(S3Error) {
        guard let canned = CannedAccessControl(rawValue: name) else {
            throw .invalidArgument("", name: "x-amz-acl", value: name)
        }
        self = canned
    }

    /// The user whose instances read bundles of machine images; nobody of this sandbox.
    private static let machineImages = "6aa5a366c34c1cbe25dc49211496e913e0351eb0e8c37aa3477e40942ec6b97c"

    /// What the name stands for.
    /// - Parameters:
    ///   - owner: canonical identifier of who owns what has the list.
    ///   - bucketOwner: that of the bucket that holds it; `nil` for a bucket's own list, where it has no meaning.
    func list(owner: String, bucketOwner: String?) -> AccessControlList {
        typealias Grant = AccessControlList.Grant
        func group(_ group: PredefinedGroup, _ permission: AccessControlList.Permission) -> Grant {
            Grant(.group(group.rawValue), permission)
        }
        var grants = [Grant(.canonicalUser(owner), .fullControl)]
        switch self {
        case .private: break
        case .publicRead: grants.append(group(.allUsers, .read))
        case .publicReadWrite: grants += [group(.allUsers, .read), group(.allUsers, .write)]
        case .awsExecRead: grants.append(Grant(.canonicalUser(Self.machineImages), .read))
        case .authenticatedRead: grants.append(group(.authenticatedUsers, .read))
        case .bucketOwnerRead, .bucketOwnerFullControl:
            if let bucketOwner, bucketOwner != owner {
                grants.append(Grant(.canonicalUser(bucketOwner), self == .bucketOwnerRead ? .read : .fullControl))
            }
        case .logDeliveryWrite:
            if bucketOwner == nil { grants += [group(.logDelivery, .write), group(.logDelivery, .readACP)] }
        }
        return AccessControlList(grants: grants)
    }
}
