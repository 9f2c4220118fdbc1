import Calls
import Cloud
import Directory
import HTTPTypes

/// Shown instead of a redirect where the application cannot be trusted to be the one that asked.
struct FaultPage: Error, Equatable {
    var status: HTTPResponse.Status = .badRequest
    /// The wire format's error code; shown, and noted in the journal.
    var code: String
    var explanation: String

    static let expiredForm = FaultPage(
        code: "form_expired",
        explanation: "This form was used already, is too old, or was opened in another browser. "
            + "Go back to the application and start again.")

    static let foreignForm = FaultPage(
        status: .forbidden, code: "foreign_form",
        explanation: "This form was not sent by the page that it belongs to. Go back to the application and start again.")

    /// The page, noted in the journal.
    func shown(in visit: Visit) -> Response {
        visit.call.note(errorCode: code, message: explanation)
        return response(of: visit.provider)
    }

    func response(of provider: IdentityProvider) -> Response {
        SignInPage(
            title: "This does not work",
            content: """
                <h1>This does not work</h1>
                <p class="alert" role="alert">\(explanation)</p>
                <p class="soft">Error \(String(status.code)): <code>\(code)</code></p>
                """
        ).response(of: provider, status: status)
    }
}

extension FaultPage {
    /// An error on demand, as a person sees it.
    init(_ fault: InjectedFault) {
        let spelled = fault.spelledByOAuth
        self.init(status: spelled.status, code: spelled.code, explanation: spelled.description)
    }
}
