import Calls
import Cloud
import HTTPTypes
import WireFormats

/// An error of an endpoint for apps. Most have a code only. (Amazon Cognito Developer Guide, "Token endpoint", "Revoke endpoint".)
struct HostedTokenError: Error, Equatable {
    /// The code on the wire.
    var code: String
    /// The description on the wire; `nil` if there is none.
    var description: String?
    /// What the journal shows.
    var note: String
    var status = HTTPResponse.Status.badRequest
    /// The value of `WWW-Authenticate`, if the response has it.
    var challenge: String?
    /// The value of `Allow`, if the request used another method (RFC 9110 section 15.5.6).
    var allow: String?

    init(_ code: String, _ note: String) { (self.code, self.note) = (code, note) }

    static func invalidRequest(_ note: String) -> HostedTokenError { HostedTokenError("invalid_request", note) }
    static func invalidGrant(_ note: String) -> HostedTokenError { HostedTokenError("invalid_grant", note) }
    static func invalidScope(_ note: String) -> HostedTokenError { HostedTokenError("invalid_scope", note) }
    static func unauthorizedClient(_ note: String) -> HostedTokenError { HostedTokenError("unauthorized_client", note) }
    static let invalidClient = HostedTokenError("invalid_client", "There is no such app client with this secret.")

    /// Creates the error of any other failure, which it notes.
    init(failure: any Error, _ call: Call) {
        switch failure {
        case let error as HostedTokenError: self = error
        case let fault as FormFault: self = .invalidRequest(fault.explanation)
        case is GrantRefusal: self = .invalidGrant("The grant was revoked.")
        // A function refused, or could not be called. AWS's code is not public.
        case let error as UserPoolError:
            self = .invalidRequest(error.message)
            description = error.message
        case let fault as InjectedFault:
            let (code, status, description) = fault.spelledByOAuth
            self.init(code, description)
            self.status = status
        default:
            if FullStorage.isCause(of: failure) {
                self.init("server_error", FullStorage.message(for: failure))
                status = .insufficientStorage
            } else {
                call.note(failure: failure)
                self.init("server_error", "The server failed.")
                status = .internalServerError
            }
        }
    }

    /// Returns the response, and records the error in the journal.
    func response(to call: Call) -> Response {
        call.note(errorCode: code, message: description ?? note)
        var document: JSONObject = ["error": .string(code)]
        if let description { document["error_description"] = .string(description) }
        var headers = HTTPFields.unstored
        if let challenge { headers[.wwwAuthenticate] = challenge }
        if let allow { headers[.allow] = allow }
        return .json(.object(document), status: status, headers: headers)
    }
}
