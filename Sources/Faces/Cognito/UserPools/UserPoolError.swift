import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

/// An error of Amazon Cognito user pools. (Amazon Cognito User Pools API Reference, "Common Error Types", and the texts of the real service.)
struct UserPoolError: Error, Equatable {
    /// The code on the wire.
    var code: String
    /// The message.
    var message: String
    /// The HTTP status.
    var status = HTTPResponse.Status.badRequest

    init(_ code: String, _ message: String, status: HTTPResponse.Status = .badRequest) {
        self.code = code
        self.message = message
        self.status = status
    }

    static func notAuthorized(_ message: String) -> UserPoolError { UserPoolError("NotAuthorizedException", message) }

    static func invalidParameter(_ message: String) -> UserPoolError { UserPoolError("InvalidParameterException", message) }

    static func notFound(_ message: String) -> UserPoolError { UserPoolError("ResourceNotFoundException", message) }

    static let wrongPassword = notAuthorized("Incorrect username or password.")
    static let unknownUser = UserPoolError("UserNotFoundException", "User does not exist.")
    static let disabledUser = notAuthorized("User is disabled.")
    static let usedSession = notAuthorized("Invalid session for the user, session can only be used once.")
    static let invalidSession = notAuthorized("Invalid session for the user.")
    static let expiredSession = notAuthorized("Invalid session for the user, session is expired.")
    static let wrongCode = UserPoolError("CodeMismatchException", "Invalid verification code provided, please try again.")
    static let expiredCode = UserPoolError("ExpiredCodeException", "Invalid code provided, please request a code again.")
    /// The error for a device that is not confirmed, or forgotten. Clients look for the word. (amazon-archives/amazon-cognito-identity-js issue 200.)
    static let unknownDevice = notFound("Device does not exist.")
    static let unconfirmedUser = UserPoolError("UserNotConfirmedException", "User is not confirmed.")

    /// The error for a call or an option of the real service that Virga does not have.
    static func unsupported(_ what: String) -> UserPoolError {
        UserPoolError("UnsupportedOperationException", "This sandbox does not support \(what).")
    }
}

extension UserPoolError {
    init(_ refusal: UserPoolRefusal) {
        self =
            switch refusal {
            case .noSuchPool(let id): .notFound("User pool \(id) does not exist.")
            case .protectedPool:
                .invalidParameter(
                    """
                    The user pool cannot be deleted because deletion protection is activated. Deletion protection must be inactivated \
                    first.
                    """)
            case .noSuchClient(let id): .notFound("User pool client \(id) does not exist.")
            case .noSuchUser: .unknownUser
            case .usernameExists: UserPoolError("UsernameExistsException", "User already exists")
            // Virga's wording; AWS has a quota for all people of a pool.
            case .tooManyUnconfirmed(let limit):
                UserPoolError(
                    "LimitExceededException",
                    "The user pool has \(limit) users who have not confirmed their sign-up. It keeps no more. Confirm or delete some.")
            case .aliasExists(let attribute):
                UserPoolError("AliasExistsException", "An account with the \(attribute) already exists.")
            case .noSuchGroup: .notFound("Group not found.")
            case .groupExists: UserPoolError("GroupExistsException", "A group with the name already exists.")
            case .poolWithDomain:
                .invalidParameter("User pool cannot be deleted. It has a domain configured that should be deleted first.")
            case .poolHasDomain: .invalidParameter("User pool already has domain configured.")
            case .domainTaken: .invalidParameter("Domain already associated with another user pool.")
            case .noSuchDomain: .invalidParameter("No such domain or user pool exists.")
            case .noSuchProvider(let name): .notFound("Identity provider \(name) does not exist.")
            case .providerExists(let name, let pool):
                UserPoolError("DuplicateProviderException", "A provider with the name \(name) already exists in User Pool \(pool).")
            case .immutableAttribute(let name): .invalidParameter("user.\(name): Attribute cannot be updated.")
            case .attributesRequired(let names): .invalidParameter("attributes required: [\(names.joined(separator: ", "))]")
            case .alreadySignedUp:
                .invalidParameter(
                    "Merging is not currently supported, provide a SourceUser that has not been signed up in order to link")
            case .tooManyLinks: UserPoolError("LimitExceededException", "A user can be linked to at most 5 identity providers.")
            case .noSuchResourceServer(let identifier): .notFound("Resource server \(identifier) does not exist.")
            case .resourceServerExists(let identifier, let pool):
                .invalidParameter("\(identifier) already exists in user pool \(pool).")
            }
    }

    init(_ fault: UserPoolClient.OAuth.Fault) {
        let code =
            switch fault.kind {
            case .parameter: "InvalidParameterException"
            case .flow: "InvalidOAuthFlowException"
            case .scope: "ScopeDoesNotExistException"
            case .limit: "LimitExceededException"
            }
        self.init(code, fault.message)
    }

    init(_ fault: UserPoolTokenFault) {
        self =
            switch fault {
            case .invalid: .notAuthorized("Invalid Access Token")
            case .signature: .notAuthorized("Could not verify signature for Access Token")
            case .expired: .notAuthorized("Access Token has expired")
            case .revoked: .notAuthorized("Access Token has been revoked")
            case .disabled: .disabledUser
            }
    }

    /// Translates the error of a signature.
    init(_ error: AuthenticationError) {
        self =
            switch error {
            case .unknownAccessKey, .inactiveAccessKey, .invalidSessionToken, .sessionTokenOfAnotherKey:
                UserPoolError("UnrecognizedClientException", "The security token included in the request is invalid.")
            case .expiredSessionToken: UserPoolError("ExpiredTokenException", "The security token included in the request is expired")
            case .signatureMismatch:
                UserPoolError(
                    "InvalidSignatureException",
                    """
                    The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and \
                    signing method. Consult the service documentation for details.
                    """)
            case .wrongService(let presented, let expected):
                UserPoolError(
                    "InvalidSignatureException", "Credential should be scoped to correct service: '\(expected)', not '\(presented)'.")
            case .wrongRegion: UserPoolError("InvalidSignatureException", "Credential should be scoped to a valid region. ")
            case .requestTimeTooSkewed(let request, _, let server):
                UserPoolError(
                    "InvalidSignatureException",
                    request < server
                        ? "Signature expired: \(request.basic) is now earlier than \((server - Authenticator.allowedSkew).basic) (\(server.basic) - 15 min.)"
                        : "Signature not yet current: \(request.basic) is still later than \((server + Authenticator.allowedSkew).basic) (\(server.basic) + 15 min.)"
                )
            default: UserPoolError("IncompleteSignatureException", "Authorization header requires 'Credential' parameter.")
            }
    }
}
