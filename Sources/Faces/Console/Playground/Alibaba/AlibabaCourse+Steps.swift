import Calls
import WireFormats

extension AlibabaCourse {
    func steps(of page: WalkPage) async throws -> HTML {
        switch method {
        case .appServer: return "\(appServerLogin(page))\(fileStep(page, number: 2))"
        case .selfSigned: return "\(signing(page))\(fileStep(page, number: 2))"
        case .assumeRole, .oidc:
            let isTrusting: @Sendable (String) -> Bool = { [self] in self.isTrusting($0) }
            let (roles, role) = try await page.roles(isTrusting)
            var assume = AssumeStep(
                page: page, roles: roles, role: role, explanation: explanation, tokenParameter: method == .oidc ? "OIDCToken" : nil,
                isTrusting: isTrusting)
            if method == .oidc, page.walk.token == nil { assume.missing = "Needs the ID token of step 1." }
            assume.fields = AssumeStep.field("session", label: "RoleSessionName", value: page.walk.order.sessionName)
            return "\(method == .oidc ? idToken(page) : ramUser(page))\(assume.html)\(fileStep(page, number: 3, role: role))"
        }
    }

    private var explanation: HTML {
        method == .oidc
            ? "Anyone with an ID token that the role's trust policy accepts may call <code>AssumeRoleWithOIDC</code>. The call is not signed."
            : "A RAM user whose policies allow <code>sts:AssumeRole</code> may call it for a role that trusts the account. The call is signed (RPC)."
    }

    private func step(_ title: HTML, _ content: HTML) -> HTML {
        """
        <section class="step" id="step-1" aria-labelledby="step-1-title">
        <h2 id="step-1-title"><span aria-hidden="true">1</span> \(title)</h2>
        \(content)
        </section>

        """
    }

    private func appServerLogin(_ page: WalkPage) -> HTML {
        let walk = page.walk
        let outcome: HTML =
            if let credentials = walk.credentials {
                "<div class=\"result good-line\">\(CredentialsView(page: page, credentials: credentials).html)</div>"
            } else {
                walk.login.first.map { page.refusal($0) } ?? "<p>Not logged in yet.</p>"
            }
        let person = account.appServer?.people.first { $0.name == walk.person } ?? account.appServer?.people.first
        return step(
            "Log in to the app server",
            """
            <p>The app has no keys. Its server knows who is logged in, calls <code>AssumeRole</code>, and returns credentials for one folder.</p>
            \(outcome)
            \(walk.login.enumerated().map { page.exchange($1, id: "login-\($0)") })
            <form method="post" action="\(page.action("login"))">\(page.visit.formToken)<div class="fields">
            \(AssumeStep.field("person", label: "User", value: person?.name ?? ""))\
            \(AssumeStep.field("password", label: "Password", value: person?.password ?? ""))</div>
            <p><button class="primary">Log in</button></p></form>

            """)
    }

    private func ramUser(_ page: WalkPage) -> HTML {
        let options = account.users.map { user -> HTML in
            "<option value=\"\(user.name)\"\(user.name == self.user ? " selected" : "")>\(user.name.visible)</option>"
        }
        return step(
            "Choose the RAM user who calls STS",
            """
            <form method="post" action="\(page.action("login"))" class="row">\(page.visit.formToken)
            <label for="user">RAM user</label><select id="user" name="user">\(options)</select>
            <label for="person">for</label><input id="person" name="person" value="\(page.walk.person ?? "")">
            <button>Choose</button></form>

            """)
    }

    private func idToken(_ page: WalkPage) -> HTML {
        let walk = page.walk
        let outcome: HTML =
            walk.token.map { token -> HTML in
                "<p><strong class=\"good\">✓ \(Parts.value(walk.person ?? ""))</strong> has an <code>\(token.kind)</code>, which \(page.countdown(token.expires, since: token.received)).</p>\n"
            } ?? "<p>Not logged in yet.</p>"
        let link = provider.flatMap { provider in page.room.loginURL(of: walk.id, at: provider, for: .alibaba) }.map { url -> HTML in
            "<a class=\"button\" href=\"\(url)\">Log in again with \(Parts.value(provider?.title ?? ""))</a>"
        }
        return step(
            "Log in with the identity provider",
            """
            \(outcome)
            \(RedirectView(walk: walk).html)
            \(walk.login.enumerated().map { page.exchange($1, id: "login-\($0)") })
            \(walk.token.map { TokenView(token: $0).html } ?? "")
            <div class="row">\(link ?? "")
            <form method="post" action="\(page.action("login"))" class="row">\(page.visit.formToken)
            <label for="person">or without the login page as</label><select id="person" name="person">\(provider?.options(selected: walk.person) ?? "")</select>
            <button>Issue a token</button></form></div>

            """)
    }

    private func signing(_ page: WalkPage) -> HTML {
        let walk = page.walk
        return step(
            "The app server signs",
            """
            <p>The app sends each string to sign to <code>/sign</code>, and gets the header <code>Authorization</code>. It needs no credentials. \
            The server may refuse to sign, but OSS sees the server's own key.</p>
            \(walk.login.last.map { page.refusal($0) } ?? "")
            \(walk.login.enumerated().map { page.exchange($1, id: "login-\($0)") })

            """)
    }

    private func fileStep(_ page: WalkPage, number: Int, role: WalkRole? = nil) -> HTML {
        let walk = page.walk
        let versions = [WalkStorage.ossV4, .ossV1].map { version -> HTML in
            "<option value=\"\(version.rawValue)\"\(version == walk.files.store ? " selected" : "")>\(version == .ossV1 ? "Version 1" : "Version 4")</option>"
        }
        let choice: HTML =
            method == .selfSigned || walk.credentials == nil
            ? ""
            : """
            <form method="post" action="\(page.action("signature"))" class="row">\(page.visit.formToken)
            <label for="signature">Sign requests to OSS with</label><select id="signature" name="signature">\(versions)</select>
            <button class="small">Use</button></form>

            """
        return FileStep(page: page, number: number, role: role, head: choice).html
    }

    func perform(_ action: String, by actions: WalkActions, in walk: inout Walk) async throws -> String? {
        switch action {
        case "login":
            var course = self
            if !actions.field("user").isEmpty { course.user = actions.field("user") }
            walk.course = course
            let password = method == .appServer ? actions.field("password") : nil
            try await course.logIn(actions.field("person"), password: password, by: actions, in: &walk)
            return "#step-1"
        case "signature":
            if let store = WalkStorage(rawValue: actions.field("signature")), store != .s3 { walk.files.store = store }
            return "#step-3"
        case "assume":
            let token = actions.readOrder(in: &walk)
            let exchange = try await assumeRole(walk.order, token: token, by: actions)
            walk.assumption = exchange
            guard let credentials = credentials(in: exchange, actions) else { return "#step-2" }
            walk.credentials = credentials
            try await actions.browse(&walk)
            return "#step-3"
        default: return nil
        }
    }
}
