import Calls
import Cloud
import Federation
import HTTPTypes
import ObjectServing
import ObjectStore
import WireFormats

/// What CreateBucket reads in the headers. (S3 API Reference, "CreateBucket".)
struct CreateBucketInput: S3Input {
    var namespace: Parsed<BucketNamespace>
    /// `nil` if the request names none.
    var ownership: Parsed<ObjectOwnership>?
    var locksObjects: Bool
    var accessControl: AccessControlFields

    init(_ fields: S3Fields) {
        let headers = fields.headers
        namespace = Parsed { () throws(S3Error) in
            let text = headers[.bucketNamespace]
            guard let namespace = BucketNamespace(rawValue: text ?? "global") else {
                throw .invalidArgument("Invalid x-amz-bucket-namespace header", name: "x-amz-bucket-namespace", value: text ?? "")
            }
            return namespace
        }
        ownership = headers[.objectOwnership].map { text in
            guard let ownership = ObjectOwnership(rawValue: text) else {
                return .failure(
                    S3Error(
                        .invalidArgument, "Invalid x-amz-object-ownership header: \(text)", ["ArgumentName": "x-amz-object-ownership"]))
            }
            return .success(ownership)
        }
        locksObjects = headers[.objectLockEnabled]?.lowercased() == "true"
        accessControl = AccessControlFields(headers)
    }
}

/// What PutBucketAcl and PutObjectAcl read in the headers.
struct PutAclInput: S3Input {
    var accessControl: AccessControlFields

    init(_ fields: S3Fields) { accessControl = AccessControlFields(fields.headers) }
}

/// What PutBucketPolicy reads in the headers. (S3 API Reference, "PutBucketPolicy".)
struct PutBucketPolicyInput: S3Input {
    /// Whether the policy may deny the caller access to the policy itself. With Ceph, it then also denies the owner's root user.
    var removesSelfAccess: Bool

    init(_ fields: S3Fields) {
        removesSelfAccess = fields.dialect == .ceph && fields.headers.value(of: .confirmRemoveSelfBucketAccess) == "true"
    }
}

/// What PutBucketNotificationConfiguration reads in the headers.
struct PutNotificationInput: S3Input {
    var skipsDestinationValidation: Bool

    init(_ fields: S3Fields) { skipsDestinationValidation = fields.headers[.skipDestinationValidation]?.lowercased() == "true" }
}

/// What PutBucketLifecycleConfiguration reads in the headers.
struct PutLifecycleInput: S3Input {
    var minimumTransitionSize: LifecycleConfiguration.MinimumTransitionSize

    /// - Throws: `InvalidRequest`.
    init(_ fields: S3Fields) throws(S3Error) {
        guard let text = fields.headers[.transitionMinimumSize] else {
            minimumTransitionSize = .all
            return
        }
        guard let size = LifecycleConfiguration.MinimumTransitionSize(rawValue: text) else {
            throw S3Error(.invalidRequest, "Invalid TransitionDefaultMinimumObjectSize found: \(text)")
        }
        minimumTransitionSize = size
    }
}

/// The configuration that a request names, of a kind of which a bucket can have several.
struct ConfigurationInput: S3Input {
    private static let longestID = 64

    var id: String

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        id = fields.query["id"] ?? ""
        guard (1...Self.longestID).contains(id.utf8.count),
            id.utf8.allSatisfy({ byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            })
        else { throw .invalidArgument("The specified configuration id is invalid.", name: "id", value: id) }
    }
}

/// The page to list of the configurations of such a kind.
struct ListConfigurationsInput: S3Input {
    /// `nil` if the query has none.
    var token: String?
    /// The identifier that the page begins after; `nil` for the first page.
    var after: String?

    /// - Throws: `InvalidArgument`.
    init(_ fields: S3Fields) throws(S3Error) {
        token = fields.query["continuation-token"]
        after = try token.map { token throws(S3Error) in try ContinuationToken.key(checking: token) }
    }
}
