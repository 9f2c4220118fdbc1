import Directory
import Federation
import HTTPTypes
import WireFormats

/// The errors of identity pools. The texts are those of AWS in public reports, unless a comment says otherwise.
extension ServiceError {
    static func notAuthorizedForPool(_ message: String) -> ServiceError { ServiceError("NotAuthorizedException", .badRequest, message) }

    static func invalidPoolParameter(_ message: String) -> ServiceError { ServiceError("InvalidParameterException", .badRequest, message) }

    /// The error for a role that STS does not give, for whatever reason.
    static let poolConfiguration = ServiceError(
        "InvalidIdentityPoolConfigurationException", .badRequest,
        "Invalid identity pool configuration. Check assigned IAM roles for this pool.")

    private static func conflict(_ message: String) -> ServiceError { ServiceError("ResourceConflictException", .badRequest, message) }

    private static func notFound(_ message: String) -> ServiceError { ServiceError("ResourceNotFoundException", .badRequest, message) }

    init(_ refusal: IdentityPoolRefusal) {
        self =
            switch refusal {
            case .noSuchPool(let id): .notFound("IdentityPool '\(id)' not found.")
            case .noSuchIdentity(let id): .notFound("Identity '\(id)' not found.")
            case .forbidden(let id): .notAuthorizedForPool("Access to Identity '\(id)' is forbidden.")
            case .loginsDoNotMatch: .loginsDoNotMatch
            case .noGuests: .notAuthorizedForPool("Unauthenticated access is not supported for this identity pool.")
            // Virga's wordings from here on; the codes are those of the API reference.
            case .tooManyGuests(let limit):
                ServiceError(
                    "LimitExceededException", .badRequest,
                    "The identity pool has \(limit) guests. It keeps no more. Delete some with DeleteIdentities.")
            case .severalLogins(let provider): .conflict("The identity already has another login of \(provider).")
            case .tooManyLogins(let limit):
                ServiceError("LimitExceededException", .badRequest, "An identity can have at most \(limit) logins.")
            case .registeredUser:
                ServiceError(
                    "DeveloperUserAlreadyRegisteredException", .badRequest, "The developer user identifier belongs to another identity.")
            // The text is AWS's; its code is not known.
            case .unknownDeveloperProvider: .invalidPoolParameter("This identity pool does not support the specified developer provider.")
            case .noSuchUser(let user): .notFound("No identity has the developer user identifier '\(user)'.")
            case .userOfAnotherIdentity: .conflict("The developer user identifier belongs to another identity.")
            case .developerProviderIsFinal: .invalidPoolParameter("The developer provider name cannot be changed.")
            case .tooManyPools(let limit):
                ServiceError("LimitExceededException", .badRequest, "An account can have at most \(limit) identity pools.")
            }
    }

    /// The error of calls without a login of the identity or of the pool.
    static let loginsDoNotMatch = notAuthorizedForPool(
        "Logins don't match. Please include at least one valid login for this identity or identity pool.")

    init(_ error: PoolLoginError) {
        func invalid(_ text: String) -> ServiceError { .notAuthorizedForPool("Invalid login token. \(text)") }
        self =
            switch error {
            case .unsupportedProvider, .unsupportedClient:
                .notAuthorizedForPool("Token is not from a supported provider of this identity pool.")
            case .foreignIssuer: invalid("Issuer doesn't match providerName")
            case .notVerified: invalid("Couldn't verify signed token.")
            case .notAToken: invalid("Not a valid OpenId Connect identity token.")
            case .missingClaim(let name): invalid("Missing a required claim: \(name)")
            case .expired(let now, let expiry): invalid("Token expired: \(now) >= \(expiry)")
            case .notOwnToken: invalid("Not a Cognito token.")
            case .ownToken: invalid("Can't pass in a Cognito token.")
            // Whatever the reason is. (aws-amplify/aws-sdk-android#829, aws-amplify/aws-sdk-ios#2296.)
            case .rejectedByProvider("graph.facebook.com"): invalid("Token is expired.")
            // Virga's wordings from here on.
            case .rejectedToken(let error): invalid(ServiceError(error).message)
            case .rejectedByProvider: .notAuthorizedForPool("Invalid login token.")
            case .rejectedResponse: invalid("The SAML response is not valid.")
            case .absentProvider(let name):
                ServiceError("ExternalServiceException", .badRequest, "Virga does not serve logins of \(name).")
            }
    }

    init(_ error: PoolRoleError) {
        self =
            switch error {
            case .noRole: .poolConfiguration
            case .ambiguous, .roleNotNamed: .notAuthorizedForPool("The ambiguous role mapping rules denied this request.")
            // Virga's wording.
            case .customRoleNotSupported:
                .invalidPoolParameter("CustomRoleArn is supported only where the token of the login names the roles.")
            }
    }
}

extension PoolLoginError {
    /// The exact defect, for the journal; `nil` where the message contains it.
    var cause: String? {
        switch self {
        case .notVerified(let error): error?.cause
        case .rejectedToken(let error), .unsupportedClient(let error): error.cause
        case .rejectedResponse(let error): error.cause
        default: Optional.none
        }
    }
}
