import HTTPTypes
import WireFormats

/// An operation of the OSS API with its bucket and key. (OSS API Reference, "List of operations by function".)
enum OSSOperation: Hashable {
    case service(OSSServiceOperation)
    /// PutBucket, the only operation on a bucket that does not exist.
    case createBucket(String)
    case bucket(String, OSSBucketOperation)
    case object(OSSObjectAddress, OSSObjectOperation)
    /// OptionObject.
    case preflight(String, isObject: Bool)

    /// Determines the operation from method, address, sub-resources and headers. Does not use any state.
    /// - Throws: `MethodNotAllowed`, `InvalidObjectName`, and the errors of the groups of operations.
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

    /// The name of the operation in the API Reference and the journal.
    var name: String {
        switch self {
        case .service(let operation): operation.name
        case .createBucket: "PutBucket"
        case .bucket(_, let operation): operation.name
        case .object(_, let operation): operation.name
        case .preflight: "OptionObject"
        }
    }

    /// Whether the caller is authenticated before the existence of the bucket is checked. PutBucket creates it, and PutBucketAcl did so
    /// formerly.
    var authenticatesFirst: Bool {
        switch self {
        case .createBucket, .bucket(_, .putBucketAcl): true
        case .service, .bucket, .object, .preflight: false
        }
    }
}
