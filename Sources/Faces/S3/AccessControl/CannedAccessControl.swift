import Cloud
import ObjectStore
import WireFormats

/// A predefined ACL, selected by name. (S3 User Guide, "Canned ACL".)
enum CannedAccessControl: String {
    case `private`
    case publicRead = "public-read"
    case publicReadWrite = "public-read-write"
    case awsExecRead = "aws-exec-read"
    case authenticatedRead = "authenticated-read"
    case bucketOwnerRead = "bucket-owner-read"
    case bucketOwnerFullControl = "bucket-owner-full-control"
    case logDeliveryWrite = "log-delivery-write"

    /// Parses the value of `x-amz-acl`.
    /// - Throws: `InvalidArgument` for an unknown name.
    init(named name: String) throws(S3Error) {
        guard let canned = CannedAccessControl(rawValue: name) else {
            throw .invalidArgument("", name: "x-amz-acl", value: name)
        }
        self = canned
    }

    /// Canonical user ID of the service that reads bundles of machine images. No account of the sandbox has it.
    private static let machineImages = "6aa5a366c34c1cbe25dc49211496e913e0351eb0e8c37aa3477e40942ec6b97c"

    /// Returns the grants of the canned ACL.
    /// - Parameters:
    ///   - owner: canonical user ID of the owner of the bucket or object.
    ///   - bucketOwner: canonical user ID of the owner of the bucket that contains the object; `nil` for a bucket's own ACL.
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
