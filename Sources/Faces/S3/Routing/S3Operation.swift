import WireFormats

/// A bucket and a key in it.
struct ObjectAddress: Hashable, Sendable {
    var bucket: String
    /// The decoded key: 1 to 1,024 bytes of UTF-8.
    var key: String
}

/// An operation of the S3 API with its bucket and key. (S3 API Reference, "Actions".)
enum S3Operation: Hashable, Sendable {
    case listBuckets
    case bucket(String, S3BucketOperation)
    /// An operation on a configuration of which a bucket has at most one.
    case document(String, S3DocumentOperation)
    /// An operation on configurations of which a bucket can have several.
    case configuration(String, ConfigurationOperation)
    case object(ObjectAddress, S3ObjectOperation)
    /// A browser's form, which contains its signature.
    case postObject(String)
    /// A CORS preflight request.
    case preflight(String, isObject: Bool)
    /// An operation that S3 refuses once the bucket is found.
    case refused(name: String, bucket: String, SubResource.Refusal)
    /// An operation that S3 has and this face does not implement.
    case unimplemented(name: String, subResource: String)

    /// The name of the API action, as in the journal.
    var name: String {
        switch self {
        case .listBuckets: "ListBuckets"
        case .bucket(_, let operation): operation.rawValue
        case .document(_, let operation): operation.name
        case .configuration(_, let operation): operation.name
        case .object(_, let operation): operation.rawValue
        case .postObject: "PostObject"
        case .preflight: "Preflight"
        case .refused(let name, _, _): name
        case .unimplemented(let name, _): name
        }
    }
}

/// Operations on a bucket. The raw value is the name of the API action.
enum S3BucketOperation: String, Hashable, Sendable, CaseIterable {
    case createBucket = "CreateBucket"
    case headBucket = "HeadBucket"
    case deleteBucket = "DeleteBucket"
    case getBucketLocation = "GetBucketLocation"
    case getBucketPolicy = "GetBucketPolicy"
    case putBucketPolicy = "PutBucketPolicy"
    case deleteBucketPolicy = "DeleteBucketPolicy"
    case listObjects = "ListObjects"
    case listObjectsV2 = "ListObjectsV2"
    case listMultipartUploads = "ListMultipartUploads"
    case deleteObjects = "DeleteObjects"
    case getBucketAcl = "GetBucketAcl"
    case putBucketAcl = "PutBucketAcl"
    case getBucketOwnershipControls = "GetBucketOwnershipControls"
    case putBucketOwnershipControls = "PutBucketOwnershipControls"
    case deleteBucketOwnershipControls = "DeleteBucketOwnershipControls"
    case getPublicAccessBlock = "GetPublicAccessBlock"
    case putPublicAccessBlock = "PutPublicAccessBlock"
    case deletePublicAccessBlock = "DeletePublicAccessBlock"
    case getBucketPolicyStatus = "GetBucketPolicyStatus"
    case getBucketVersioning = "GetBucketVersioning"
    case putBucketVersioning = "PutBucketVersioning"
    case listObjectVersions = "ListObjectVersions"
    case getObjectLockConfiguration = "GetObjectLockConfiguration"
    case putObjectLockConfiguration = "PutObjectLockConfiguration"
    case getBucketTagging = "GetBucketTagging"
    case putBucketTagging = "PutBucketTagging"
    case deleteBucketTagging = "DeleteBucketTagging"
    case getBucketEncryption = "GetBucketEncryption"
    case putBucketEncryption = "PutBucketEncryption"
    case deleteBucketEncryption = "DeleteBucketEncryption"
    case getBucketLifecycleConfiguration = "GetBucketLifecycleConfiguration"
    case putBucketLifecycleConfiguration = "PutBucketLifecycleConfiguration"
    case deleteBucketLifecycle = "DeleteBucketLifecycle"
    case getBucketNotificationConfiguration = "GetBucketNotificationConfiguration"
    case putBucketNotificationConfiguration = "PutBucketNotificationConfiguration"
    case getBucketLogging = "GetBucketLogging"
    case putBucketLogging = "PutBucketLogging"
    case getBucketRequestPayment = "GetBucketRequestPayment"
    case putBucketRequestPayment = "PutBucketRequestPayment"
    case getBucketAccelerateConfiguration = "GetBucketAccelerateConfiguration"
    case putBucketAccelerateConfiguration = "PutBucketAccelerateConfiguration"
}

/// Operations on an object. The raw value is the name of the API action.
enum S3ObjectOperation: String, Hashable, Sendable, CaseIterable {
    case getObject = "GetObject"
    case headObject = "HeadObject"
    case putObject = "PutObject"
    case copyObject = "CopyObject"
    case deleteObject = "DeleteObject"
    case createMultipartUpload = "CreateMultipartUpload"
    case uploadPart = "UploadPart"
    case uploadPartCopy = "UploadPartCopy"
    case completeMultipartUpload = "CompleteMultipartUpload"
    case abortMultipartUpload = "AbortMultipartUpload"
    case listParts = "ListParts"
    case getObjectAcl = "GetObjectAcl"
    case putObjectAcl = "PutObjectAcl"
    case getObjectRetention = "GetObjectRetention"
    case putObjectRetention = "PutObjectRetention"
    case getObjectLegalHold = "GetObjectLegalHold"
    case putObjectLegalHold = "PutObjectLegalHold"
    case getObjectTagging = "GetObjectTagging"
    case putObjectTagging = "PutObjectTagging"
    case deleteObjectTagging = "DeleteObjectTagging"
    case getObjectAttributes = "GetObjectAttributes"
    case restoreObject = "RestoreObject"
    case updateObjectEncryption = "UpdateObjectEncryption"
    case selectObjectContent = "SelectObjectContent"
}
