import HTTPTypes
import WireFormats

/// The error codes of S3. (S3 API Reference, "Error responses", "List of error codes".)
package enum S3ErrorCode: ServiceErrorCode {
    case accessControlListNotSupported
    case accessDenied
    case accessForbidden
    case authorizationHeaderMalformed
    case authorizationQueryParametersError
    case badDigest
    case badRequest
    case bucketAlreadyExists
    case bucketAlreadyOwnedByYou
    case bucketNotEmpty
    case conditionalRequestConflict
    case crossLocationLogging
    case entityTooLarge
    case entityTooSmall
    case expiredToken
    case idMismatch
    case illegalLocationConstraint
    case illegalVersioningConfiguration
    case incompleteBody
    case internalError
    case invalidAccessKeyID
    case invalidArgument
    case invalidBucketACLWithBlockPublicAccess
    case invalidBucketACL
    case invalidBucketName
    case invalidBucketOwner
    case invalidBucketState
    case invalidChunkSize
    case invalidDigest
    case invalidEncryptionAlgorithm
    case invalidLocationConstraint
    case invalidNamespaceHeader
    case invalidObjectState
    case invalidPart
    case invalidPartNumber
    case invalidPartOrder
    case invalidPolicyDocument
    case invalidRange
    case invalidRedirectLocation
    case invalidRequest
    case invalidRetentionPeriod
    case invalidS3DestinationBucket
    case invalidStorageClass
    case invalidTag
    case invalidTargetBucketForLogging
    case invalidToken
    case invalidURI
    case keyTooLong
    case malformedACL
    case malformedPolicy
    case malformedPOSTRequest
    case malformedTrailer
    case malformedXML
    case maxMessageLengthExceeded
    case maxPostPreDataLengthExceeded
    case metadataTooLarge
    case methodNotAllowed
    case missingContentLength
    case missingNamespaceHeader
    case missingRequestBody
    case missingSecurityHeader
    case noLoggingStatusForKey
    case noSuchBucket
    case noSuchBucketPolicy
    case noSuchConfiguration
    case noSuchCORSConfiguration
    case noSuchKey
    case noSuchLifecycleConfiguration
    case noSuchObjectLockConfiguration
    case noSuchPublicAccessBlock
    case noSuchTagSet
    case noSuchUpload
    case noSuchVersion
    case noSuchWebsiteConfiguration
    case notImplemented
    case objectLockConfigurationNotFound
    case operationAborted
    case ownershipControlsNotFound
    case permanentRedirect
    case preconditionFailed
    case quotaExceeded
    case replicationConfigurationNotFound
    case requestHeaderSectionTooLarge
    case requestTimeout
    case requestTimeTooSkewed
    case serverSideEncryptionConfigurationNotFound
    case serviceUnavailable
    case signatureDoesNotMatch
    case slowDown
    case tokenRefreshRequired
    case tooManyConfigurations
    case unexpectedContent
    case unresolvableGrantByEmailAddress
    case userKeyMustBeSpecified
    case contentSHA256Mismatch

    package var row: ServiceErrorRow {
        switch self {
        case .accessControlListNotSupported: .init("AccessControlListNotSupported", .badRequest, "The bucket does not allow ACLs")
        case .accessDenied: .init("AccessDenied", .forbidden, "Access Denied")
        case .accessForbidden: .init("AccessForbidden", .forbidden, "Access Denied")
        case .authorizationHeaderMalformed: .init("AuthorizationHeaderMalformed", .badRequest, "The authorization header is malformed")
        case .authorizationQueryParametersError:
            .init(
                "AuthorizationQueryParametersError", .badRequest,
                "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters."
            )
        case .badDigest: .init("BadDigest", .badRequest, "The Content-MD5 you specified did not match what we received.")
        case .badRequest: .init("BadRequest", .badRequest, "Bad Request")
        case .bucketAlreadyExists:
            .init(
                "BucketAlreadyExists", .conflict,
                "The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again."
            )
        case .bucketAlreadyOwnedByYou:
            .init(
                "BucketAlreadyOwnedByYou", .conflict, "Your previous request to create the named bucket succeeded and you already own it.")
        case .bucketNotEmpty: .init("BucketNotEmpty", .conflict, "The bucket you tried to delete is not empty")
        case .conditionalRequestConflict:
            .init(
                "ConditionalRequestConflict", .conflict,
                "The conditional request cannot succeed due to a conflicting operation against this resource.")
        case .crossLocationLogging: .init("CrossLocationLoggingProhibitted", .forbidden, "Cross S3 location logging not allowed. ")
        case .entityTooLarge: .init("EntityTooLarge", .badRequest, "Your proposed upload exceeds the maximum allowed size")
        case .entityTooSmall: .init("EntityTooSmall", .badRequest, "Your proposed upload is smaller than the minimum allowed size")
        case .expiredToken: .init("ExpiredToken", .badRequest, "The provided token has expired.")
        case .idMismatch: .init("IdMismatch", .badRequest, "Document ID does not match the specified configuration ID.")
        case .illegalLocationConstraint:
            .init(
                "IllegalLocationConstraintException", .badRequest,
                "The unspecified location constraint is incompatible for the region specific endpoint this request was sent to.")
        case .illegalVersioningConfiguration:
            .init("IllegalVersioningConfigurationException", .badRequest, "The Versioning element must be specified")
        case .incompleteBody:
            .init("IncompleteBody", .badRequest, "You did not provide the number of bytes specified by the Content-Length HTTP header")
        case .internalError: .init("InternalError", .internalServerError, "We encountered an internal error. Please try again.")
        case .invalidAccessKeyID:
            .init("InvalidAccessKeyId", .forbidden, "The AWS Access Key Id you provided does not exist in our records.")
        case .invalidArgument: .init("InvalidArgument", .badRequest, "Invalid Argument")
        case .invalidBucketACLWithBlockPublicAccess:
            .init(
                "InvalidBucketAclWithBlockPublicAccessError", .badRequest,
                "Bucket cannot have public ACLs set with BlockPublicAccess enabled")
        case .invalidBucketACL:
            .init(
                "InvalidBucketAclWithObjectOwnership", .badRequest,
                "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting")
        case .invalidBucketName: .init("InvalidBucketName", .badRequest, "The specified bucket is not valid.")
        case .invalidBucketOwner:
            .init(
                "InvalidBucketOwnerAWSAccountID", .badRequest,
                "The value of the expected bucket owner parameter must be an AWS Account ID...")
        case .invalidBucketState: .init("InvalidBucketState", .conflict, "The request is not valid for the current state of the bucket.")
        case .invalidChunkSize:
            .init("InvalidChunkSizeError", .forbidden, "Only the last chunk is allowed to have a size less than 8192 bytes")
        case .invalidDigest: .init("InvalidDigest", .badRequest, "The Content-MD5 you specified was invalid.")
        case .invalidEncryptionAlgorithm:
            .init(
                "InvalidEncryptionAlgorithmError", .badRequest,
                "The Encryption request you specified is not valid. Supported value: AES256.")
        case .invalidLocationConstraint: .init("InvalidLocationConstraint", .badRequest, "The specified location-constraint is not valid")
        case .invalidNamespaceHeader:
            .init("InvalidNamespaceHeader", .badRequest, "The x-amz-bucket-namespace header does not suit the name of the bucket.")
        case .invalidObjectState: .init("InvalidObjectState", .forbidden, "The operation is not valid for the object's storage class")
        case .invalidPart:
            .init(
                "InvalidPart", .badRequest,
                "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag."
            )
        case .invalidPartNumber: .init("InvalidPartNumber", .rangeNotSatisfiable, "The requested partnumber is not satisfiable")
        case .invalidPartOrder:
            .init("InvalidPartOrder", .badRequest, "The list of parts was not in ascending order. Parts must be ordered by part number.")
        case .invalidPolicyDocument:
            .init(
                "InvalidPolicyDocument", .badRequest,
                "The content of the form does not meet the conditions specified in the policy document.")
        case .invalidRange: .init("InvalidRange", .rangeNotSatisfiable, "The requested range is not satisfiable")
        case .invalidRedirectLocation:
            .init(
                "InvalidRedirectLocation", .badRequest,
                "The website redirect location must have a prefix of 'http://' or 'https://' or '/'.")
        case .invalidRequest: .init("InvalidRequest", .badRequest, "Invalid Request")
        case .invalidRetentionPeriod: .init("InvalidRetentionPeriod", .badRequest, "The retention period specified is invalid.")
        case .invalidS3DestinationBucket: .init("InvalidS3DestinationBucket", .badRequest, "Invalid bucket ARN.")
        case .invalidStorageClass: .init("InvalidStorageClass", .badRequest, "The storage class you specified is not valid")
        case .invalidTag: .init("InvalidTag", .badRequest, "The tag provided was not a valid tag.")
        case .invalidTargetBucketForLogging:
            .init(
                "InvalidTargetBucketForLogging", .badRequest,
                "The owner for the bucket to be logged and the target bucket must be the same.")
        case .invalidToken: .init("InvalidToken", .badRequest, "The provided token is malformed or otherwise invalid.")
        case .invalidURI: .init("InvalidURI", .badRequest, "Couldn't parse the specified URI.")
        case .keyTooLong: .init("KeyTooLongError", .badRequest, "Your key is too long")
        case .malformedACL:
            .init(
                "MalformedACLError", .badRequest,
                "The XML you provided was not well-formed or did not validate against our published schema")
        case .malformedPolicy: .init("MalformedPolicy", .badRequest, "Policies must be valid JSON and the first byte must be '{'")
        case .malformedPOSTRequest:
            .init("MalformedPOSTRequest", .badRequest, "The body of your POST request is not well-formed multipart/form-data.")
        case .malformedTrailer:
            .init(
                "MalformedTrailerError", .badRequest,
                "The request contained trailing data that was not well-formed or did not conform to our published schema.")
        case .malformedXML:
            .init("MalformedXML", .badRequest, "The XML you provided was not well-formed or did not validate against our published schema")
        case .maxMessageLengthExceeded: .init("MaxMessageLengthExceeded", .badRequest, "Your request was too big.")
        // The misspelling is S3's.
        case .maxPostPreDataLengthExceeded:
            .init("MaxPostPreDataLengthExceeded", .badRequest, "Your POST request fields preceeding the upload file was too large.")
        case .metadataTooLarge: .init("MetadataTooLarge", .badRequest, "Your metadata headers exceed the maximum allowed metadata size")
        case .methodNotAllowed: .init("MethodNotAllowed", .methodNotAllowed, "The specified method is not allowed against this resource.")
        case .missingContentLength: .init("MissingContentLength", .lengthRequired, "You must provide the Content-Length HTTP header.")
        case .missingNamespaceHeader:
            .init(
                "MissingNamespaceHeader", .badRequest,
                "The requested bucket is an account-regional namespace bucket, but your request is missing the required x-amz-bucket-namespace header."
            )
        case .missingRequestBody: .init("MissingRequestBodyError", .badRequest, "Request Body is empty")
        case .missingSecurityHeader: .init("MissingSecurityHeader", .badRequest, "Your request was missing a required header")
        case .noLoggingStatusForKey:
            .init("NoLoggingStatusForKey", .badRequest, "There is no such thing as the ?logging sub-resource for a key")
        case .noSuchBucket: .init("NoSuchBucket", .notFound, "The specified bucket does not exist")
        case .noSuchBucketPolicy: .init("NoSuchBucketPolicy", .notFound, "The bucket policy does not exist")
        case .noSuchConfiguration: .init("NoSuchConfiguration", .notFound, "The specified configuration does not exist.")
        case .noSuchCORSConfiguration: .init("NoSuchCORSConfiguration", .notFound, "The CORS configuration does not exist")
        case .noSuchKey: .init("NoSuchKey", .notFound, "The specified key does not exist.")
        case .noSuchLifecycleConfiguration: .init("NoSuchLifecycleConfiguration", .notFound, "The lifecycle configuration does not exist")
        case .noSuchObjectLockConfiguration:
            .init("NoSuchObjectLockConfiguration", .notFound, "The specified object does not have a ObjectLock configuration")
        case .noSuchPublicAccessBlock:
            .init("NoSuchPublicAccessBlockConfiguration", .notFound, "The public access block configuration was not found")
        case .noSuchTagSet: .init("NoSuchTagSet", .notFound, "The TagSet does not exist")
        case .noSuchUpload:
            .init(
                "NoSuchUpload", .notFound,
                "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.")
        case .noSuchVersion: .init("NoSuchVersion", .notFound, "The specified version does not exist.")
        case .noSuchWebsiteConfiguration:
            .init("NoSuchWebsiteConfiguration", .notFound, "The specified bucket does not have a website configuration")
        case .notImplemented:
            .init("NotImplemented", .notImplemented, "A header you provided implies functionality that is not implemented")
        case .objectLockConfigurationNotFound:
            .init("ObjectLockConfigurationNotFoundError", .notFound, "Object Lock configuration does not exist for this bucket")
        case .operationAborted:
            .init(
                "OperationAborted", .conflict,
                "A conflicting conditional operation is currently in progress against this resource. Please try again.")
        case .ownershipControlsNotFound: .init("OwnershipControlsNotFoundError", .notFound, "The bucket ownership controls were not found")
        case .permanentRedirect:
            .init(
                "PermanentRedirect", .movedPermanently,
                "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint."
            )
        case .preconditionFailed:
            .init("PreconditionFailed", .preconditionFailed, "At least one of the pre-conditions you specified did not hold")
        // Of Ceph and other services with quotas; AWS has none.
        case .quotaExceeded: .init("QuotaExceeded", .forbidden, FullStorage.message)
        case .replicationConfigurationNotFound:
            .init("ReplicationConfigurationNotFoundError", .notFound, "The replication configuration was not found")
        case .requestHeaderSectionTooLarge:
            .init("RequestHeaderSectionTooLarge", .badRequest, "Your request header section exceeds the maximum allowed size.")
        case .requestTimeout:
            .init(
                "RequestTimeout", .badRequest,
                "Your socket connection to the server was not read from or written to within the timeout period. Idle connections will be closed."
            )
        case .requestTimeTooSkewed:
            .init("RequestTimeTooSkewed", .forbidden, "The difference between the request time and the current time is too large.")
        case .serverSideEncryptionConfigurationNotFound:
            .init("ServerSideEncryptionConfigurationNotFoundError", .notFound, "The server side encryption configuration was not found")
        case .serviceUnavailable: .init("ServiceUnavailable", .serviceUnavailable, "Please reduce your request rate.")
        case .signatureDoesNotMatch:
            .init(
                "SignatureDoesNotMatch", .forbidden,
                "The request signature we calculated does not match the signature you provided. Check your key and signing method.")
        case .slowDown: .init("SlowDown", .serviceUnavailable, "Please reduce your request rate.")
        case .tokenRefreshRequired: .init("TokenRefreshRequired", .badRequest, "The provided token must be refreshed.")
        case .tooManyConfigurations:
            .init(
                "TooManyConfigurations", .badRequest,
                "You are attempting to create a new configuration but have already reached the 1,000-configuration limit.")
        case .unexpectedContent: .init("UnexpectedContent", .badRequest, "This request does not support content")
        case .unresolvableGrantByEmailAddress:
            .init("UnresolvableGrantByEmailAddress", .badRequest, "The e-mail address you provided does not match any account on record.")
        case .userKeyMustBeSpecified:
            .init(
                "UserKeyMustBeSpecified", .badRequest,
                "The bucket POST must contain the specified field name.  If it is specified, please check the order of the fields.")
        case .contentSHA256Mismatch:
            .init("XAmzContentSHA256Mismatch", .badRequest, "The provided 'x-amz-content-sha256' header does not match what was computed.")
        }
    }
}
