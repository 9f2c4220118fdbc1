import Calls
import HTTPTypes
import ObjectStore
import WireFormats

extension S3Error {
    /// The error codes of this face; each has one status. (S3 API Reference, "Error responses", "List of error codes".)
    enum Code: String, Sendable {
        case accessControlListNotSupported = "AccessControlListNotSupported"
        case accessDenied = "AccessDenied"
        case accessForbidden = "AccessForbidden"
        case authorizationHeaderMalformed = "AuthorizationHeaderMalformed"
        case authorizationQueryParametersError = "AuthorizationQueryParametersError"
        case badDigest = "BadDigest"
        case badRequest = "BadRequest"
        case bucketAlreadyExists = "BucketAlreadyExists"
        case bucketAlreadyOwnedByYou = "BucketAlreadyOwnedByYou"
        case bucketNotEmpty = "BucketNotEmpty"
        case conditionalRequestConflict = "ConditionalRequestConflict"
        case crossLocationLogging = "CrossLocationLoggingProhibitted"
        case entityTooLarge = "EntityTooLarge"
        case entityTooSmall = "EntityTooSmall"
        case expiredToken = "ExpiredToken"
        case idMismatch = "IdMismatch"
        case illegalVersioningConfiguration = "IllegalVersioningConfigurationException"
        case illegalLocationConstraint = "IllegalLocationConstraintException"
        case incompleteBody = "IncompleteBody"
        case internalError = "InternalError"
        case invalidAccessKeyID = "InvalidAccessKeyId"
        case invalidArgument = "InvalidArgument"
        case invalidBucketACLWithBlockPublicAccess = "InvalidBucketAclWithBlockPublicAccessError"
        case invalidBucketACL = "InvalidBucketAclWithObjectOwnership"
        case invalidBucketName = "InvalidBucketName"
        case invalidBucketOwner = "InvalidBucketOwnerAWSAccountID"
        case invalidBucketState = "InvalidBucketState"
        case invalidChunkSize = "InvalidChunkSizeError"
        case invalidDigest = "InvalidDigest"
        case invalidEncryptionAlgorithm = "InvalidEncryptionAlgorithmError"
        case invalidLocationConstraint = "InvalidLocationConstraint"
        case invalidNamespaceHeader = "InvalidNamespaceHeader"
        case invalidObjectState = "InvalidObjectState"
        case invalidPart = "InvalidPart"
        case invalidPartNumber = "InvalidPartNumber"
        case invalidPartOrder = "InvalidPartOrder"
        case invalidPolicyDocument = "InvalidPolicyDocument"
        case invalidRange = "InvalidRange"
        case invalidRedirectLocation = "InvalidRedirectLocation"
        case invalidRequest = "InvalidRequest"
        case invalidRetentionPeriod = "InvalidRetentionPeriod"
        case invalidS3DestinationBucket = "InvalidS3DestinationBucket"
        case invalidStorageClass = "InvalidStorageClass"
        case invalidTag = "InvalidTag"
        case invalidTargetBucketForLogging = "InvalidTargetBucketForLogging"
        case invalidToken = "InvalidToken"
        case invalidURI = "InvalidURI"
        case keyTooLong = "KeyTooLongError"
        case malformedACL = "MalformedACLError"
        case malformedPolicy = "MalformedPolicy"
        case malformedPOSTRequest = "MalformedPOSTRequest"
        case malformedTrailer = "MalformedTrailerError"
        case malformedXML = "MalformedXML"
        case maxMessageLengthExceeded = "MaxMessageLengthExceeded"
        case maxPostPreDataLengthExceeded = "MaxPostPreDataLengthExceeded"
        case metadataTooLarge = "MetadataTooLarge"
        case methodNotAllowed = "MethodNotAllowed"
        case missingContentLength = "MissingContentLength"
        case missingNamespaceHeader = "MissingNamespaceHeader"
        case missingRequestBody = "MissingRequestBodyError"
        case missingSecurityHeader = "MissingSecurityHeader"
        case noLoggingStatusForKey = "NoLoggingStatusForKey"
        case noSuchBucket = "NoSuchBucket"
        case noSuchBucketPolicy = "NoSuchBucketPolicy"
        case noSuchConfiguration = "NoSuchConfiguration"
        case noSuchCORSConfiguration = "NoSuchCORSConfiguration"
        case noSuchKey = "NoSuchKey"
        case noSuchLifecycleConfiguration = "NoSuchLifecycleConfiguration"
        case noSuchObjectLockConfiguration = "NoSuchObjectLockConfiguration"
        case noSuchTagSet = "NoSuchTagSet"
        case noSuchUpload = "NoSuchUpload"
        case noSuchVersion = "NoSuchVersion"
        case noSuchWebsiteConfiguration = "NoSuchWebsiteConfiguration"
        case notImplemented = "NotImplemented"
        case objectLockConfigurationNotFound = "ObjectLockConfigurationNotFoundError"
        case noSuchPublicAccessBlock = "NoSuchPublicAccessBlockConfiguration"
        case ownershipControlsNotFound = "OwnershipControlsNotFoundError"
        case permanentRedirect = "PermanentRedirect"
        case preconditionFailed = "PreconditionFailed"
        /// Of Ceph and other services with quotas; AWS has none.
        case quotaExceeded = "QuotaExceeded"
        case replicationConfigurationNotFound = "ReplicationConfigurationNotFoundError"
        case requestHeaderSectionTooLarge = "RequestHeaderSectionTooLarge"
        case requestTimeTooSkewed = "RequestTimeTooSkewed"
        case requestTimeout = "RequestTimeout"
        case serverSideEncryptionConfigurationNotFound = "ServerSideEncryptionConfigurationNotFoundError"
        case serviceUnavailable = "ServiceUnavailable"
        case signatureDoesNotMatch = "SignatureDoesNotMatch"
        case tooManyConfigurations = "TooManyConfigurations"
        case unexpectedContent = "UnexpectedContent"
        case unresolvableGrantByEmailAddress = "UnresolvableGrantByEmailAddress"
        case userKeyMustBeSpecified = "UserKeyMustBeSpecified"
        case contentSHA256Mismatch = "XAmzContentSHA256Mismatch"

