import Calls
import Cloud
import Directory
import WireFormats

/// What an authorization endpoint tells the application, through the browser. As an error it is a refusal of the request.
struct AuthorizationAnswer: Error {
    /// How it travels (OAuth 2.0 Multiple Response Type Encoding Practices; OAuth 2.0 Form Post Response Mode).
    enum Mode: String {
        case query, fragment
        case formPost = "form_post"
    }

    var redirectURI: String
    var mode: Mode
    var fields: FormFields
    /// Who joins the person's session with this answer, if it lets somebody in.
    var participant: BrowserSession.Participant?
    /// What the journal calls a refusal that has no field `error`.
    var errorCode: String?
    /// What some providers append to the URL.
    var suffix = ""

    /// - Parameter fields: absent values are left out.
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

    /// Where the browser goes with the fields in the query.
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
