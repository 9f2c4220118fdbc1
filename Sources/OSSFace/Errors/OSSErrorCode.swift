import Calls
import HTTPTypes
import WireFormats

extension OSSError {
    /// The error codes of this face; each has one status. (OSS API Reference, "Error responses".)
    enum Code: String, Sendable {
        case accessDenied = "AccessDenied"
        case accessForbidden = "AccessForbidden"
        case accessKeyIDAndSecurityTokenNotMatch = "AccessKeyIdAndSecurityTokenNotMatch"
        case appendSealedObjectNotAllowed = "AppendSealedObjectNotAllowed"
        case archiveRestoreFileStale = "ArchiveRestoreFileStale"
        case archiveRestoreNotFinished = "ArchiveRestoreNotFinished"
        case bucketAlreadyExists = "BucketAlreadyExists"
        case bucketCallbackPolicyNotExist = "BucketCallbackPolicyNotExist"
        case bucketNotEmpty = "BucketNotEmpty"
        case callbackFailed = "CallbackFailed"
        case cnameTokenNotFound = "CnameTokenNotFound"
        case entityTooLarge = "EntityTooLarge"
        case entityTooSmall = "EntityTooSmall"
        case fieldItemTooLong = "FieldItemTooLong"
        case fileAlreadyExists = "FileAlreadyExists"
        case fileImmutable = "FileImmutable"
        case incompleteBody = "IncompleteBody"
        case incorrectNumberOfFilesInPOSTRequest = "IncorrectNumberOfFilesInPOSTRequest"
        case internalError = "InternalError"
        case invalidAccessKeyID = "InvalidAccessKeyId"
        case invalidArgument = "InvalidArgument"
        case invalidBucketName = "InvalidBucketName"
        case invalidBucketState = "InvalidBucketState"
        case invalidDigest = "InvalidDigest"
        case invalidEncryptionAlgorithmError = "InvalidEncryptionAlgorithmError"
        case invalidObjectName = "InvalidObjectName"
        case invalidObjectState = "InvalidObjectState"
        case invalidPart = "InvalidPart"
        case invalidPartOrder = "InvalidPartOrder"
        case invalidPolicyDocument = "InvalidPolicyDocument"
        case invalidRange = "InvalidRange"
        case invalidRequest = "InvalidRequest"
        case invalidSecurityToken = "InvalidSecurityToken"
        case invalidStorageClass = "InvalidStorageClass"
        case invalidTag = "InvalidTag"
        case invalidTargetBucketForLogging = "InvalidTargetBucketForLogging"
        case invalidTargetType = "InvalidTargetType"
        case invalidWORMConfiguration = "InvalidWORMConfiguration"
        case malformedPOSTRequest = "MalformedPOSTRequest"
        case malformedXML = "MalformedXML"
        case methodNotAllowed = "MethodNotAllowed"
        case missingArgument = "MissingArgument"
        case missingContentLength = "MissingContentLength"
        case needVerifyDomainOwnership = "NeedVerifyDomainOwnership"
        case noSuchAccessPoint = "NoSuchAccessPoint"
        case noSuchBucket = "NoSuchBucket"
        case noSuchBucketOverwriteConfig = "NoSuchBucketOverwriteConfig"
        case noSuchBucketPolicy = "NoSuchBucketPolicy"
        case noSuchCORSConfiguration = "NoSuchCORSConfiguration"
        case noSuchInventory = "NoSuchInventory"
        case noSuchKey = "NoSuchKey"
        case noSuchLifecycle = "NoSuchLifecycle"
        case noSuchObjectWormConfiguration = "NoSuchObjectWormConfiguration"
        case noSuchRegion = "NoSuchRegion"
        case noSuchReplicationRule = "NoSuchReplicationRule"
        case noSuchServerSideEncryptionRule = "NoSuchServerSideEncryptionRule"
        case noSuchStyle = "NoSuchStyle"
        case noSuchTransferAccelerationConfiguration = "NoSuchTransferAccelerationConfiguration"
        case noSuchUpload = "NoSuchUpload"
        case noSuchUserDefinedLogFieldsConfig = "NoSuchUserDefinedLogFieldsConfig"
        case noSuchVersion = "NoSuchVersion"
        case noSuchWebsiteConfiguration = "NoSuchWebsiteConfiguration"
        case noSuchWORMConfiguration = "NoSuchWORMConfiguration"
        case notImplemented = "NotImplemented"
        case notModified = "NotModified"
        case notSymlink = "NotSymlink"
        case objectNotAppendable = "ObjectNotAppendable"
        case operationNotSupported = "OperationNotSupported"
        case positionNotEqualToLength = "PositionNotEqualToLength"
        case preconditionFailed = "PreconditionFailed"
        case quotaExceeded = "QuotaExceeded"
        case requestTimeTooSkewed = "RequestTimeTooSkewed"
        case requestTimeout = "RequestTimeout"
        case resourceGroupIDPreCheckError = "ResourceGroupIdPreCheckError"
        case restoreAlreadyInProgress = "RestoreAlreadyInProgress"
        case secondLevelDomainForbidden = "SecondLevelDomainForbidden"
        case securityTokenExpired = "SecurityTokenExpired"
        case signatureDoesNotMatch = "SignatureDoesNotMatch"
        case symlinkTargetNotExist = "SymlinkTargetNotExist"
        case tooManyBuckets = "TooManyBuckets"
        case tooManyConfigurations = "TooManyConfigurations"
        case wormConfigurationLocked = "WORMConfigurationLocked"

