import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The Access Token Debugger, which shows the properties of a token and extends it to a long-lived one.
/// (Meta for Developers, "Access Token Debugger".)
struct AccessTokenDebugger {
    let visit: Visit

    static let path = "/tools/debug/accesstoken"

    /// Requires a login first, since the tools are for users with an account.
    static func login(_ visit: Visit, to target: String) async throws -> Response {
        if try visit.query().value("error") != nil {
            return FaultPage(status: .unauthorized, code: "access_denied", explanation: "Sign in to use the tools.")
                .shown(in: visit)
        }
        return try await PageLogin(visit: visit).signIn.begin(PageLogin.parameters(for: target))
    }

    func show() async throws -> Response {
        let query = try visit.query()
        let token = query.value("access_token") ?? query.value("q")
        guard let session = try BrowserSession(of: visit) else {
            let target: FormFields = token.map { ["access_token": $0] } ?? [:]
            return try await Self.login(visit, to: token == nil ? Self.path : "\(Self.path)?\(target.encoded)")
        }
        try await visit.enter("DebugAccessToken")
        return try await page(token, session)
    }

    /// Handles the button "Extend Access Token".
    func extend() async throws -> Response {
        try await visit.enter("ExtendAccessToken")
        let fields = try await visit.form()
        guard let pending = try await PendingForm.take(fields["form"] ?? "", in: visit), pending.stage == .account,
            let session = pending.session, let token = pending.parameters.value("access_token")
        else { return FaultPage.expiredForm.shown(in: visit) }
        guard case .person(_, let approval) = try request.holder(of: token) else {
            throw GraphError(message: "(#100) Only tokens of people can be extended.", code: 100)
        }
        let longLived = try await visit.mint.accessToken(
            approval, lifetime: FacebookTokenEndpoint.longLifetime)
        return try await page(longLived, session, isExtended: true)
    }

    private var request: GraphRequest { GraphRequest(visit: visit, pathVersion: nil, parameters: [:]) }

    private func page(_ token: String?, _ session: BrowserSession, isExtended: Bool = false) async throws -> Response {
        visit.call.note(caller: session.person.name)
        var (table, extending, browser): (HTML, HTML, String?) = ("", "", nil)
        if let token {
            let data = try GraphDebugToken(request: request).data(of: token, viewer: nil)
            let rows = Self.rows(data).map { name, value -> HTML in "<li>\(name): <code data-name=\"\(name)\">\(value)</code></li>\n" }
            table = "<ul>\n\(rows)</ul>"
            if data["is_valid"] == true, data["type"] == "USER", data["issued_at"] == nil {
                let pending = PendingForm(stage: .account, parameters: ["access_token": token], session: session)
                let kept = try await pending.keep(for: nil, in: visit)
                browser = kept.browser
                extending = """
                    <form method="post" action="\(visit.basePath + Self.path)">
                    <input type="hidden" name="form" value="\(kept.form)">
                    <button class="primary" type="submit" name="action" value="extend">Extend Access Token</button>
                    </form>
                    """
            }
        }
        let heading: HTML = isExtended ? "<p>This token lives long:</p>" : ""
        var response = SignInPage(
            title: "Access Token Debugger",
            content: """
                <h1>Access Token Debugger</h1>
                \(heading)
                <form method="get" action="\(visit.basePath + Self.path)">
                <label for="access_token">Access token</label>
                <input id="access_token" name="access_token" value="\(token ?? "")" autocomplete="off" spellcheck="false" required>
                <button type="submit">Debug</button>
                </form>
                \(table)
                \(extending)
                """
        ).response(of: visit.provider)
        if let browser { response.headers.append(HTTPField(name: .setCookie, value: Cookie.browser.setting(browser, in: visit))) }
        return response
    }

    /// Returns the members of debug_token in a readable form, with the error in one line.
    private static func rows(_ data: JSONObject) -> [(String, String)] {
        data.members.map { name, value in
            switch value {
            case .array(let elements): (name, elements.compactMap(\.stringValue).joined(separator: ", "))
            case .object(let object): (name, object["message"]?.stringValue ?? value.serialized())
            case .integer(let seconds) where name.hasSuffix("_at"): (name, "\(seconds) (\(Timestamp(seconds: seconds).httpDate))")
            default: (name, value.stringValue ?? value.serialized())
            }
        }
    }
}
