import Calls
import HTTPTypes
import WireFormats

extension MobileCourse {
    func steps(of page: WalkPage) async throws -> HTML {
        let walk = page.walk
        let obstacle: HTML =
            backend.obstacle(to: method).map { text -> HTML in
                """
                <div class="error" role="note"><p><strong>The method is off at \(Parts.value(backend.name)).</strong> \(text)</p>
                <p><a href="\(MobileRoom.path("backends", backend.key))">Settings of \(Parts.value(backend.key))</a></p></div>

                """
            } ?? ""
        let isReady = stations.hasToken ? walk.token != nil : walk.person != nil
        return """
            <section class="step" id="step-1" aria-labelledby="step-1-title">
            <h2 id="step-1-title"><span aria-hidden="true">1</span> Authenticate: \(method.title)</h2>
            <p>\(method.explanation)</p>
            \(obstacle)\(outcome(page))
            \(walk.login.enumerated().map { page.exchange($1, id: "login-\($0)") })
            \(walk.token.map { TokenView(token: $0).html } ?? "")
            \(form(page))
            </section>
            \(profile(page, isReady))
            \(custom(page, isReady))
            """
    }

    private func outcome(_ page: WalkPage) -> HTML {
        let walk = page.walk
        if let failed = walk.login.last, !failed.isSuccess { return page.refusal(failed) }
        guard let person = walk.person else { return "<p>Not logged in yet.</p>" }
        guard let token = walk.token else {
            return "<p><strong class=\"good\">✓ \(Parts.value(person))</strong> needs no token: each request has the password.</p>\n"
        }
        return
            "<p><strong class=\"good\">✓ \(Parts.value(person))</strong> has a token, which \(page.countdown(token.expires, since: token.received)).</p>\n"
    }

    private func form(_ page: WalkPage) -> HTML {
        let primary: HTML = backend.obstacle(to: method) == nil ? " class=\"primary\"" : ""
        let start: HTML = "<form method=\"post\" action=\"\(page.action("login"))\">\(page.visit.formToken)"
        switch method {
        case .basic, .oauth:
            return """
                \(start)<div class="fields">\(AssumeStep.field("person", label: "User name", value: login.name))\
                \(AssumeStep.field("password", label: "Password", value: login.password))</div>
                <p><button\(primary)>Log in</button></p></form>

                """
        case .sso:
            let url = "\(page.visit.place.services)/mobile/platform/sso/token?clientID=\(percentEncoded(backend.clientID))"
            return """
                <p><a class="button\(primary.text.isEmpty ? "" : " primary")" href="\(url)" target="_blank" rel="noopener">Open the token page</a></p>
                <p class="soft">It opens in another tab. Log in there, copy the token, and paste it below.</p>
                \(start)<label for="token">Token</label><textarea id="token" name="token" rows="4" spellcheck="false"></textarea>
                <p><button>Use this token</button></p></form>

                """
        case .saml, .jwt, .facebook:
            let register: HTML =
                method == .saml
                ? """
                <form method="post" action="\(page.action("register"))" class="row">\(page.visit.formToken)<button>Register this address</button>
                <span class="soft">The assertion is for the URL of the exchange. The identity provider must know this server under its address.</span></form>

                """ : ""
            return """
                \(start)<div class="fields"><div><label for="person">Person</label><select id="person" name="person">\(provider?.options(selected: user) ?? "")</select></div></div>
                <p><button\(primary)>\(method == .facebook ? "Get Facebook's token" : "Get and exchange a token")</button></p></form>
                \(register)
                """
        }
    }

    private func profile(_ page: WalkPage, _ isReady: Bool) -> HTML {
        let walk = page.walk
        let title: HTML = "<span aria-hidden=\"true\">2</span> <span>Call the platform: <code>users/~</code></span>"
        guard isReady else { return Self.waiting(2, title) }
        return """
            <section class="step" id="step-2" aria-labelledby="step-2-title"><h2 id="step-2-title">\(title)</h2>
            <p>The users API says who the caller is.</p>
            <form method="post" action="\(page.action("profile"))">\(page.visit.formToken)<button class="primary">Call users/~</button></form>
            \(walk.assumption.map { Self.answer($0, id: "profile", page) } ?? "")
            </section>

            """
    }

    private func custom(_ page: WalkPage, _ isReady: Bool) -> HTML {
        let title: HTML = "<span aria-hidden=\"true\">3</span> Call a custom API"
        guard isReady else { return Self.waiting(3, title) }
        // Those that the caller may call come first.
        let fitting = backend.apis.filter { ($0.access == "social") == (method == .facebook) }
        let sorted =
            fitting.filter { !$0.hasRoles } + fitting.filter(\.hasRoles) + backend.apis.filter { !fitting.contains($0) }
        let options = sorted.map { api -> HTML in
            "<option value=\"\(api.path)\">\(api.path.visible) (\(api.access.visible)\(api.hasRoles ? ", for some roles" : ""))</option>"
        }
        let form: HTML =
            options.isEmpty
            ? "<p class=\"empty\">The backend offers no custom API. Add names to the member <code>apis</code> of the backend.</p>"
            : """
            <form method="post" action="\(page.action("call"))" class="row">\(page.visit.formToken)
            <label for="path">API</label><select id="path" name="path">\(options)</select><button class="primary">Call the API</button></form>
            """
        return """
            <section class="step" id="step-3" aria-labelledby="step-3-title"><h2 id="step-3-title">\(title)</h2>
            \(form)
            <div id="result">\(page.walk.access.map { Self.answer($0, id: "access", page) } ?? "")</div>
            </section>

            """
    }

    private static func waiting(_ number: Int, _ title: HTML) -> HTML {
        """
        <section class="step waiting" id="step-\(String(number))"><h2>\(title)</h2><p class="soft">Needs the login of step 1.</p></section>

        """
    }

    private static func answer(_ exchange: Exchange, id: String, _ page: WalkPage) -> HTML {
        let content: HTML =
            exchange.isSuccess
            ? """
            <p><strong class="good">✓ \(Parts.name(exchange.title))</strong> (\(String(exchange.status)))</p>
            \(exchange.text.isEmpty ? "" : Parts.code(Layout.indented(exchange.text), id: "\(id)-content", label: "the answer"))
            """ : page.refusal(exchange)
        return """
            <div class="result \(exchange.isSuccess ? "good" : "bad")-line">\(content)\(page.exchange(exchange, id: id))</div>

            """
    }

    func perform(_ action: String, by actions: WalkActions, in walk: inout Walk) async throws -> String? {
        switch action {
        case "login":
            var course = self
            let person = actions.field("person")
            switch method {
            case .basic, .oauth: course.login = (person, actions.field("password"))
            case .sso: break
            default: course.user = person
            }
            walk.course = course
            try await course.logIn(by: actions, in: &walk)
            return "#step-1"
        case "register":
            try await register(by: actions)
            return "?done=saved#step-1"
        case "profile":
            walk.assumption = try await call("Call users/~", Self.profilePath, by: actions, in: walk)
            return "#step-2"
        case "call":
            let path = actions.field("path")
            guard backend.apis.contains(where: { $0.path == path }) else {
                throw ConsoleRefusal(code: "not_found", message: "The backend has no such API.", status: .notFound)
            }
            walk.access = try await call("Call \(path)", path, by: actions, in: walk)
            return "#result"
        default: return nil
        }
    }
}
