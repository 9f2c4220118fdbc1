import HTTPTypes
import WireFormats

/// Operations on a bucket that is there.
enum OSSBucketOperation: Hashable {
    case deleteBucket
    case listObjects
    case putBucketAcl

    /// - Returns: nothing where no operation has the method without a sub-resource.
    init?(_ method: HTTPRequest.Method, _ query: FormFields, _ headers: HTTPFields) throws(OSSError) {
        switch method {
        case .put where query.first("acl") != nil: self = .putBucketAcl
        case .get: self = .listObjects
        case .delete: self = .deleteBucket
        default: return nil
        }
    }

    var name: String {
        switch self {
        case .deleteBucket: "DeleteBucket"
        case .listObjects: "GetBucket"
        case .putBucketAcl: "PutBucketAcl"
        }
    }
}
