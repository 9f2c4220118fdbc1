import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// An error page of a user pool's domain.
struct HostedFault: Error, Equatable {
    var status = HTTPResponse.Status.badRequest
    /// The error code, shown on the page and recorded in the journal.
    var code: String
    var explanation: String

    init(_ code: String, _ explanation: String, status: HTTPResponse.Status = .badRequest) {
        (self.code, self.explanation, self.status) = (code, explanation, status)
    }

    static let foreignForm = HostedFault(
        "foreign_form", "This form was not sent by the page that it belongs to, or the browser sent no cookies. Start again.",
        status: .forbidden)

    /// The text of the service for a domain that does not exist, and for an app without a way to sign in.
    static func unavailable(_ note: String) -> HostedFault {
        HostedFault("unavailable", "Login pages unavailable. Please contact an administrator. (\(note))")
    }

    /// Creates the page of any other failure, which it notes.
    init(failure: any Error, _ call: Call) {
        if let fault = failure as? HostedFault {
            self = fault
        } else if let refusal = HostedSignIn.refusal(failure) {
            self.init("refused", refusal.message)
        } else {
            let error = HostedTokenError(failure: failure, call)
            self.init(error.code, error.note, status: error.status)
        }
    }

    /// Records the error in the journal and returns the page.
    /// - Parameter owner: the name of the pool.
    func shown(for call: Call, owner: String) -> Response {
        call.note(errorCode: code, message: explanation)
        return WebPage(
            title: "This does not work", owner: owner, theme: "cognito",
            content: """
                <h1>An error was encountered with the requested page.</h1>
                <p class="alert" role="alert">\(explanation)</p>
                <p class="soft">Error \(String(status.code)): <code>\(code)</code></p>
                """
        ).response(status: status)
    }
}

/// A redirect that ends a request to the pages early, because it cannot be served.
struct HostedRedirect: Error, Equatable {
    let location: String
    /// The error code in the location.
    let code: String
    /// What the journal shows.
    let note: String

    /// A redirect to the page `/error`.
    static func errorPage(_ code: String, client: String?, _ note: String, in visit: HostedVisit) -> HostedRedirect {
        var query: FormFields = ["error": code]
        if let client { query.fields.append(.init(name: "client_id", value: client)) }
        return HostedRedirect(location: visit.url("/error", query), code: code, note: note)
    }

    /// Records the error in the journal and returns the redirect.
    func response(to call: Call) -> Response {
        call.note(errorCode: code, message: note)
        return .redirect(to: location, headers: .unstored)
    }
}
