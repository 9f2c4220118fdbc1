import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// The Access Token Tool, which shows a user's tokens for the apps that the user has approved.
/// (Meta for Developers, "Access Token Tool".)
///
/// The service also shows app tokens, to the developers of the app. An app has no developers here, and its token contains its secret, so the
/// page says only how to get one.
struct AccessTokenTool {
    let visit: Visit

    static let path = "/tools/accesstoken"

    func respond() async throws -> Response {
        guard let session = try BrowserSession(of: visit) else { return try await AccessTokenDebugger.login(visit, to: Self.path) }
        try await visit.enter("AccessTokenTool")
        visit.call.note(caller: session.person.name)
        var sections: [HTML] = []
        for client in visit.provider.clients { sections.append(try await section(of: client, session.person)) }
        return SignInPage(
            title: "Access Token Tool",
            content: """
                <h1>Access Token Tool</h1>
                <p class="soft">You are signed in as \(session.person.name).</p>
                \(sections)
                """
        ).response(of: visit.provider)
    }

    private func section(of client: Client, _ person: Person) async throws -> HTML {
        let user: HTML
        if let scopes = try Consent(client: client, person: person).scopes(in: visit) {
            let approval = Approval(
                provider: visit.provider, client: client, person: person, scopes: scopes, authenticated: visit.cloud.clock.now)
            user = line("User Token", try await visit.mint.accessToken(approval))
        } else {
            let query: FormFields = [
                "client_id": client.id, "redirect_uri": visit.baseURL + FacebookRedirect.successPath, "response_type": "token",
            ]
            let dialog = "\(visit.basePath)/dialog/oauth?\(query.encoded)"
            user = "<li>User Token: <a href=\"\(dialog)\">grant permissions</a> to the app to get one.</li>"
        }
        let app: HTML = client.secret == nil ? "" : appToken(of: client)
        return "<h2>\(client.name)</h2>\n<ul>\n\(user)\n\(app)\n</ul>\n"
    }

    /// Returns the line of an app token: the secret in it is masked.
    private func appToken(of client: Client) -> HTML {
        """
        <li>App Token <code>\(client.id)|…</code> With the app's secret, it comes from
        <code>\(visit.baseURL)/oauth/access_token?client_id=\(client.id)&amp;client_secret=…&amp;grant_type=client_credentials</code></li>
        """
    }

    private func line(_ name: String, _ token: String) -> HTML {
        let query: FormFields = ["access_token": token]
        let debugger = "\(visit.basePath)\(AccessTokenDebugger.path)?\(query.encoded)"
        return "<li>\(name) <code>\(token)</code> <a href=\"\(debugger)\">Debug</a></li>"
    }
}
