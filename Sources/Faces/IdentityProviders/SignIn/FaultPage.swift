import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// An error page, shown instead of a redirect if the redirect URI cannot be trusted.
struct FaultPage: Error, Equatable {
    var status: HTTPResponse.Status = .badRequest
    /// The error code of the protocol, shown on the page and recorded in the journal.
    var code: String
    var explanation: String
    /// The value of `Allow`, if the request used an unsupported method (RFC 9110 section 15.5.6).
    var allow: String?

    static let expiredForm = FaultPage(
        code: "form_expired",
        explanation: "This form was used already, is too old, or was opened in another browser. "
            + "Go back to the application and start again.")

    static let foreignForm = FaultPage(
        status: .forbidden, code: "foreign_form",
        explanation: "This form was not sent by the page that it belongs to. Go back to the application and start again.")

    static let endedSession = FaultPage(
        code: "session_ended", explanation: "You have logged out in the meantime. Go back to the application and start again.")

    /// Records the error in the journal and returns the page.
    func shown(in visit: Visit) -> Response {
        visit.call.note(errorCode: code, message: explanation)
        let identifier: HTML = visit.manners.isRealm ? " id=\"kc-error-message\"" : ""
        var response = SignInPage(
            title: "This does not work",
            content: """
                <h1>This does not work</h1>
                <p class="alert"\(identifier) role="alert">\(explanation)</p>
                <p class="soft">Error \(String(status.code)): <code>\(code)</code></p>
                """
        ).response(of: visit.provider, status: status)
        if let allow { response.headers[.allow] = allow }
        return response
    }
}

extension FaultPage {
    /// Creates the page of a failure, for providers that show every error to users.
    init(_ failure: EndpointFailure) {
        switch failure {
        case .injected(let fault): self.init(fault)
        case .form(let fault): self.init(code: "invalid_request", explanation: fault.explanation)
        case .removed: self = .endedSession
        case .unexpected(let error):
            let isFull = FullStorage.isCause(of: error)
            self.init(
                status: isFull ? .insufficientStorage : .internalServerError, code: "server_error",
                explanation: isFull ? FullStorage.message(for: error) : "The server failed.")
        }
    }

    /// Creates the page of an injected error.
    init(_ fault: InjectedFault) {
        let spelled = fault.spelledByOAuth
        self.init(status: spelled.status, code: spelled.code, explanation: spelled.description)
    }
}
