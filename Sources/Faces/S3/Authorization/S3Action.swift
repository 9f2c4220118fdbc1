import WireFormats

/// The actions that operations of this face require, as policies name them.
/// (Service Authorization Reference, "Actions, resources, and condition keys for Amazon S3".)
enum S3Action: String, CaseIterable {
    case abortMultipartUpload = "s3:AbortMultipartUpload"
    case bypassGovernanceRetention = "s3:BypassGovernanceRetention"
    case createBucket = "s3:CreateBucket"
    case deleteBucket = "s3:DeleteBucket"
    case deleteBucketPolicy = "s3:DeleteBucketPolicy"
    case deleteBucketWebsite = "s3:DeleteBucketWebsite"
    case deleteObject = "s3:DeleteObject"
    case deleteObjectTagging = "s3:DeleteObjectTagging"
    case deleteObjectVersion = "s3:DeleteObjectVersion"
    case deleteObjectVersionTagging = "s3:DeleteObjectVersionTagging"
    case getAccelerateConfiguration = "s3:GetAccelerateConfiguration"
    case getAnalyticsConfiguration = "s3:GetAnalyticsConfiguration"
    case getBucketAbac = "s3:GetBucketAbac"
    case getBucketAcl = "s3:GetBucketAcl"
    case getBucketCORS = "s3:GetBucketCORS"
    case getBucketLocation = "s3:GetBucketLocation"
    case getBucketLogging = "s3:GetBucketLogging"
    case getBucketNotification = "s3:GetBucketNotification"
    case getBucketObjectLockConfiguration = "s3:GetBucketObjectLockConfiguration"
    case getBucketOwnershipControls = "s3:GetBucketOwnershipControls"
    case getBucketPolicy = "s3:GetBucketPolicy"
    case getBucketPolicyStatus = "s3:GetBucketPolicyStatus"
    case getBucketPublicAccessBlock = "s3:GetBucketPublicAccessBlock"
    case getBucketRequestPayment = "s3:GetBucketRequestPayment"
    case getBucketTagging = "s3:GetBucketTagging"
    case getBucketVersioning = "s3:GetBucketVersioning"
    case getBucketWebsite = "s3:GetBucketWebsite"
    case getEncryptionConfiguration = "s3:GetEncryptionConfiguration"
    case getIntelligentTieringConfiguration = "s3:GetIntelligentTieringConfiguration"
    case getInventoryConfiguration = "s3:GetInventoryConfiguration"
    case getLifecycleConfiguration = "s3:GetLifecycleConfiguration"
    case getMetricsConfiguration = "s3:GetMetricsConfiguration"
    case getObject = "s3:GetObject"
    case getObjectAcl = "s3:GetObjectAcl"
    case getObjectAttributes = "s3:GetObjectAttributes"
    case getObjectLegalHold = "s3:GetObjectLegalHold"
    case getObjectRetention = "s3:GetObjectRetention"
    case getObjectTagging = "s3:GetObjectTagging"
    case getObjectVersion = "s3:GetObjectVersion"
    case getObjectVersionAcl = "s3:GetObjectVersionAcl"
    case getObjectVersionAttributes = "s3:GetObjectVersionAttributes"
    case getObjectVersionTagging = "s3:GetObjectVersionTagging"
    case getReplicationConfiguration = "s3:GetReplicationConfiguration"
    case listAllMyBuckets = "s3:ListAllMyBuckets"
    case listBucket = "s3:ListBucket"
    case listBucketMultipartUploads = "s3:ListBucketMultipartUploads"
    case listBucketVersions = "s3:ListBucketVersions"
    case listMultipartUploadParts = "s3:ListMultipartUploadParts"
    case putAccelerateConfiguration = "s3:PutAccelerateConfiguration"
    case putAnalyticsConfiguration = "s3:PutAnalyticsConfiguration"
    case putBucketAbac = "s3:PutBucketAbac"
    case putBucketAcl = "s3:PutBucketAcl"
    case putBucketCORS = "s3:PutBucketCORS"
    case putBucketLogging = "s3:PutBucketLogging"
    case putBucketNotification = "s3:PutBucketNotification"
    case putBucketObjectLockConfiguration = "s3:PutBucketObjectLockConfiguration"
    case putBucketOwnershipControls = "s3:PutBucketOwnershipControls"
    case putBucketPolicy = "s3:PutBucketPolicy"
    case putBucketPublicAccessBlock = "s3:PutBucketPublicAccessBlock"
    case putBucketRequestPayment = "s3:PutBucketRequestPayment"
    case putBucketTagging = "s3:PutBucketTagging"
    case putBucketVersioning = "s3:PutBucketVersioning"
    case putBucketWebsite = "s3:PutBucketWebsite"
    case putEncryptionConfiguration = "s3:PutEncryptionConfiguration"
    case putIntelligentTieringConfiguration = "s3:PutIntelligentTieringConfiguration"
    case putInventoryConfiguration = "s3:PutInventoryConfiguration"
    case putLifecycleConfiguration = "s3:PutLifecycleConfiguration"
    case putMetricsConfiguration = "s3:PutMetricsConfiguration"
    case putObject = "s3:PutObject"
    case putObjectAcl = "s3:PutObjectAcl"
    case putObjectLegalHold = "s3:PutObjectLegalHold"
    case putObjectRetention = "s3:PutObjectRetention"
    case putObjectTagging = "s3:PutObjectTagging"
    case putObjectVersionAcl = "s3:PutObjectVersionAcl"
    case putObjectVersionTagging = "s3:PutObjectVersionTagging"
    case putReplicationConfiguration = "s3:PutReplicationConfiguration"
    case restoreObject = "s3:RestoreObject"
    case tagResource = "s3:TagResource"
    case updateObjectEncryption = "s3:UpdateObjectEncryption"
}

extension S3Action {
    /// Whether the object's owner authorizes the action instead of the bucket's owner: the owner of an object controls access to its
    /// content and its ACL. (S3 User Guide, "How Amazon S3 authorizes a request".)
    var dependsOnObjectOwner: Bool {
        switch self {
        case .getObject, .getObjectVersion, .getObjectAcl, .getObjectVersionAcl, .putObjectAcl, .putObjectVersionAcl,
            .getObjectAttributes, .getObjectVersionAttributes:
            true
        default: false
        }
    }

    /// Whether the action is decided by the key alone: the object that a request replaces or removes counts with neither its owner nor its
    /// tags.
    /// (S3 User Guide, "Object tagging and access control policies": `s3:ExistingObjectTag` is a key of other actions.)
    var isOfKeyAlone: Bool {
        switch self {
        case .putObject, .deleteObject, .deleteObjectVersion, .abortMultipartUpload, .listMultipartUploadParts, .bypassGovernanceRetention:
            true
        default: false
        }
    }

    /// Whether the condition keys for prefix, delimiter and page size apply to the action.
    var isListing: Bool {
        switch self {
        case .listBucket, .listBucketVersions, .listBucketMultipartUploads: true
        default: false
        }
    }
}
