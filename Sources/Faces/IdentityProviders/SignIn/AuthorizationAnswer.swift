import Calls
import Cloud
import Directory
import WireFormats

/// A response of an authorization endpoint to the application, through the browser. It is thrown as an error if the request fails.
struct AuthorizationAnswer: Error {
    /// The response mode (OAuth 2.0 Multiple Response Type Encoding Practices; OAuth 2.0 Form Post Response Mode).
    enum Mode: String {
        case query, fragment
        case formPost = "form_post"
    }

    var redirectURI: String
    var mode: Mode
    var fields: FormFields
    /// The participant that joins the user's session with a successful response.
    var participant: BrowserSession.Participant?
    /// The error code for the journal, for errors without a field `error`.
    var errorCode: String?
    /// The client, if it receives the fields as a token (JWT Secured Authorization Response Mode, JARM).
    var tokenReceiver: Client?
    /// A suffix that some providers append to the URL.
    var suffix = ""

    /// Creates a response.
    /// - Parameter fields: the fields; absent values are left out.
    init(to redirectURI: String, mode: Mode, fields: KeyValuePairs<String, String?>) {
        self.redirectURI = redirectURI
        self.mode = mode
        self.fields = [:]
        self.fields.fields = fields.compactMap { name, value in value.map { .init(name: name, value: $0) } }
    }

    func response(of provider: IdentityProvider) -> Response {
        if provider.kind == .google, OutOfBandPage.isMeant(by: redirectURI) { return OutOfBandPage.response(to: self, of: provider) }
        return switch mode {
        case .query:
            .redirect(to: url, headers: .unstored)
        case .fragment: .redirect(to: redirectURI + "#" + fields.encoded, headers: .unstored)
        case .formPost: formPost(of: provider)
        }
    }

    /// The redirect URL with the fields in the query.
    var url: String {
        let separator = fields.fields.isEmpty ? "" : redirectURI.contains("?") ? "&" : "?"
        return redirectURI + separator + fields.encoded + suffix
    }

    private func formPost(of provider: IdentityProvider) -> Response {
        WebPage.sending(
            fields, to: redirectURI, title: "Back to the application", owner: SignInPage.displayName(of: provider),
            theme: provider.kind.rawValue
        ).response()
    }
}
