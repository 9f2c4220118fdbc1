import HTTPTypes

extension OSSError {
    /// The wire codes of this face; each has one status. (OSS API Reference, "Error responses".)
    enum Code: String, Sendable {
        case accessDenied = "AccessDenied"
        case accessForbidden = "AccessForbidden"
        case accessKeyIDAndSecurityTokenNotMatch = "AccessKeyIdAndSecurityTokenNotMatch"
        case bucketAlreadyExists = "BucketAlreadyExists"
        case bucketNotEmpty = "BucketNotEmpty"
        case entityTooLarge = "EntityTooLarge"
        case entityTooSmall = "EntityTooSmall"
        case incompleteBody = "IncompleteBody"
        case internalError = "InternalError"
        case invalidAccessKeyID = "InvalidAccessKeyId"
        case invalidArgument = "InvalidArgument"
        case invalidBucketName = "InvalidBucketName"
        case invalidDigest = "InvalidDigest"
        case invalidObjectName = "InvalidObjectName"
        case invalidPart = "InvalidPart"
        case invalidPartOrder = "InvalidPartOrder"
        case invalidSecurityToken = "InvalidSecurityToken"
        case malformedXML = "MalformedXML"
        case methodNotAllowed = "MethodNotAllowed"
        case noSuchBucket = "NoSuchBucket"
        case noSuchKey = "NoSuchKey"
        case noSuchUpload = "NoSuchUpload"
        case notImplemented = "NotImplemented"
        case preconditionFailed = "PreconditionFailed"
        case requestTimeTooSkewed = "RequestTimeTooSkewed"
        case securityTokenExpired = "SecurityTokenExpired"
        case signatureDoesNotMatch = "SignatureDoesNotMatch"

        var status: HTTPResponse.Status {
            switch self {
            case .accessDenied, .accessForbidden, .accessKeyIDAndSecurityTokenNotMatch, .invalidAccessKeyID, .invalidSecurityToken,
                .requestTimeTooSkewed, .securityTokenExpired, .signatureDoesNotMatch:
                .forbidden
            case .bucketAlreadyExists, .bucketNotEmpty: .conflict
            case .entityTooLarge, .entityTooSmall, .incompleteBody, .invalidArgument, .invalidBucketName, .invalidDigest,
                .invalidObjectName,
                .invalidPart, .invalidPartOrder, .malformedXML:
                .badRequest
            case .internalError: .internalServerError
            case .methodNotAllowed: .methodNotAllowed
            case .noSuchBucket, .noSuchKey, .noSuchUpload: .notFound
            case .notImplemented: .notImplemented
            case .preconditionFailed: .preconditionFailed
            }
        }

        /// What the service says with the code where an operation says nothing else.
        var message: String {
            switch self {
            case .accessDenied: "AccessDenied"
            case .accessForbidden: "CORSResponse: CORS is not enabled for this bucket."
            case .accessKeyIDAndSecurityTokenNotMatch: "The access key ID you provided does not match the security token."
            case .bucketAlreadyExists:
                "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again."
            case .bucketNotEmpty: "The bucket you tried to delete is not empty."
            case .entityTooLarge: "Your proposed upload exceeds the maximum allowed size."
            case .entityTooSmall: "Your proposed upload smaller than the minimum allowed size."
            case .incompleteBody: "The request body terminated unexpectedly."
            case .internalError: "We encountered an internal error. Please try again."
            case .invalidAccessKeyID: "The OSS Access Key Id you provided does not exist in our records."
            case .invalidArgument: "The argument is invalid."
            case .invalidBucketName: "The specified bucket is not valid."
            case .invalidDigest: "The Content-MD5 you specified was invalid."
            case .invalidObjectName: "The specified object is not valid."
            case .invalidPart:
                "One or more of the specified parts could not be found or the specified entity tag might not have matched the part's entity tag."
            case .invalidPartOrder:
                "The list of parts was not in ascending order. The parts list must be specified in order by part number."
            case .invalidSecurityToken: "The security token you provided is invalid."
            case .malformedXML: "The XML you provided was not well-formed or did not validate against our published schema."
            case .methodNotAllowed: "The specified method is not allowed against this resource."
            case .noSuchBucket: "The specified bucket does not exist."
            case .noSuchKey: "The specified key does not exist."
            case .noSuchUpload:
                "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed."
            case .notImplemented: "A header you provided implies functionality that is not implemented."
            case .preconditionFailed: "At least one of the pre-conditions you specified did not hold."
            case .requestTimeTooSkewed: "The difference between the request time and the current time is too large."
            case .securityTokenExpired: "The security token you provided has expired."
            case .signatureDoesNotMatch:
                "The request signature we calculated does not match the signature you provided. Check your key and signing method."
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
            default: "0000-00000000"
            }
        }
    }
}
