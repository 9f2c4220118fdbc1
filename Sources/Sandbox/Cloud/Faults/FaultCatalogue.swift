package import HTTPTypes
import WireFormats

/// The statuses and messages of the services' errors. Codes and statuses come from the services' models (botocore, `service-2.json` of
/// `sts` and `iam`) and from "Common Errors" of their API references; messages are the services' own where they are known.
package enum FaultCatalogue {
    /// The status and the message of an error.
    package struct Entry: Sendable, Equatable {
        /// The status of the response.
        package var status: HTTPResponse.Status
        /// The message of the real service.
        package var message: String
    }

    /// The families of services that have different codes.
    package enum Family: Sendable {
        case s3
        /// STS, IAM and the other services of the Query protocol.
        case query
        /// STS, RAM and IMS of Alibaba Cloud.
        case rpc
        case oss
    }

    /// Returns the entry of a code in a family, or in another family if this one does not have the code.
    package static func entry(_ code: String, in family: Family) -> Entry? {
        switch family {
        case .s3: s3[code] ?? query[code]
        case .query: query[code] ?? s3[code]
        case .rpc: rpc[code] ?? query[code] ?? s3[code]
        case .oss: oss[code] ?? s3[code] ?? query[code]
        }
    }

    /// Returns whether the catalogue has an error code.
    package static func contains(_ code: String) -> Bool {
        [Family.s3, .query, .rpc, .oss].contains { entry(code, in: $0) != nil } || isProviderCode(code)
    }

    /// Returns the error codes of a family of services.
    package static func entries(of family: Family) -> [String: Entry] {
        switch family {
        case .s3: s3
        case .query: query
        case .rpc: rpc
        case .oss: oss
        }
    }

    static func entries(_ table: KeyValuePairs<String, (Int, String)>) -> [String: Entry] {
        table.reduce(into: [:]) { $0[$1.key] = Entry(status: HTTPResponse.Status(code: $1.value.0), message: $1.value.1) }
    }

    private static let s3 = S3ErrorCode.faults.merging(SelectErrorCode.faults) { code, _ in code }

    private static let oss = OSSErrorCode.faults

    /// The errors of the Query protocol. (STS API Reference, IAM API Reference, "Common Errors", and the errors of their operations.)
    private static let query = entries([
        "AccessDenied": (403, "Access denied"),
        "AccessDeniedException": (400, "You do not have sufficient access to perform this action."),
        "ConcurrentModification": (
            409, "The request was rejected because multiple requests to change this object were submitted simultaneously."
        ),
        "DeleteConflict": (409, "Cannot delete entity, must remove referenced objects first."),
        "DuplicateCertificate": (409, "The same certificate is associated with an IAM user in the account."),
        "DuplicateSSHPublicKey": (400, "The SSH public key is already associated with the specified IAM user."),
        "EntityAlreadyExists": (409, "The resource already exists."),
        "EntityTemporarilyUnmodifiable": (
            409, "The entity is temporarily unmodifiable, such as a user name that was deleted and then recreated. Try again."
        ),
        "ExpiredToken": (403, "The security token included in the request is expired"),
        "ExpiredTokenException": (400, "The security token included in the request is expired"),
        "ExpiredTradeInTokenException": (400, "The trade-in token provided in the request has expired."),
        "FeatureDisabled": (404, "The feature is disabled."),
        "FeatureEnabled": (409, "The feature is already enabled."),
        "IDPCommunicationError": (
            400, "The identity provider (IDP) that was asked to verify the incoming identity token could not be reached."
        ),
        "IDPRejectedClaim": (403, "The identity provider (IdP) reported that authentication failed."),
        "IncompleteSignature": (400, "The request signature does not conform to AWS standards."),
        "InternalError": (500, "The request processing has failed because of an unknown error, exception or failure."),
        "InternalFailure": (500, "The request processing has failed because of an unknown error, exception or failure."),
        "InvalidAuthenticationCode": (403, "MFA validation failed: the authentication code is not right."),
        "InvalidAuthorizationMessageException": (400, "The authorization message is not valid."),
        "InvalidCertificate": (400, "The certificate is invalid."),
        "InvalidClientTokenId": (403, "The security token included in the request is invalid."),
        "InvalidIdentityToken": (
            400,
            "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements"
        ),
        "InvalidInput": (400, "An invalid or out-of-range value was supplied for an input parameter."),
        "InvalidPublicKey": (400, "The public key is malformed or otherwise invalid."),
        "InvalidUserType": (400, "The type of user for the transaction was incorrect."),
        "JWTPayloadSizeExceededException": (400, "The requested token payload size exceeds the maximum allowed size."),
        "KeyPairMismatch": (400, "The public key certificate and the private key do not match."),
        "LimitExceeded": (409, "The request would exceed the account's limit."),
        "MalformedCertificate": (400, "The certificate was malformed or expired."),
        "MalformedPolicyDocument": (400, "The policy document is malformed."),
        "NameConflict": (409, "The name is in use."),
        "NoSuchEntity": (404, "The entity cannot be found."),
        "NotSupportedService": (404, "The specified service does not support service-specific credentials."),
        "OpenIdIdpCommunicationError": (400, "The identity provider could not be reached."),
        "OptInRequired": (403, "The AWS Access Key Id needs a subscription for the service"),
        "OutboundWebIdentityFederationDisabledException": (403, "The outbound web identity federation feature is not enabled."),
        "PackedPolicyTooLarge": (400, "Packed policy consumes 101% of allotted space, please use smaller policy."),
        "PasswordPolicyViolation": (400, "The provided password did not meet the requirements of the account's password policy."),
        "PolicyEvaluation": (500, "A provided policy could not be successfully evaluated."),
        "PolicyNotAttachable": (400, "The policy cannot be attached."),
        "RegionDisabledException": (403, "STS is not activated in this region for the account."),
        "ReportExpired": (410, "The most recent credential report has expired."),
        "ReportGenerationLimitExceeded": (409, "The report generation limit is exceeded."),
        "ReportInProgress": (404, "The credential report is still being generated."),
        "ReportNotPresent": (410, "The credential report does not exist."),
        "RequestExpired": (400, "Request has expired."),
        "RequestLimitExceeded": (503, "Request limit exceeded."),
        "RoleModified": (409, "The role's configuration was modified by somebody else."),
        "RoleTemplateDisabled": (400, "The role template is disabled."),
        "ServiceFailure": (
            500, "The request processing has failed because of an unknown error, exception or failure."
        ),
        "ServiceUnavailable": (503, "The request has failed due to a temporary failure of the server."),
        "SessionDurationEscalationException": (403, "The requested duration exceeds that of the session."),
        "SignatureDoesNotMatch": (
            403,
            "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details."
        ),
        "Throttling": (400, "Rate exceeded"),
        "ThrottlingException": (400, "Rate exceeded"),
        "TooManyRequestsException": (429, "Too Many Requests"),
        "UnmodifiableEntity": (400, "Only the service that depends on the role can modify or delete it."),
        "UnrecognizedPublicKeyEncoding": (400, "The public key encoding format is unsupported or unrecognized."),
        "ValidationError": (400, "1 validation error detected"),
    ])
}