        var status: HTTPResponse.Status {
            switch self {
            case .accessDenied, .accessForbidden, .crossLocationLogging, .invalidAccessKeyID, .invalidChunkSize, .invalidObjectState,
                .quotaExceeded, .requestTimeTooSkewed, .signatureDoesNotMatch:
                .forbidden
            case .noSuchBucket, .noSuchBucketPolicy, .noSuchKey, .noSuchObjectLockConfiguration, .noSuchPublicAccessBlock,
                .noSuchTagSet, .noSuchUpload, .noSuchVersion, .objectLockConfigurationNotFound, .ownershipControlsNotFound,
                .serverSideEncryptionConfigurationNotFound:
                .notFound
            case .noSuchConfiguration, .noSuchCORSConfiguration, .noSuchLifecycleConfiguration, .noSuchWebsiteConfiguration,
                .replicationConfigurationNotFound:
                .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .permanentRedirect: .movedPermanently
            case .bucketAlreadyExists, .bucketAlreadyOwnedByYou, .bucketNotEmpty, .conditionalRequestConflict, .invalidBucketState:
                .conflict
            case .missingContentLength: .lengthRequired
            case .preconditionFailed: .preconditionFailed
            case .invalidRange, .invalidPartNumber: .rangeNotSatisfiable
            case .internalError: .internalServerError
            case .notImplemented: .notImplemented
            case .serviceUnavailable: .serviceUnavailable
            case .accessControlListNotSupported, .authorizationHeaderMalformed, .authorizationQueryParametersError, .badDigest,
                .badRequest, .entityTooLarge, .entityTooSmall, .expiredToken, .idMismatch, .illegalLocationConstraint,
                .illegalVersioningConfiguration, .incompleteBody, .requestHeaderSectionTooLarge, .requestTimeout,
                .invalidArgument, .invalidBucketACL, .invalidBucketName, .invalidBucketOwner, .invalidDigest,
                .invalidEncryptionAlgorithm, .invalidLocationConstraint, .invalidPart, .invalidPartOrder,
                .invalidRedirectLocation, .invalidRequest,
                .invalidRetentionPeriod, .invalidS3DestinationBucket, .invalidStorageClass, .invalidTag,
                .invalidToken, .invalidURI, .keyTooLong, .malformedPolicy, .malformedTrailer, .malformedXML,
                .maxMessageLengthExceeded, .metadataTooLarge, .missingRequestBody, .missingSecurityHeader, .unexpectedContent,
                .contentSHA256Mismatch, .invalidPolicyDocument, .malformedPOSTRequest, .maxPostPreDataLengthExceeded,
                .userKeyMustBeSpecified:
                .badRequest
            case .invalidBucketACLWithBlockPublicAccess, .invalidNamespaceHeader, .invalidTargetBucketForLogging, .malformedACL,
                .missingNamespaceHeader, .noLoggingStatusForKey, .tooManyConfigurations,
                .unresolvableGrantByEmailAddress:
                .badRequest
            }
        }

