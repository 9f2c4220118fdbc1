import HTTPTypes

extension OSSError {
    /// The wire codes of this face; each has one status. (OSS API Reference, "Error responses".)
    enum Code: String, Sendable {
        case accessDenied = "AccessDenied"
        case accessForbidden = "AccessForbidden"
        case accessKeyIDAndSecurityTokenNotMatch = "AccessKeyIdAndSecurityTokenNotMatch"
        case appendSealedObjectNotAllowed = "AppendSealedObjectNotAllowed"
        case archiveRestoreFileStale = "ArchiveRestoreFileStale"
        case archiveRestoreNotFinished = "ArchiveRestoreNotFinished"
        case bucketAlreadyExists = "BucketAlreadyExists"
        case bucketNotEmpty = "BucketNotEmpty"
        case callbackFailed = "CallbackFailed"
        case entityTooLarge = "EntityTooLarge"
        case entityTooSmall = "EntityTooSmall"
        case fileAlreadyExists = "FileAlreadyExists"
        case fileImmutable = "FileImmutable"
        case incompleteBody = "IncompleteBody"
        case internalError = "InternalError"
        case invalidAccessKeyID = "InvalidAccessKeyId"
        case invalidArgument = "InvalidArgument"
        case invalidBucketName = "InvalidBucketName"
        case invalidDigest = "InvalidDigest"
        case invalidEncryptionAlgorithmError = "InvalidEncryptionAlgorithmError"
        case invalidObjectName = "InvalidObjectName"
        case invalidObjectState = "InvalidObjectState"
        case invalidPart = "InvalidPart"
        case invalidPartOrder = "InvalidPartOrder"
        case invalidRange = "InvalidRange"
        case invalidRequest = "InvalidRequest"
        case invalidSecurityToken = "InvalidSecurityToken"
        case invalidTag = "InvalidTag"
        case invalidTargetType = "InvalidTargetType"
        case malformedXML = "MalformedXML"
        case methodNotAllowed = "MethodNotAllowed"
        case missingArgument = "MissingArgument"
        case missingContentLength = "MissingContentLength"
        case noSuchBucket = "NoSuchBucket"
        case noSuchKey = "NoSuchKey"
        case noSuchObjectWormConfiguration = "NoSuchObjectWormConfiguration"
        case noSuchUpload = "NoSuchUpload"
        case noSuchVersion = "NoSuchVersion"
        case notImplemented = "NotImplemented"
        case notModified = "NotModified"
        case notSymlink = "NotSymlink"
        case objectNotAppendable = "ObjectNotAppendable"
        case operationNotSupported = "OperationNotSupported"
        case positionNotEqualToLength = "PositionNotEqualToLength"
        case preconditionFailed = "PreconditionFailed"
        case requestTimeTooSkewed = "RequestTimeTooSkewed"
        case restoreAlreadyInProgress = "RestoreAlreadyInProgress"
        case securityTokenExpired = "SecurityTokenExpired"
        case signatureDoesNotMatch = "SignatureDoesNotMatch"
        case symlinkTargetNotExist = "SymlinkTargetNotExist"

        var status: HTTPResponse.Status {
            switch self {
            case .appendSealedObjectNotAllowed, .entityTooLarge, .entityTooSmall, .incompleteBody, .invalidArgument, .invalidBucketName,
                .invalidDigest, .invalidEncryptionAlgorithmError, .invalidObjectName, .invalidPart, .invalidPartOrder, .invalidRequest,
                .invalidTag, .malformedXML, .missingArgument, .notSymlink, .operationNotSupported:
                .badRequest
            case .archiveRestoreFileStale, .archiveRestoreNotFinished, .bucketAlreadyExists, .bucketNotEmpty, .fileAlreadyExists,
                .fileImmutable, .objectNotAppendable, .positionNotEqualToLength, .restoreAlreadyInProgress:
                .conflict
            case .accessDenied, .accessForbidden, .accessKeyIDAndSecurityTokenNotMatch, .invalidAccessKeyID, .invalidObjectState,
                .invalidSecurityToken, .invalidTargetType, .requestTimeTooSkewed, .securityTokenExpired, .signatureDoesNotMatch:
                .forbidden
            case .internalError: .internalServerError
            case .missingContentLength: .lengthRequired
            case .methodNotAllowed: .methodNotAllowed
            case .callbackFailed: .nonAuthoritativeInformation
            case .noSuchBucket, .noSuchKey, .noSuchObjectWormConfiguration, .noSuchUpload, .noSuchVersion, .symlinkTargetNotExist: .notFound
            case .notImplemented: .notImplemented
            case .notModified: .notModified
            case .preconditionFailed: .preconditionFailed
            case .invalidRange: .rangeNotSatisfiable
            }
        }

