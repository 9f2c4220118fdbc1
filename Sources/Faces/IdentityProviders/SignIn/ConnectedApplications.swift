import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The page where a user sees and revokes the access of applications: Facebook's "Apps and Websites", Amazon's "Login with Amazon",
/// Google's "Third-party apps and services".
struct ConnectedApplications {
    let visit: Visit
    /// The path of the page, relative to the provider's base URL.
    let path: String
    let meaning: (String) -> String
    /// Revokes everything that the user granted an application.
    let remove: (Client, Person) async throws -> Void

    private func connections(of person: Person) throws -> [(client: Client, scopes: [String])] {
        try visit.provider.clients.compactMap { client in
            try Consent(client: client, person: person).scopes(in: visit).map { (client, $0) }
        }
    }

    func show() async throws -> Response {
        guard let session = try BrowserSession(of: visit) else {
            if try visit.query().value("error") != nil {
                return FaultPage(status: .unauthorized, code: "access_denied", explanation: "Sign in to see your account.")
                    .shown(in: visit)
            }
            return try await PageLogin(visit: visit).signIn.begin(PageLogin.parameters(for: path))
        }
        try await visit.enter("ConnectedApplications")
        return try await page(session)
    }

    func submit() async throws -> Response {
        try await visit.enter("RemoveApplication")
        let fields = try await visit.form()
        guard let pending = try await PendingForm.take(fields["form"] ?? "", in: visit), pending.stage == .account,
            let session = pending.session
        else { return FaultPage.expiredForm.shown(in: visit) }
        if let client = visit.provider.client(fields["remove"] ?? "") {
            visit.call.note(caller: session.person.name)
            try await remove(client, session.person)
        }
        return try await page(session)
    }

    private func page(_ session: BrowserSession) async throws -> Response {
        visit.call.note(caller: session.person.name)
        let pending = PendingForm(stage: .account, parameters: [:], session: session)
        let (form, browser) = try await pending.keep(for: nil, in: visit)
        let items = try connections(of: session.person).map { client, scopes -> HTML in
            let names = scopes.map(meaning).joined(separator: "; ")
            return """
                <li><strong>\(client.name)</strong><br><span class="soft">\(names)</span>
                <button type="submit" name="remove" value="\(client.id)">Remove \(client.name)</button></li>

                """
        }
        let list: HTML = items.isEmpty ? "<p>You have let in no application.</p>" : "<ul>\n\(items)</ul>"
        var response = SignInPage(
            title: "Connected applications",
            content: """
                <h1>Connected applications</h1>
                <p class="soft">You are signed in as \(session.person.name).</p>
                <form method="post" action="\(visit.basePath + path)">
                <input type="hidden" name="form" value="\(form)">
                \(list)
                </form>
                """
        ).response(of: visit.provider)
        response.headers.append(HTTPField(name: .setCookie, value: Cookie.browser.setting(browser, in: visit)))
        return response
    }
}
