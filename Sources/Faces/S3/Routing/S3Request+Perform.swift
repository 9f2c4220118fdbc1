import Calls
import WireFormats

/// Calls the function that performs an operation.
///
/// These functions are not optimized, because the compiler of Swift 6.3 crashes when it splits so many asynchronous calls.
extension S3Request {
    @_optimize(none)
    func perform(_ operation: S3BucketOperation, on bucket: String) async throws -> Response {
        switch operation {
        case .createBucket: try await createBucket(bucket)
        case .headBucket: try headBucket(bucket)
        case .deleteBucket: try await deleteBucket(bucket)
        case .getBucketLocation: try getBucketLocation(bucket)
        case .getBucketPolicy: try getBucketPolicy(bucket)
        case .putBucketPolicy: try await putBucketPolicy(bucket)
        case .deleteBucketPolicy: try await deleteBucketPolicy(bucket)
        case .listObjects: try await listObjects(bucket)
        case .listObjectsV2: try await listObjectsV2(bucket)
        case .listMultipartUploads: try await listMultipartUploads(bucket)
        case .deleteObjects: try await deleteObjects(bucket)
        case .getBucketAcl: try await getBucketAcl(bucket)
        case .putBucketAcl: try await putBucketAcl(bucket)
        case .getBucketOwnershipControls: try await getBucketOwnershipControls(bucket)
        case .putBucketOwnershipControls: try await putBucketOwnershipControls(bucket)
        case .deleteBucketOwnershipControls: try await deleteBucketOwnershipControls(bucket)
        case .getPublicAccessBlock: try await getPublicAccessBlock(bucket)
        case .putPublicAccessBlock: try await putPublicAccessBlock(bucket)
        case .deletePublicAccessBlock: try await deletePublicAccessBlock(bucket)
        case .getBucketPolicyStatus: try await getBucketPolicyStatus(bucket)
        case .getBucketVersioning: try getBucketVersioning(bucket)
        case .putBucketVersioning: try await putBucketVersioning(bucket)
        case .listObjectVersions: try await listObjectVersions(bucket)
        case .getObjectLockConfiguration: try getObjectLockConfiguration(bucket)
        case .putObjectLockConfiguration: try await putObjectLockConfiguration(bucket)
        case .getBucketTagging: try getBucketTagging(bucket)
        case .putBucketTagging: try await putBucketTagging(bucket)
        case .deleteBucketTagging: try await deleteBucketTagging(bucket)
        case .getBucketEncryption: try await getBucketEncryption(bucket)
        case .putBucketEncryption: try await putBucketEncryption(bucket)
        case .deleteBucketEncryption: try await deleteBucketEncryption(bucket)
        case .getBucketLifecycleConfiguration: try await getBucketLifecycleConfiguration(bucket)
        case .putBucketLifecycleConfiguration: try await putBucketLifecycleConfiguration(bucket)
        case .deleteBucketLifecycle: try await deleteBucketLifecycle(bucket)
        case .getBucketNotificationConfiguration: try await getBucketNotificationConfiguration(bucket)
        case .putBucketNotificationConfiguration: try await putBucketNotificationConfiguration(bucket)
        case .getBucketLogging: try await getBucketLogging(bucket)
        case .putBucketLogging: try await putBucketLogging(bucket)
        case .getBucketRequestPayment: try await getBucketRequestPayment(bucket)
        case .putBucketRequestPayment: try await putBucketRequestPayment(bucket)
        case .getBucketAccelerateConfiguration: try await getBucketAccelerateConfiguration(bucket)
        case .putBucketAccelerateConfiguration: try await putBucketAccelerateConfiguration(bucket)
        }
    }

    @_optimize(none)
    func perform(_ operation: S3ObjectOperation, on address: ObjectAddress) async throws -> Response {
        switch operation {
        case .getObject: try await getObject(address)
        case .headObject: try headObject(address)
        case .putObject: try await putObject(address)
        case .copyObject: try await copyObject(address)
        case .deleteObject: try await deleteObject(address)
        case .createMultipartUpload: try await createMultipartUpload(address)
        case .uploadPart: try await uploadPart(address)
        case .uploadPartCopy: try await uploadPartCopy(address)
        case .completeMultipartUpload: try await completeMultipartUpload(address)
        case .abortMultipartUpload: try await abortMultipartUpload(address)
        case .listParts: try await listParts(address)
        case .getObjectAcl: try await getObjectAcl(address)
        case .putObjectAcl: try await putObjectAcl(address)
        case .getObjectRetention: try getObjectRetention(address)
        case .putObjectRetention: try await putObjectRetention(address)
        case .getObjectLegalHold: try getObjectLegalHold(address)
        case .putObjectLegalHold: try await putObjectLegalHold(address)
        case .getObjectTagging: try getObjectTagging(address)
        case .putObjectTagging: try await putObjectTagging(address)
        case .deleteObjectTagging: try await deleteObjectTagging(address)
        case .getObjectAttributes: try await getObjectAttributes(address)
        case .restoreObject: try await restoreObject(address)
        case .updateObjectEncryption: try await updateObjectEncryption(address)
        case .selectObjectContent: try await selectObjectContent(address)
        }
    }
}