        /// What the service says with the code where an operation says nothing else.
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
            case .bucketNotEmpty: "The bucket you tried to delete is not empty."
            case .callbackFailed: "Error status : -1."
            case .entityTooLarge: "Your proposed upload exceeds the maximum allowed size."
            case .entityTooSmall: "Your proposed upload smaller than the minimum allowed size."
            case .fileAlreadyExists: "The object you specified already exists and can not be overwritten."
            case .fileImmutable: "The object you specified is immutable."
            case .incompleteBody: "The request body terminated unexpectedly."
            case .internalError: "We encountered an internal error. Please try again."
            case .invalidAccessKeyID: "The OSS Access Key Id you provided does not exist in our records."
            case .invalidArgument: "The argument is invalid."
            case .invalidBucketName: "The specified bucket is not valid."
            case .invalidDigest: "The Content-MD5 you specified was invalid."
            case .invalidEncryptionAlgorithmError: "The encryption algorithm specified is not valid."
            case .invalidObjectName: "The specified object is not valid."
            case .invalidObjectState: "The operation is not valid for the object's state."
            case .invalidPart:
                "One or more of the specified parts could not be found or the specified entity tag might not have matched the part's entity tag."
            case .invalidPartOrder:
                "The list of parts was not in ascending order. The parts list must be specified in order by part number."
            case .invalidRange: "The requested range cannot be satisfied."
            case .invalidRequest: "The request is invalid."
            case .invalidSecurityToken: "The security token you provided is invalid."
            case .invalidTag: "The tag provided was not a valid tag."
            case .invalidTargetType: "The symbolic link's target object type is invalid."
            case .malformedXML: "The XML you provided was not well-formed or did not validate against our published schema."
            case .methodNotAllowed: "The specified method is not allowed against this resource."
            case .missingArgument: "Missing Some Required Arguments."
            case .missingContentLength: "You must provide the Content-Length HTTP header."
            case .noSuchBucket: "The specified bucket does not exist."
            case .noSuchKey: "The specified key does not exist."
            case .noSuchObjectWormConfiguration: "The object worm configuration does not exist."
            case .noSuchUpload:
                "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed."
            case .noSuchVersion: "The specified version does not exist."
            case .notImplemented: "A header you provided implies functionality that is not implemented."
            case .notModified: "The resource was not modified."
            case .notSymlink: "The object is not a symlink object."
            case .objectNotAppendable: "The object is not appendable."
            case .operationNotSupported: "The operation is not supported for this resource."
            case .positionNotEqualToLength: "Position is not equal to file length."
            case .preconditionFailed: "At least one of the pre-conditions you specified did not hold."
            case .requestTimeTooSkewed: "The difference between the request time and the current time is too large."
            case .restoreAlreadyInProgress: "The restore operation is in progress."
            case .securityTokenExpired: "The security token you provided has expired."
            case .signatureDoesNotMatch:
                "The request signature we calculated does not match the signature you provided. Check your key and signing method."
            case .symlinkTargetNotExist: "The symlink target object does not exist."
            }
        }

        /// The number of the cause where an operation names none. (OSS documentation, "EC error codes".)
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
