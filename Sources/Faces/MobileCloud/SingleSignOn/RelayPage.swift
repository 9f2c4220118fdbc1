import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// The HTML pages of the relay.
enum RelayPage {
    private static let owner = "Mobile Cloud"

    /// Returns the page that shows the token, for copying it into a test.
    static func token(_ token: String, lifetime: Int64, of user: MobileUser, for backend: MobileBackend) -> Response {
        page(
            "Access token",
            """
            <h1>Access token</h1>
            <p class="soft">of \(user.username) for <strong>\(backend.name)</strong> \(backend.version), good for \(String(lifetime)) seconds</p>
            <p><code id="access_token">\(token)</code></p>
            """
        ).response()
    }

    /// Returns the page that posts the token to the app's page, and only there.
    static func posting(_ fields: FormFields, to redirectURI: RedirectURI) -> Response {
        var page = WebPage.sending(fields, to: redirectURI.text, title: "Back to the app", owner: owner, theme: "")
        page.formTarget = redirectURI.origin
        return page.response()
    }

    /// Returns the page that posts a message to a provider, or again to this server.
    static func posting(_ fields: FormFields, to destination: String, title: String) -> Response {
        WebPage.sending(fields, to: destination, title: title, owner: owner, theme: "").response()
    }

    static func refusal(_ error: MobileError, to call: Call) -> Response {
        var response = page(
            error.kind.title,
            """
            <h1>\(error.kind.title)</h1>
            <p class="alert" role="alert">\(error.detail)</p>
            <p class="soft">Error \(String(error.kind.status.code)): <code>\(error.kind.code)</code></p>
            """
        ).response(status: error.kind.status)
        response.headers[.wwwAuthenticate] = error.response(to: call).headers[.wwwAuthenticate]
        return response
    }

    private static func page(_ title: String, _ content: HTML) -> WebPage {
        WebPage(title: title, owner: owner, theme: "", content: content)
    }
}