        /// The default message of the code.
        var message: String {
            switch self {
            case .accessControlListNotSupported: "The bucket does not allow ACLs"
            case .accessDenied, .accessForbidden: "Access Denied"
            case .authorizationHeaderMalformed: "The authorization header is malformed"
            case .authorizationQueryParametersError:
                "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters."
            case .badDigest: "The Content-MD5 you specified did not match what we received."
            case .badRequest: "Bad Request"
            case .bucketAlreadyExists:
                "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again."
            case .bucketAlreadyOwnedByYou: "Your previous request to create the named bucket succeeded and you already own it."
            case .bucketNotEmpty: "The bucket you tried to delete is not empty"
            case .conditionalRequestConflict:
                "The conditional request cannot succeed due to a conflicting operation against this resource."
            case .crossLocationLogging: "Cross S3 location logging not allowed. "
            case .entityTooLarge: "Your proposed upload exceeds the maximum allowed size"
            case .entityTooSmall: "Your proposed upload is smaller than the minimum allowed size"
            case .expiredToken: "The provided token has expired."
            case .idMismatch: "Document ID does not match the specified configuration ID."
            case .illegalLocationConstraint:
                "The unspecified location constraint is incompatible for the region specific endpoint this request was sent to."
            case .illegalVersioningConfiguration: "The Versioning element must be specified"
            case .incompleteBody: "You did not provide the number of bytes specified by the Content-Length HTTP header"
            case .internalError: "We encountered an internal error. Please try again."
            case .invalidAccessKeyID: "The AWS Access Key Id you provided does not exist in our records."
            case .invalidArgument: "Invalid Argument"
            case .invalidBucketACLWithBlockPublicAccess: "Bucket cannot have public ACLs set with BlockPublicAccess enabled"
            case .invalidBucketACL: "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting"
            case .invalidBucketName: "The specified bucket is not valid."
            case .invalidBucketOwner: "The value of the expected bucket owner parameter must be an AWS Account ID..."
            case .invalidBucketState: "The request is not valid for the current state of the bucket."
            case .invalidChunkSize: "Only the last chunk is allowed to have a size less than 8192 bytes"
            case .invalidDigest: "The Content-MD5 you specified was invalid."
            case .invalidEncryptionAlgorithm:
                "The Encryption request you specified is not valid. Supported value: AES256."
            case .invalidLocationConstraint: "The specified location-constraint is not valid"
            case .invalidNamespaceHeader: "The x-amz-bucket-namespace header does not suit the name of the bucket."
            case .invalidObjectState: "The operation is not valid for the object's storage class"
            case .invalidPart:
                "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag."
            case .invalidPartNumber: "The requested partnumber is not satisfiable"
            case .invalidPartOrder: "The list of parts was not in ascending order. Parts must be ordered by part number."
            case .invalidPolicyDocument:
                "The content of the form does not meet the conditions specified in the policy document."
            case .invalidRange: "The requested range is not satisfiable"
            case .invalidRedirectLocation:
                "The website redirect location must have a prefix of 'http://' or 'https://' or '/'."
            case .invalidRequest: "Invalid Request"
            case .invalidRetentionPeriod: "The retention period specified is invalid."
            case .invalidS3DestinationBucket: "Invalid bucket ARN."
            case .invalidStorageClass: "The storage class you specified is not valid"
            case .invalidTag: "The tag provided was not a valid tag."
            case .invalidTargetBucketForLogging:
                "The owner for the bucket to be logged and the target bucket must be the same."
            case .invalidToken: "The provided token is malformed or otherwise invalid."
            case .invalidURI: "Couldn't parse the specified URI."
            case .keyTooLong: "Your key is too long"
            case .malformedACL: "The XML you provided was not well-formed or did not validate against our published schema"
            case .malformedPolicy: "Policies must be valid JSON and the first byte must be '{'"
            case .malformedPOSTRequest: "The body of your POST request is not well-formed multipart/form-data."
            case .malformedTrailer:
                "The request contained trailing data that was not well-formed or did not conform to our published schema."
            case .malformedXML: "The XML you provided was not well-formed or did not validate against our published schema"
            case .maxMessageLengthExceeded: "Your request was too big."
            // The misspelling is S3's.
            case .maxPostPreDataLengthExceeded: "Your POST request fields preceeding the upload file was too large."
            case .metadataTooLarge: "Your metadata headers exceed the maximum allowed metadata size"
            case .methodNotAllowed: "The specified method is not allowed against this resource."
            case .missingContentLength: "You must provide the Content-Length HTTP header."
            case .missingNamespaceHeader:
                "The requested bucket is an account-regional namespace bucket, but your request is missing the required x-amz-bucket-namespace header."
            case .missingRequestBody: "Request Body is empty"
            case .missingSecurityHeader: "Your request was missing a required header"
            case .noLoggingStatusForKey: "There is no such thing as the ?logging sub-resource for a key"
            case .noSuchBucket: "The specified bucket does not exist"
            case .noSuchBucketPolicy: "The bucket policy does not exist"
            case .noSuchConfiguration: "The specified configuration does not exist."
            case .noSuchCORSConfiguration: "The CORS configuration does not exist"
            case .noSuchLifecycleConfiguration: "The lifecycle configuration does not exist"
            case .noSuchWebsiteConfiguration: "The specified bucket does not have a website configuration"
            case .noSuchKey: "The specified key does not exist."
            case .noSuchObjectLockConfiguration: "The specified object does not have a ObjectLock configuration"
            case .noSuchTagSet: "The TagSet does not exist"
            case .noSuchPublicAccessBlock: "The public access block configuration was not found"
            case .noSuchUpload:
                "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed."
            case .noSuchVersion: "The specified version does not exist."
            case .notImplemented: "A header you provided implies functionality that is not implemented"
            case .objectLockConfigurationNotFound: "Object Lock configuration does not exist for this bucket"
            case .ownershipControlsNotFound: "The bucket ownership controls were not found"
            case .permanentRedirect:
                "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint."
            case .preconditionFailed: "At least one of the pre-conditions you specified did not hold"
            case .quotaExceeded: FullStorage.message
            case .replicationConfigurationNotFound: "The replication configuration was not found"
            case .requestTimeTooSkewed: "The difference between the request time and the current time is too large."
            case .requestHeaderSectionTooLarge: "Your request header section exceeds the maximum allowed size."
            case .requestTimeout:
                "Your socket connection to the server was not read from or written to within the timeout period. Idle connections will be closed."
            case .serverSideEncryptionConfigurationNotFound: "The server side encryption configuration was not found"
            case .serviceUnavailable: "Please reduce your request rate."
            case .signatureDoesNotMatch:
                "The request signature we calculated does not match the signature you provided. Check your key and signing method."
            case .tooManyConfigurations:
                "You are attempting to create a new configuration but have already reached the 1,000-configuration limit."
            case .unexpectedContent: "This request does not support content"
            case .unresolvableGrantByEmailAddress:
                "The e-mail address you provided does not match any account on record."
            case .userKeyMustBeSpecified:
                "The bucket POST must contain the specified field name.  If it is specified, please check the order of the fields."
            case .contentSHA256Mismatch: "The provided 'x-amz-content-sha256' header does not match what was computed."
            }
        }
    }
}
