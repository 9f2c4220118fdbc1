import WireFormats

/// The actions of OSS that policies allow and deny, as policies name them. (RAM User Guide, "Actions and resources of OSS".)
enum OSSAction: String, CaseIterable {
    case abortBucketWorm = "oss:AbortBucketWorm"
    case abortMultipartUpload = "oss:AbortMultipartUpload"
    case appendObject = "oss:AppendObject"
    case bypassGovernanceRetention = "oss:BypassGovernanceRetention"
    case cleanRestoredObject = "oss:CleanRestoredObject"
    case completeBucketWorm = "oss:CompleteBucketWorm"
    case copyObject = "oss:CopyObject"
    case createCnameToken = "oss:CreateCnameToken"
    case deleteBucket = "oss:DeleteBucket"
    case deleteBucketCallbackPolicy = "oss:DeleteBucketCallbackPolicy"
    case deleteBucketCors = "oss:DeleteBucketCors"
    case deleteBucketEncryption = "oss:DeleteBucketEncryption"
    case deleteBucketInventory = "oss:DeleteBucketInventory"
    case deleteBucketLifecycle = "oss:DeleteBucketLifecycle"
    case deleteBucketLogging = "oss:DeleteBucketLogging"
    case deleteBucketOverwriteConfig = "oss:DeleteBucketOverwriteConfig"
    case deleteBucketPolicy = "oss:DeleteBucketPolicy"
    case deleteBucketPublicAccessBlock = "oss:DeleteBucketPublicAccessBlock"
    case deleteBucketTagging = "oss:DeleteBucketTagging"
    case deleteBucketWebsite = "oss:DeleteBucketWebsite"
    case deleteCname = "oss:DeleteCname"
    case deleteObject = "oss:DeleteObject"
    case deleteObjectTagging = "oss:DeleteObjectTagging"
    case deleteObjectVersion = "oss:DeleteObjectVersion"
    case deleteObjectVersionTagging = "oss:DeleteObjectVersionTagging"
    case deletePublicAccessBlock = "oss:DeletePublicAccessBlock"
    case deleteStyle = "oss:DeleteStyle"
    case deleteUserDefinedLogFieldsConfig = "oss:DeleteUserDefinedLogFieldsConfig"
    case describeRegions = "oss:DescribeRegions"
    case extendBucketWorm = "oss:ExtendBucketWorm"
    case getBucketAccessMonitor = "oss:GetBucketAccessMonitor"
    case getBucketAcl = "oss:GetBucketAcl"
    case getBucketArchiveDirectRead = "oss:GetBucketArchiveDirectRead"
    case getBucketCallbackPolicy = "oss:GetBucketCallbackPolicy"
    case getBucketCors = "oss:GetBucketCors"
    case getBucketEncryption = "oss:GetBucketEncryption"
    case getBucketHttpsConfig = "oss:GetBucketHttpsConfig"
    case getBucketInfo = "oss:GetBucketInfo"
    case getBucketInventory = "oss:GetBucketInventory"
    case getBucketLifecycle = "oss:GetBucketLifecycle"
    case getBucketLocation = "oss:GetBucketLocation"
    case getBucketLogging = "oss:GetBucketLogging"
    case getBucketObjectWormConfiguration = "oss:GetBucketObjectWormConfiguration"
    case getBucketOverwriteConfig = "oss:GetBucketOverwriteConfig"
    case getBucketPolicy = "oss:GetBucketPolicy"
    case getBucketPolicyStatus = "oss:GetBucketPolicyStatus"
    case getBucketPublicAccessBlock = "oss:GetBucketPublicAccessBlock"
    case getBucketReferer = "oss:GetBucketReferer"
    case getBucketReplication = "oss:GetBucketReplication"
    case getBucketRequestPayment = "oss:GetBucketRequestPayment"
    case getBucketResourceGroup = "oss:GetBucketResourceGroup"
    case getBucketStat = "oss:GetBucketStat"
    case getBucketStorageCapacity = "oss:GetBucketStorageCapacity"
    case getBucketTagging = "oss:GetBucketTagging"
    case getBucketTransferAcceleration = "oss:GetBucketTransferAcceleration"
    case getBucketVersioning = "oss:GetBucketVersioning"
    case getBucketWebsite = "oss:GetBucketWebsite"
    case getBucketWorm = "oss:GetBucketWorm"
    case getCnameToken = "oss:GetCnameToken"
    case getObject = "oss:GetObject"
    case getObjectAcl = "oss:GetObjectAcl"
    case getObjectLegalHold = "oss:GetObjectLegalHold"
    case getObjectMeta = "oss:GetObjectMeta"
    case getObjectRetention = "oss:GetObjectRetention"
    case getObjectTagging = "oss:GetObjectTagging"
    case getObjectVersion = "oss:GetObjectVersion"
    case getObjectVersionAcl = "oss:GetObjectVersionAcl"
    case getObjectVersionTagging = "oss:GetObjectVersionTagging"
    case getPublicAccessBlock = "oss:GetPublicAccessBlock"
    case getStyle = "oss:GetStyle"
    case getSymlink = "oss:GetSymlink"
    case getUserDefinedLogFieldsConfig = "oss:GetUserDefinedLogFieldsConfig"
    case headObject = "oss:HeadObject"
    case initiateBucketWorm = "oss:InitiateBucketWorm"
    case listBuckets = "oss:ListBuckets"
    case listCname = "oss:ListCname"
    case listLiveChannel = "oss:ListLiveChannel"
    case listMultipartUploads = "oss:ListMultipartUploads"
    case listObjectVersions = "oss:ListObjectVersions"
    case listObjects = "oss:ListObjects"
    case listParts = "oss:ListParts"
    case listStyle = "oss:ListStyle"
    case postObject = "oss:PostObject"
    case putBucket = "oss:PutBucket"
    case putBucketAccessMonitor = "oss:PutBucketAccessMonitor"
    case putBucketAcl = "oss:PutBucketAcl"
    case putBucketArchiveDirectRead = "oss:PutBucketArchiveDirectRead"
    case putBucketCallbackPolicy = "oss:PutBucketCallbackPolicy"
    case putBucketCors = "oss:PutBucketCors"
    case putBucketEncryption = "oss:PutBucketEncryption"
    case putBucketHttpsConfig = "oss:PutBucketHttpsConfig"
    case putBucketInventory = "oss:PutBucketInventory"
    case putBucketLifecycle = "oss:PutBucketLifecycle"
    case putBucketLogging = "oss:PutBucketLogging"
    case putBucketObjectWormConfiguration = "oss:PutBucketObjectWormConfiguration"
    case putBucketOverwriteConfig = "oss:PutBucketOverwriteConfig"
    case putBucketPolicy = "oss:PutBucketPolicy"
    case putBucketPublicAccessBlock = "oss:PutBucketPublicAccessBlock"
    case putBucketReferer = "oss:PutBucketReferer"
    case putBucketRequestPayment = "oss:PutBucketRequestPayment"
    case putBucketResourceGroup = "oss:PutBucketResourceGroup"
    case putBucketStorageCapacity = "oss:PutBucketStorageCapacity"
    case putBucketTagging = "oss:PutBucketTagging"
    case putBucketTransferAcceleration = "oss:PutBucketTransferAcceleration"
    case putBucketVersioning = "oss:PutBucketVersioning"
    case putBucketWebsite = "oss:PutBucketWebsite"
    case putCname = "oss:PutCname"
    case putObject = "oss:PutObject"
    case putObjectAcl = "oss:PutObjectAcl"
    case putObjectLegalHold = "oss:PutObjectLegalHold"
    case putObjectRetention = "oss:PutObjectRetention"
    case putObjectTagging = "oss:PutObjectTagging"
    case putObjectVersionAcl = "oss:PutObjectVersionAcl"
    case putObjectVersionTagging = "oss:PutObjectVersionTagging"
    case putPublicAccessBlock = "oss:PutPublicAccessBlock"
    case putStyle = "oss:PutStyle"
    case putSymlink = "oss:PutSymlink"
    case putUserDefinedLogFieldsConfig = "oss:PutUserDefinedLogFieldsConfig"
    case restoreObject = "oss:RestoreObject"
    case restoreObjectVersion = "oss:RestoreObjectVersion"
}

extension OSSAction {
    /// Whether an ACL with `public-read` allows everyone the action on an object. (OSS User Guide, "Bucket ACL" and "Object ACL".)
    var isPublicRead: Bool {
        switch self {
        case .getObject, .getObjectVersion, .getObjectMeta, .headObject, .getSymlink: true
        default: false
        }
    }

    /// Whether an ACL with `public-read-write` allows everyone the action on an object, besides those of ``isPublicRead``.
    var isPublicWrite: Bool {
        switch self {
        case .putObject, .appendObject, .postObject, .deleteObject, .abortMultipartUpload, .listParts, .putSymlink, .copyObject: true
        default: false
        }
    }

    /// Whether the action deletes or replaces the object under the key.
    var isReplacing: Bool { self == .putObject || self == .deleteObject }

    /// Whether the action lists keys, so that prefix and delimiter of the query are condition keys.
    var isListing: Bool { self == .listObjects || self == .listObjectVersions }
}
