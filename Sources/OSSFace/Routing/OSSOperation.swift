import HTTPTypes
import WireFormats

/// What a request asks OSS to do. (OSS API Reference, "List of operations by function".)
enum OSSOperation: Hashable {
    case service(OSSServiceOperation)
    /// PutBucket, the one operation on a bucket that is not there yet.
    case createBucket(String)
    case bucket(String, OSSBucketOperation)
    case object(OSSObjectAddress, OSSObjectOperation)
    /// OptionObject.
    case preflight(String, isObject: Bool)

    /// Chooses the operation by method, address, sub-resources and headers. Touches no state.
    /// - Throws: `MethodNotAllowed`, `InvalidObjectName`, and what the groups of operations throw.
    init(method: HTTPRequest.Method, address: OSSAddress, query: FormFields, headers: HTTPFields) throws(OSSError) {
        guard let bucket = address.bucket else {
            self = .service(try OSSServiceOperation(method, query, headers))
            return
        }
        if method == .options {
            self = .preflight(bucket, isObject: address.key != nil)
        } else if let key = address.key {
            self = .object(OSSObjectAddress(bucket: bucket, key: key), try OSSObjectOperation(method, key, query, headers))
        } else if let operation = try OSSBucketOperation(method, query, headers) {
            self = .bucket(bucket, operation)
        } else if method == .put {
            self = .createBucket(bucket)
        } else {
            throw .methodNotAllowed(method, on: "Bucket")
        }
    }

    /// As the API Reference and the journal call it.
    var name: String {
        switch self {
        case .service(let operation): operation.name
        case .createBucket: "PutBucket"
        case .bucket(_, let operation): operation.name
        case .object(_, let operation): operation.name
        case .preflight: "OptionObject"
        }
    }

    /// Whether the caller is looked at before the bucket is: PutBucket makes it, and PutBucketAcl once did.
    var isAskedBeforeTheBucket: Bool {
        switch self {
        case .createBucket, .bucket(_, .putBucketAcl): true
        case .service, .bucket, .object, .preflight: false
        }
    }
}
