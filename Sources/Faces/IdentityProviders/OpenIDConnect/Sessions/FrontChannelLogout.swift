import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

/// Notifies applications through the user's browser that a session has ended (OpenID Connect Front-Channel Logout 1.0). A page loads their
/// registered URLs in frames and continues when all have loaded.
struct FrontChannelLogout {
    let visit: Visit
    /// The URLs that the frames load.
    private let urls: [String]

    /// Returns `nil` if no application of the session uses front-channel logout.
    private init?(_ session: BrowserSession, in visit: Visit) {
        self.visit = visit
        urls = session.participants.compactMap { participant in
            guard case .client(let id) = participant, let metadata = visit.provider.client(id)?.metadata,
                let url = metadata.frontchannelLogoutURI
            else { return nil }
            guard metadata.frontchannelLogoutSessionRequired == true else { return url }
            let fields: FormFields = ["iss": visit.issuer, "sid": session.id]
            return url + (url.contains("?") ? "&" : "?") + fields.encoded
        }
        if urls.isEmpty { return nil }
    }

    /// Returns the page with the frames, which then continues to the next page. If no application must be notified, or the next page posts
    /// a form, returns the next page itself.
    /// - Parameter isLast: whether the browser stays on the page.
    static func response(of session: BrowserSession, before next: Response, isLast: Bool, in visit: Visit) -> Response {
        let url = next.headers[.location]
        guard url != nil || isLast, let page = FrontChannelLogout(session, in: visit) else { return next }
        return page.response(continuingTo: url)
    }

    private static let script =
        "addEventListener('load',()=>{const next=document.getElementById('next');if(next)location.replace(next.href)})"

    /// Returns the page with the frames.
    /// - Parameter destination: the URL of the next page; `nil` to stay.
    private func response(continuingTo destination: String?) -> Response {
        let frames = urls.map { url -> HTML in "<iframe src=\"\(url)\" title=\"Signing out\" hidden></iframe>\n" }
        let next = destination.map { url -> HTML in "<p><a id=\"next\" href=\"\(url)\">Continue</a></p>\n" } ?? ""
        var page = SignInPage(
            title: "Logged out",
            content: """
                <h1>Logged out</h1>
                <p>You are logged out.</p>
                \(next)\(frames)<script>\(HTML(stringLiteral: Self.script))</script>
                """, script: "sha256-" + SHA256.hash(Self.script).base64)
        page.frames = urls.compactMap(SignInPage.source(of:))
        return page.response(of: visit.provider)
    }
}
