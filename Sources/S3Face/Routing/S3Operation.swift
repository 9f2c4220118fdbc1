/// A bucket and a key in it.
struct ObjectAddress: Hashable, Sendable {
    var bucket: String
    /// The decoded key: 1 to 1,024 bytes of UTF-8.
    var key: String
}

/// An operation of the S3 API with its bucket and key. (S3 API Reference, "Actions".)
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
    case getBucketAcl(String)
    case putBucketAcl(String)
    case getBucketOwnershipControls(String)
    case putBucketOwnershipControls(String)
    case deleteBucketOwnershipControls(String)
    case getPublicAccessBlock(String)
    case putPublicAccessBlock(String)
    case deletePublicAccessBlock(String)
    case getBucketPolicyStatus(String)
    case getBucketVersioning(String)
    case putBucketVersioning(String)
    case listObjectVersions(String)
    case getObjectLockConfiguration(String)
    case putObjectLockConfiguration(String)
    case getBucketTagging(String)
    case putBucketTagging(String)
    case deleteBucketTagging(String)
    case getBucketEncryption(String)
    case putBucketEncryption(String)
    case deleteBucketEncryption(String)
    case getBucketCors(String)
    case putBucketCors(String)
    case deleteBucketCors(String)
    case getBucketLifecycleConfiguration(String)
    case putBucketLifecycleConfiguration(String)
    case deleteBucketLifecycle(String)
    case getBucketWebsite(String)
    case putBucketWebsite(String)
    case deleteBucketWebsite(String)
    case getBucketNotificationConfiguration(String)
    case putBucketNotificationConfiguration(String)
    case getBucketLogging(String)
    case putBucketLogging(String)
    case getBucketRequestPayment(String)
    case putBucketRequestPayment(String)
    case getBucketAccelerateConfiguration(String)
    case putBucketAccelerateConfiguration(String)
    case getBucketReplication(String)
    case putBucketReplication(String)
    case deleteBucketReplication(String)
    case postObject(String)
    /// An operation on configurations of which a bucket can have many.
    case configuration(String, ConfigurationOperation)

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
    case getObjectAcl(ObjectAddress)
    case putObjectAcl(ObjectAddress)
    case getObjectRetention(ObjectAddress)
    case putObjectRetention(ObjectAddress)
    case getObjectLegalHold(ObjectAddress)
    case putObjectLegalHold(ObjectAddress)
    case getObjectTagging(ObjectAddress)
    case putObjectTagging(ObjectAddress)
    case deleteObjectTagging(ObjectAddress)
    case getObjectAttributes(ObjectAddress)
    case restoreObject(ObjectAddress)
    case updateObjectEncryption(ObjectAddress)
    case selectObjectContent(ObjectAddress)

    /// A CORS preflight request.
    case preflight(String, isObject: Bool)
    /// An operation that S3 has and this face does not implement.
    case unimplemented(name: String, subResource: String)

    /// The name of the API action, as in the journal.
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
        case .getBucketAcl: "GetBucketAcl"
        case .putBucketAcl: "PutBucketAcl"
        case .getBucketOwnershipControls: "GetBucketOwnershipControls"
        case .putBucketOwnershipControls: "PutBucketOwnershipControls"
        case .deleteBucketOwnershipControls: "DeleteBucketOwnershipControls"
        case .getPublicAccessBlock: "GetPublicAccessBlock"
        case .putPublicAccessBlock: "PutPublicAccessBlock"
        case .deletePublicAccessBlock: "DeletePublicAccessBlock"
        case .getBucketPolicyStatus: "GetBucketPolicyStatus"
        case .getBucketVersioning: "GetBucketVersioning"
        case .putBucketVersioning: "PutBucketVersioning"
        case .listObjectVersions: "ListObjectVersions"
        case .getObjectLockConfiguration: "GetObjectLockConfiguration"
        case .putObjectLockConfiguration: "PutObjectLockConfiguration"
        case .getBucketTagging: "GetBucketTagging"
        case .putBucketTagging: "PutBucketTagging"
        case .deleteBucketTagging: "DeleteBucketTagging"
        case .getBucketEncryption: "GetBucketEncryption"
        case .putBucketEncryption: "PutBucketEncryption"
        case .deleteBucketEncryption: "DeleteBucketEncryption"
        case .getBucketCors: "GetBucketCors"
        case .putBucketCors: "PutBucketCors"
        case .deleteBucketCors: "DeleteBucketCors"
        case .getBucketLifecycleConfiguration: "GetBucketLifecycleConfiguration"
        case .putBucketLifecycleConfiguration: "PutBucketLifecycleConfiguration"
        case .deleteBucketLifecycle: "DeleteBucketLifecycle"
        case .getBucketWebsite: "GetBucketWebsite"
        case .putBucketWebsite: "PutBucketWebsite"
        case .deleteBucketWebsite: "DeleteBucketWebsite"
        case .getBucketNotificationConfiguration: "GetBucketNotificationConfiguration"
        case .putBucketNotificationConfiguration: "PutBucketNotificationConfiguration"
        case .getBucketLogging: "GetBucketLogging"
        case .putBucketLogging: "PutBucketLogging"
        case .getBucketRequestPayment: "GetBucketRequestPayment"
        case .putBucketRequestPayment: "PutBucketRequestPayment"
        case .getBucketAccelerateConfiguration: "GetBucketAccelerateConfiguration"
        case .putBucketAccelerateConfiguration: "PutBucketAccelerateConfiguration"
        case .getBucketReplication: "GetBucketReplication"
        case .putBucketReplication: "PutBucketReplication"
        case .deleteBucketReplication: "DeleteBucketReplication"
        case .postObject: "PostObject"
        case .configuration(_, let operation): operation.name
        case .getObjectAcl: "GetObjectAcl"
        case .putObjectAcl: "PutObjectAcl"
        case .getObjectRetention: "GetObjectRetention"
        case .putObjectRetention: "PutObjectRetention"
        case .getObjectLegalHold: "GetObjectLegalHold"
        case .putObjectLegalHold: "PutObjectLegalHold"
        case .getObjectTagging: "GetObjectTagging"
        case .putObjectTagging: "PutObjectTagging"
        case .deleteObjectTagging: "DeleteObjectTagging"
        case .getObjectAttributes: "GetObjectAttributes"
        case .restoreObject: "RestoreObject"
        case .updateObjectEncryption: "UpdateObjectEncryption"
        case .selectObjectContent: "SelectObjectContent"
        case .preflight: "Preflight"
        case .unimplemented(let name, _): name
        }
    }
}