        var status: HTTPResponse.Status {
            switch self {
            case .appendSealedObjectNotAllowed, .entityTooLarge, .entityTooSmall, .fieldItemTooLong, .incompleteBody, .requestTimeout,
                .incorrectNumberOfFilesInPOSTRequest, .invalidWORMConfiguration, .malformedPOSTRequest,
                .invalidArgument, .invalidBucketName, .invalidDigest, .invalidEncryptionAlgorithmError, .invalidObjectName, .invalidPart,
                .invalidPartOrder, .invalidPolicyDocument, .invalidRequest, .invalidStorageClass, .invalidTag,
                .invalidTargetBucketForLogging, .malformedXML, .missingArgument, .notSymlink, .operationNotSupported,
                .resourceGroupIDPreCheckError, .tooManyBuckets, .tooManyConfigurations:
                .badRequest
            case .accessDenied, .accessForbidden, .accessKeyIDAndSecurityTokenNotMatch, .invalidAccessKeyID, .invalidObjectState,
                .invalidSecurityToken, .invalidTargetType, .quotaExceeded, .requestTimeTooSkewed, .secondLevelDomainForbidden,
                .securityTokenExpired, .needVerifyDomainOwnership, .signatureDoesNotMatch, .wormConfigurationLocked:
                .forbidden
            case .bucketCallbackPolicyNotExist, .cnameTokenNotFound, .noSuchAccessPoint, .noSuchBucket, .noSuchBucketOverwriteConfig,
                .noSuchBucketPolicy, .noSuchCORSConfiguration, .noSuchInventory, .noSuchKey, .noSuchLifecycle,
                .noSuchObjectWormConfiguration, .noSuchRegion, .noSuchReplicationRule,
                .noSuchServerSideEncryptionRule, .noSuchStyle, .noSuchTransferAccelerationConfiguration, .noSuchUpload,
                .noSuchUserDefinedLogFieldsConfig, .noSuchVersion, .noSuchWebsiteConfiguration, .noSuchWORMConfiguration,
                .symlinkTargetNotExist:
                .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .archiveRestoreFileStale, .archiveRestoreNotFinished, .bucketAlreadyExists, .bucketNotEmpty, .fileAlreadyExists,
                .fileImmutable, .invalidBucketState, .objectNotAppendable, .positionNotEqualToLength,
                .restoreAlreadyInProgress:
                .conflict
            case .missingContentLength: .lengthRequired
            case .preconditionFailed: .preconditionFailed
            case .invalidRange: .rangeNotSatisfiable
            case .callbackFailed: .nonAuthoritativeInformation
            case .notModified: .notModified
            case .internalError: .internalServerError
            case .notImplemented: .notImplemented
            }
        }

