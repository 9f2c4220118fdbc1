import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

/// Tells applications in the person's own browser that a session has ended (OpenID Connect Front-Channel Logout 1.0): a page loads what
/// they have registered in frames, and goes on when all have loaded.
struct FrontChannelLogout {
    let visit: Visit
    /// What the frames load.
    private let urls: [String]

    /// `nil` if no application of the session wants to be told in this way.
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

    /// The page in place of what the browser would see next, if there is somebody to tell: it goes on there. A page that posts a message
    /// cannot wait for frames.
    /// - Parameter isLast: whether the browser stays there.
    static func response(of session: BrowserSession, before next: Response, isLast: Bool, in visit: Visit) -> Response {
        let url = next.headers[.location]
        guard url != nil || isLast, let page = FrontChannelLogout(session, in: visit) else { return next }
        return page.response(goingOnTo: url)
    }

    private static let script =
        "addEventListener('load',()=>{const next=document.getElementById('next');if(next)location.replace(next.href)})"

    /// - Parameter destination: where the browser goes next; it stays if there is none.
    private func response(goingOnTo destination: String?) -> Response {
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
