/// A bucket and a key in it.
struct ObjectAddress: Hashable, Sendable {
    var bucket: String
    /// Decoded; 1 to 1,024 bytes of UTF-8.
    var key: String
}

/// One operation of the S3 API, addressed. (S3 API Reference, "Actions".)
enum S3Operation: Hashable, Sendable {
    case listBuckets

    case createBucket(String)
    case headBucket(String)
    case deleteBucket(String)
    case getBucketLocation(String)
    case getBucketPolicy(String)
    case putBucketPolicy(String)
    case deleteBucketPolicy(String)
    case listObjects(String)
    case listObjectsV2(String)
    case listMultipartUploads(String)
    case deleteObjects(String)

    case getObject(ObjectAddress)
    case headObject(ObjectAddress)
    case putObject(ObjectAddress)
    case copyObject(ObjectAddress)
    case deleteObject(ObjectAddress)
    case createMultipartUpload(ObjectAddress)
    case uploadPart(ObjectAddress)
    case uploadPartCopy(ObjectAddress)
    case completeMultipartUpload(ObjectAddress)
    case abortMultipartUpload(ObjectAddress)
    case listParts(ObjectAddress)

    /// A browser asks whether another origin may call.
    case preflight(String)
    /// An operation that S3 has and this face does not.
    case unimplemented(name: String, subResource: String)

    /// The name of the API action, as the journal shows it.
    var name: String {
        switch self {
        case .listBuckets: "ListBuckets"
        case .createBucket: "CreateBucket"
        case .headBucket: "HeadBucket"
        case .deleteBucket: "DeleteBucket"
        case .getBucketLocation: "GetBucketLocation"
        case .getBucketPolicy: "GetBucketPolicy"
        case .putBucketPolicy: "PutBucketPolicy"
        case .deleteBucketPolicy: "DeleteBucketPolicy"
        case .listObjects: "ListObjects"
        case .listObjectsV2: "ListObjectsV2"
        case .listMultipartUploads: "ListMultipartUploads"
        case .deleteObjects: "DeleteObjects"
        case .getObject: "GetObject"
        case .headObject: "HeadObject"
        case .putObject: "PutObject"
        case .copyObject: "CopyObject"
        case .deleteObject: "DeleteObject"
        case .createMultipartUpload: "CreateMultipartUpload"
        case .uploadPart: "UploadPart"
        case .uploadPartCopy: "UploadPartCopy"
        case .completeMultipartUpload: "CompleteMultipartUpload"
        case .abortMultipartUpload: "AbortMultipartUpload"
        case .listParts: "ListParts"
        case .preflight: "Preflight"
        case .unimplemented(let name, _): name
        }
    }
}
