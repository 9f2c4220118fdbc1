import HTTPTypes
import WireFormats

/// The error codes of OSS. (OSS API Reference, "Error responses"; OSS documentation, "EC error codes".)
package enum OSSErrorCode: ServiceErrorCode {
    case accessDenied
    case accessForbidden
    case accessKeyIDAndSecurityTokenNotMatch
    case appendSealedObjectNotAllowed
    case archiveRestoreFileStale
    case archiveRestoreNotFinished
    case bucketAlreadyExists
    case bucketCallbackPolicyNotExist
    case bucketNotEmpty
    case callbackFailed
    case cnameTokenNotFound
    case downloadTrafficRateLimitExceeded
    case entityTooLarge
    case entityTooSmall
    case fieldItemTooLong
    case fileAlreadyExists
    case fileImmutable
    case incompleteBody
    case incorrectNumberOfFilesInPOSTRequest
    case internalError
    case invalidAccessKeyID
    case invalidArgument
    case invalidBucketName
    case invalidBucketState
    case invalidDigest
    case invalidEncryptionAlgorithmError
    case invalidObjectName
    case invalidObjectState
    case invalidPart
    case invalidPartOrder
    case invalidPolicyDocument
    case invalidRange
    case invalidRequest
    case invalidSecurityToken
    case invalidStorageClass
    case invalidTag
    case invalidTargetBucketForLogging
    case invalidTargetType
    case invalidWORMConfiguration
    case malformedPOSTRequest
    case malformedXML
    case methodNotAllowed
    case missingArgument
    case missingContentLength
    case needVerifyDomainOwnership
    case noSuchAccessPoint
    case noSuchBucket
    case noSuchBucketOverwriteConfig
    case noSuchBucketPolicy
    case noSuchCORSConfiguration
    case noSuchInventory
    case noSuchKey
    case noSuchLifecycle
    case noSuchObjectWormConfiguration
    case noSuchRegion
    case noSuchReplicationRule
    case noSuchServerSideEncryptionRule
    case noSuchStyle
    case noSuchTransferAccelerationConfiguration
    case noSuchUpload
    case noSuchUserDefinedLogFieldsConfig
    case noSuchVersion
    case noSuchWebsiteConfiguration
    case noSuchWORMConfiguration
    case notImplemented
    case notModified
    case notSymlink
    case objectNotAppendable
    case operationNotSupported
    case positionNotEqualToLength
    case preconditionFailed
    case qpsLimitExceeded
    case quotaExceeded
    case requestTimeout
    case requestTimeTooSkewed
    case resourceGroupIDPreCheckError
    case restoreAlreadyInProgress
    case secondLevelDomainForbidden
    case securityTokenExpired
    case serviceUnavailable
    case signatureDoesNotMatch
    case symlinkTargetNotExist
    case tooManyBuckets
    case tooManyConfigurations
    case uploadTrafficRateLimitExceeded
    case wormConfigurationLocked

    package var row: ServiceErrorRow {
        switch self {
        case .accessDenied: .init("AccessDenied", .forbidden, "AccessDenied")
        case .accessForbidden: .init("AccessForbidden", .forbidden, "CORSResponse: CORS is not enabled for this bucket.")
        case .accessKeyIDAndSecurityTokenNotMatch:
            .init("AccessKeyIdAndSecurityTokenNotMatch", .forbidden, "The access key ID you provided does not match the security token.")
        case .appendSealedObjectNotAllowed:
            .init("AppendSealedObjectNotAllowed", .badRequest, "The object has been sealed and cannot be appended to.")
        case .archiveRestoreFileStale: .init("ArchiveRestoreFileStale", .conflict, "The restored copy of the object does not exist.")
        case .archiveRestoreNotFinished: .init("ArchiveRestoreNotFinished", .conflict, "The restore operation has not finished.")
        case .bucketAlreadyExists:
            .init(
                "BucketAlreadyExists", .conflict,
                "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again."
            )
        case .bucketCallbackPolicyNotExist: .init("BucketCallbackPolicyNotExist", .notFound, "The bucket callback policy does not exist.")
        case .bucketNotEmpty: .init("BucketNotEmpty", .conflict, "The bucket you tried to delete is not empty.", subcode: "0015-00000301")
        case .callbackFailed:
            .init(
                "CallbackFailed", .nonAuthoritativeInformation,
                "Error status : -1. OSS can not connect to your callbackUrl, please check it.")
        case .cnameTokenNotFound: .init("CnameTokenNotFound", .notFound, "The specified cname token does not exist.")
        case .downloadTrafficRateLimitExceeded:
            .init("DownloadTrafficRateLimitExceeded", .serviceUnavailable, "Your download traffic has exceeded the limit.")
        case .entityTooLarge: .init("EntityTooLarge", .badRequest, "Your proposed upload exceeds the maximum allowed size.")
        case .entityTooSmall: .init("EntityTooSmall", .badRequest, "Your proposed upload smaller than the minimum allowed size.")
        case .fieldItemTooLong: .init("FieldItemTooLong", .badRequest, "Your post form fields exceed the maximum allowed size.")
        case .fileAlreadyExists:
            .init("FileAlreadyExists", .conflict, "The object you specified already exists and can not be overwritten.")
        case .fileImmutable: .init("FileImmutable", .conflict, "The object you specified is immutable.")
        case .incompleteBody: .init("IncompleteBody", .badRequest, "The request body terminated unexpectedly.")
        case .incorrectNumberOfFilesInPOSTRequest:
            .init("IncorrectNumberOfFilesInPOSTRequest", .badRequest, "POST requires exactly one file upload per request.")
        case .internalError: .init("InternalError", .internalServerError, "We encountered an internal error. Please try again.")
        case .invalidAccessKeyID:
            .init(
                "InvalidAccessKeyId", .forbidden, "The OSS Access Key Id you provided does not exist in our records.",
                subcode: "0002-00000902")
        case .invalidArgument: .init("InvalidArgument", .badRequest, "The argument is invalid.")
        case .invalidBucketName: .init("InvalidBucketName", .badRequest, "The specified bucket is not valid.")
        case .invalidBucketState: .init("InvalidBucketState", .conflict, "The state of the bucket does not allow the operation.")
        case .invalidDigest: .init("InvalidDigest", .badRequest, "The Content-MD5 you specified was invalid.")
        case .invalidEncryptionAlgorithmError:
            .init("InvalidEncryptionAlgorithmError", .badRequest, "The encryption algorithm specified is not valid.")
        case .invalidObjectName: .init("InvalidObjectName", .badRequest, "The specified object is not valid.")
        case .invalidObjectState: .init("InvalidObjectState", .forbidden, "The operation is not valid for the object's state.")
        case .invalidPart:
            .init(
                "InvalidPart", .badRequest,
                "One or more of the specified parts could not be found or the specified entity tag might not have matched the part's entity tag."
            )
        case .invalidPartOrder:
            .init(
                "InvalidPartOrder", .badRequest,
                "The list of parts was not in ascending order. The parts list must be specified in order by part number.")
        case .invalidPolicyDocument: .init("InvalidPolicyDocument", .badRequest, "The policy is invalid.")
        case .invalidRange: .init("InvalidRange", .rangeNotSatisfiable, "The requested range cannot be satisfied.")
        case .invalidRequest: .init("InvalidRequest", .badRequest, "The request is invalid.")
        case .invalidSecurityToken: .init("InvalidSecurityToken", .forbidden, "The security token you provided is invalid.")
        case .invalidStorageClass: .init("InvalidStorageClass", .badRequest, "The storage class you specified is not valid.")
        case .invalidTag: .init("InvalidTag", .badRequest, "The tag provided was not a valid tag.")
        case .invalidTargetBucketForLogging:
            .init("InvalidTargetBucketForLogging", .badRequest, "The target bucket for logging does not exist.")
        case .invalidTargetType: .init("InvalidTargetType", .forbidden, "The symbolic link's target object type is invalid.")
        case .invalidWORMConfiguration: .init("InvalidWORMConfiguration", .badRequest, "The WORM configuration is invalid.")
        case .malformedPOSTRequest:
            .init("MalformedPOSTRequest", .badRequest, "The body of your POST request is not well-formed multipart/form-data.")
        case .malformedXML:
            .init("MalformedXML", .badRequest, "The XML you provided was not well-formed or did not validate against our published schema.")
        case .methodNotAllowed: .init("MethodNotAllowed", .methodNotAllowed, "The specified method is not allowed against this resource.")
        case .missingArgument: .init("MissingArgument", .badRequest, "Missing Some Required Arguments.")
        case .missingContentLength: .init("MissingContentLength", .lengthRequired, "You must provide the Content-Length HTTP header.")
        case .needVerifyDomainOwnership: .init("NeedVerifyDomainOwnership", .forbidden, "Need verify domain ownership by dns txt record.")
        case .noSuchAccessPoint: .init("NoSuchAccessPoint", .notFound, "Accesspoint not found")
        case .noSuchBucket: .init("NoSuchBucket", .notFound, "The specified bucket does not exist.", subcode: "0015-00000101")
        case .noSuchBucketOverwriteConfig:
            .init("NoSuchBucketOverwriteConfig", .notFound, "The bucket overwrite configuration does not exist.")
        case .noSuchBucketPolicy: .init("NoSuchBucketPolicy", .notFound, "The bucket policy does not exist.")
        case .noSuchCORSConfiguration: .init("NoSuchCORSConfiguration", .notFound, "The CORS Configuration does not exist.")
        case .noSuchInventory: .init("NoSuchInventory", .notFound, "The bucket inventory does not exist.")
        case .noSuchKey: .init("NoSuchKey", .notFound, "The specified key does not exist.", subcode: "0026-00000001")
        case .noSuchLifecycle: .init("NoSuchLifecycle", .notFound, "No Row found in Lifecycle Table.")
        case .noSuchObjectWormConfiguration:
            .init("NoSuchObjectWormConfiguration", .notFound, "The object worm configuration does not exist.")
        case .noSuchRegion: .init("NoSuchRegion", .notFound, "The specified region does not exist.")
        case .noSuchReplicationRule: .init("NoSuchReplicationRule", .notFound, "The bucket you specified has no replication rule.")
        case .noSuchServerSideEncryptionRule:
            .init("NoSuchServerSideEncryptionRule", .notFound, "The server side encryption configuration does not exist.")
        case .noSuchStyle: .init("NoSuchStyle", .notFound, "The style does not exist.")
        case .noSuchTransferAccelerationConfiguration:
            .init("NoSuchTransferAccelerationConfiguration", .notFound, "The transfer acceleration configuration does not exist.")
        case .noSuchUpload:
            .init(
                "NoSuchUpload", .notFound,
                "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.",
                subcode: "0042-00000002")
        case .noSuchUserDefinedLogFieldsConfig:
            .init("NoSuchUserDefinedLogFieldsConfig", .notFound, "The user-defined log fields configuration does not exist.")
        case .noSuchVersion: .init("NoSuchVersion", .notFound, "The specified version does not exist.")
        case .noSuchWebsiteConfiguration:
            .init("NoSuchWebsiteConfiguration", .notFound, "The specified bucket does not have a website configuration.")
        case .noSuchWORMConfiguration: .init("NoSuchWORMConfiguration", .notFound, "The WORM configuration does not exist.")
        case .notImplemented:
            .init("NotImplemented", .notImplemented, "A header you provided implies functionality that is not implemented.")
        case .notModified: .init("NotModified", .notModified, "The resource was not modified.")
        case .notSymlink: .init("NotSymlink", .badRequest, "The object is not a symlink object.")
        case .objectNotAppendable: .init("ObjectNotAppendable", .conflict, "The object is not appendable.")
        case .operationNotSupported: .init("OperationNotSupported", .badRequest, "The operation is not supported for this resource.")
        case .positionNotEqualToLength: .init("PositionNotEqualToLength", .conflict, "Position is not equal to file length.")
        case .preconditionFailed:
            .init("PreconditionFailed", .preconditionFailed, "At least one of the pre-conditions you specified did not hold.")
        case .qpsLimitExceeded: .init("QpsLimitExceeded", .serviceUnavailable, "Please reduce your request rate.")
        case .quotaExceeded: .init("QuotaExceeded", .forbidden, FullStorage.message)
        case .requestTimeout:
            .init(
                "RequestTimeout", .badRequest,
                "Your socket connection to the server was not read from or written to within the timeout period.")
        case .requestTimeTooSkewed:
            .init(
                "RequestTimeTooSkewed", .forbidden, "The difference between the request time and the current time is too large.",
                subcode: "0002-00000504")
        case .resourceGroupIDPreCheckError: .init("ResourceGroupIdPreCheckError", .badRequest, "The resource group does not exist.")
        case .restoreAlreadyInProgress: .init("RestoreAlreadyInProgress", .conflict, "The restore operation is in progress.")
        case .secondLevelDomainForbidden:
            .init(
                "SecondLevelDomainForbidden", .forbidden,
                "The bucket you are attempting to access must be addressed using OSS third level domain.")
        case .securityTokenExpired: .init("SecurityTokenExpired", .forbidden, "The security token you provided has expired.")
        case .serviceUnavailable: .init("ServiceUnavailable", .serviceUnavailable, "Please reduce your request rate.")
        case .signatureDoesNotMatch:
            .init(
                "SignatureDoesNotMatch", .forbidden,
                "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
                subcode: "0002-00000040")
        case .symlinkTargetNotExist:
            .init("SymlinkTargetNotExist", .notFound, "The symlink target object does not exist.", subcode: "0026-00000012")
        case .tooManyBuckets: .init("TooManyBuckets", .badRequest, "The bucket number exceeds the limit.")
        case .tooManyConfigurations: .init("TooManyConfigurations", .badRequest, "The bucket has too many configurations of this kind.")
        case .uploadTrafficRateLimitExceeded:
            .init("UploadTrafficRateLimitExceeded", .serviceUnavailable, "Your upload traffic has exceeded the limit.")
        case .wormConfigurationLocked: .init("WORMConfigurationLocked", .forbidden, "The WORM configuration is locked.")
        }
    }
}