        /// The default message of the code.
        var message: String {
            switch self {
            case .accessDenied: "AccessDenied"
            case .accessForbidden: "CORSResponse: CORS is not enabled for this bucket."
            case .accessKeyIDAndSecurityTokenNotMatch: "The access key ID you provided does not match the security token."
            case .appendSealedObjectNotAllowed: "The object has been sealed and cannot be appended to."
            case .archiveRestoreFileStale: "The restored copy of the object does not exist."
            case .archiveRestoreNotFinished: "The restore operation has not finished."
            case .bucketAlreadyExists:
                "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again."
            case .bucketCallbackPolicyNotExist: "The bucket callback policy does not exist."
            case .bucketNotEmpty: "The bucket you tried to delete is not empty."
            case .callbackFailed: "Error status : -1."
            case .cnameTokenNotFound: "The specified cname token does not exist."
            case .entityTooLarge: "Your proposed upload exceeds the maximum allowed size."
            case .entityTooSmall: "Your proposed upload smaller than the minimum allowed size."
            case .fieldItemTooLong: "Your post form fields exceed the maximum allowed size."
            case .fileAlreadyExists: "The object you specified already exists and can not be overwritten."
            case .fileImmutable: "The object you specified is immutable."
            case .incompleteBody: "The request body terminated unexpectedly."
            case .incorrectNumberOfFilesInPOSTRequest: "POST requires exactly one file upload per request."
            case .internalError: "We encountered an internal error. Please try again."
            case .invalidAccessKeyID: "The OSS Access Key Id you provided does not exist in our records."
            case .invalidArgument: "The argument is invalid."
            case .invalidBucketName: "The specified bucket is not valid."
            case .invalidBucketState: "The state of the bucket does not allow the operation."
            case .invalidDigest: "The Content-MD5 you specified was invalid."
            case .invalidEncryptionAlgorithmError: "The encryption algorithm specified is not valid."
            case .invalidObjectName: "The specified object is not valid."
            case .invalidObjectState: "The operation is not valid for the object's state."
            case .invalidPart:
                "One or more of the specified parts could not be found or the specified entity tag might not have matched the part's entity tag."
            case .invalidPartOrder:
                "The list of parts was not in ascending order. The parts list must be specified in order by part number."
            case .invalidPolicyDocument: "The policy is invalid."
            case .invalidRange: "The requested range cannot be satisfied."
            case .invalidRequest: "The request is invalid."
            case .invalidSecurityToken: "The security token you provided is invalid."
            case .invalidStorageClass: "The storage class you specified is not valid."
            case .invalidTag: "The tag provided was not a valid tag."
            case .invalidTargetBucketForLogging: "The target bucket for logging does not exist."
            case .invalidTargetType: "The symbolic link's target object type is invalid."
            case .invalidWORMConfiguration: "The WORM configuration is invalid."
            case .malformedPOSTRequest: "The body of your POST request is not well-formed multipart/form-data."
            case .malformedXML: "The XML you provided was not well-formed or did not validate against our published schema."
            case .methodNotAllowed: "The specified method is not allowed against this resource."
            case .missingArgument: "Missing Some Required Arguments."
            case .missingContentLength: "You must provide the Content-Length HTTP header."
            case .needVerifyDomainOwnership: "Need verify domain ownership by dns txt record."
            case .noSuchAccessPoint: "Accesspoint not found"
            case .noSuchBucket: "The specified bucket does not exist."
            case .noSuchBucketOverwriteConfig: "The bucket overwrite configuration does not exist."
            case .noSuchBucketPolicy: "The bucket policy does not exist."
            case .noSuchCORSConfiguration: "The CORS Configuration does not exist."
            case .noSuchInventory: "The bucket inventory does not exist."
            case .noSuchKey: "The specified key does not exist."
            case .noSuchLifecycle: "No Row found in Lifecycle Table."
            case .noSuchObjectWormConfiguration: "The object worm configuration does not exist."
            case .noSuchRegion: "The specified region does not exist."
            case .noSuchReplicationRule: "The bucket you specified has no replication rule."
            case .noSuchServerSideEncryptionRule: "The server side encryption configuration does not exist."
            case .noSuchStyle: "The style does not exist."
            case .noSuchTransferAccelerationConfiguration: "The transfer acceleration configuration does not exist."
            case .noSuchUpload:
                "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed."
            case .noSuchUserDefinedLogFieldsConfig: "The user-defined log fields configuration does not exist."
            case .noSuchVersion: "The specified version does not exist."
            case .noSuchWebsiteConfiguration: "The specified bucket does not have a website configuration."
            case .noSuchWORMConfiguration: "The WORM configuration does not exist."
            case .notImplemented: "A header you provided implies functionality that is not implemented."
            case .notModified: "The resource was not modified."
            case .notSymlink: "The object is not a symlink object."
            case .objectNotAppendable: "The object is not appendable."
            case .operationNotSupported: "The operation is not supported for this resource."
            case .positionNotEqualToLength: "Position is not equal to file length."
            case .preconditionFailed: "At least one of the pre-conditions you specified did not hold."
            case .quotaExceeded: FullStorage.message
            case .requestTimeTooSkewed: "The difference between the request time and the current time is too large."
            case .requestTimeout:
                "Your socket connection to the server was not read from or written to within the timeout period."
            case .resourceGroupIDPreCheckError: "The resource group does not exist."
            case .restoreAlreadyInProgress: "The restore operation is in progress."
            case .secondLevelDomainForbidden: "The bucket you are attempting to access must be addressed using OSS third level domain."
            case .securityTokenExpired: "The security token you provided has expired."
            case .signatureDoesNotMatch:
                "The request signature we calculated does not match the signature you provided. Check your key and signing method."
            case .symlinkTargetNotExist: "The symlink target object does not exist."
            case .tooManyBuckets: "The bucket number exceeds the limit."
            case .tooManyConfigurations: "The bucket has too many configurations of this kind."
            case .wormConfigurationLocked: "The WORM configuration is locked."
            }
        }

        /// The default `EC` number of the code. (OSS documentation, "EC error codes".)
        var subcode: String {
            switch self {
            case .bucketNotEmpty: "0015-00000301"
            case .invalidAccessKeyID: "0002-00000902"
            case .noSuchBucket: "0015-00000101"
            case .noSuchKey: "0026-00000001"
            case .noSuchUpload: "0042-00000002"
            case .requestTimeTooSkewed: "0002-00000504"
            case .signatureDoesNotMatch: "0002-00000040"
            case .symlinkTargetNotExist: "0026-00000012"
            default: "0000-00000000"
            }
        }
    }
}
