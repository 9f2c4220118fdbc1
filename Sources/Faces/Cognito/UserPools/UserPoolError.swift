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
            }
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
