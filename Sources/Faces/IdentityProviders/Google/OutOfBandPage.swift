import Calls
import Cloud
import Directory
import WireFormats

/// The page shown instead of a redirect, for applications that read the code from the window's title or let users copy it. (Google
/// Identity, "OAuth 2.0 for Mobile & Desktop Apps", manual copy and paste.)
enum OutOfBandPage {
    /// The redirect URI of applications whose users copy the code.
    static let redirectURI = "urn:ietf:wg:oauth:2.0:oob"
    /// The redirect URI of applications that read the title and close the window.
    static let automaticRedirectURI = "urn:ietf:wg:oauth:2.0:oob:auto"

    static func isMeant(by redirectURI: String) -> Bool { redirectURI == Self.redirectURI || redirectURI == automaticRedirectURI }

    /// Returns the page.
    /// - Parameter answer: the response for ``redirectURI`` or ``automaticRedirectURI``.
    static func response(to answer: AuthorizationAnswer, of provider: IdentityProvider) -> Response {
        let owner = SignInPage.displayName(of: provider)
        var told: FormFields = [:]
        told.fields = answer.fields.fields.filter { ["state", "code", "error"].contains($0.name) }
        guard let code = answer.fields["code"] else {
            var page = WebPage(
                title: "Denied", owner: owner, theme: provider.kind.rawValue,
                content: "<h1>Denied</h1><p class=\"soft\">Return to the application.</p>")
            page.documentTitle = "Denied \(told.encoded)"
            return page.response()
        }
        let content: HTML =
            answer.redirectURI == automaticRedirectURI
            ? "<h1>Signed in</h1><p class=\"soft\">You can close this window.</p>"
            : """
            <h1>Signed in</h1>
            <p class="soft">Copy this code, switch to the application and paste it there:</p>
            <p><code id="code">\(code)</code></p>
            """
        var page = WebPage(title: "Success", owner: owner, theme: provider.kind.rawValue, content: content)
        page.documentTitle = "Success \(told.encoded)"
        return page.response()
    }
}
