import Calls
import WireFormats

/// The tab *Request* of the API tester: *Parameters* and *Authentication*.
struct TesterForm {
    let page: TesterPage
    let api: TestableAPI
    let index: Int
    let choice: TestChoice
    let test: APITest?
    /// The people for whom the page can get a token.
    let people: [JSONValue]
    /// The names of the users of the backend's realm.
    let users: [String]
    /// Whether the parameters are filled with the examples.
    let showsExamples: Bool

    private var endpoint: TestableAPI.Endpoint { api.endpoints[index] }
    private var backend: JSONObject { choice.backend ?? [:] }

    var html: HTML {
        """
        <form method="post" action="\(Visit.path(page.visit.path))\(page.backendQuery)" id="request" class="card" aria-labelledby="request-title">\(page.visit.formToken)\
        <input type="hidden" name="endpoint" value="\(String(index))">
        <div class="head"><h2 id="request-title">Request</h2><button class="primary" name="do" value="test">Test Endpoint</button></div>
        <p><strong>\(Parts.value(endpoint.method))</strong> <code>\(Parts.value(page.visit.place.services + api.base + endpoint.path, limit: 1_000))</code></p>
        <p class="soft">\(endpoint.description)\(roles)</p>
        \(summary)
        \(parameters)
        \(authentication)
        <p><button class="primary" name="do" value="test">Test Endpoint</button></p></form>

        """
    }

    private var roles: HTML {
        endpoint.roles.isEmpty
            ? "" : " Needs one of the roles \(endpoint.roles.map { role -> HTML in "<span class=\"tag\">\(Parts.value(role))</span>" })"
    }

    /// The link to the page on which a fault can be corrected.
    private func correction(_ place: String) -> HTML {
        guard let page = test?.refusal?.faults.first(where: { $0.place == place })?.page else { return "" }
        return "<p><a href=\"\(page.path)\">\(page.title.visible)</a></p>"
    }

    private func fault(_ place: String) -> String? { test?.refusal?.faults.first { $0.place == place }?.text }

    private var summary: HTML {
        guard let refusal = test?.refusal else { return "" }
        let ids = ["method": "method-basic", "token": "token", "backend": "backend", "username": "username"]
        let items = refusal.faults.map { fault -> HTML in
            guard let id = ids[fault.place] else { return "<li>\(Parts.value(fault.text, limit: 2_000))</li>" }
            let target = id == "method-basic" ? "methods" : id
            return "<li><a href=\"#\(target)\">\(Parts.value(fault.text, limit: 2_000))</a></li>"
        }
        return """
            <section class="error" role="alert" tabindex="-1" data-focus aria-labelledby="test-faults"><h3 id="test-faults">✗ The request was not sent</h3>
            <ul>\(items)</ul></section>

            """
    }

    // MARK: Parameters

    private var parameters: HTML {
        var rows: [HTML] = endpoint.parameters.map { name in
            row(
                name == "*" ? "rest of the path" : name, "parameter-\(name)", "Part of the path", example: name == "*" ? "" : "1")
        }
        let query = endpoint.query.map { "\($0)=example" }.joined(separator: "&")
        rows.append(row("query", "query", "Parameters after the question mark", example: query))
        if endpoint.method == "*" { rows.append(row("method", "verb", "The HTTP method", example: "GET")) }
        if endpoint.method == "*" || endpoint.takesBody(endpoint.method) { rows.append(body) }
        let link =
            "\(MobileRoom.path("apis", page.key, "test"))?endpoint=\(String(index))&example=1"
            + (test.map { "&test=\(percentEncoded($0.id))" } ?? "")
        let backend = page.visit.query.first("backend").map { "&backend=\(percentEncoded($0))" } ?? ""
        return """
            <div class="head"><h3>Parameters</h3><a class="button small" href="\(link)\(backend)">Use Example</a></div>
            <div class="scroll" tabindex="0" role="region" aria-label="Parameters"><table class="stacked"><thead><tr><th scope="col">Parameter</th>\
            <th scope="col">Description</th><th scope="col">Example</th><th scope="col">Test</th></tr></thead><tbody>
            \(rows)</tbody></table></div>

            """
    }

    /// What a parameter's field shows.
    private func value(_ field: String, _ example: String) -> String {
        showsExamples && !example.isEmpty ? example : choice.fields.first(field) ?? ""
    }

    private func row(_ name: String, _ field: String, _ description: String, example: String) -> HTML {
        """
        <tr><th scope="row"><label for="\(field)">\(name.visible)</label></th><td data-head="Description">\(description)</td>\
        <td data-head="Example"><code>\(Parts.value(example))</code></td>\
        <td data-head="Test"><input id="\(field)" name="\(field)" value="\(value(field, example))" autocomplete="off" spellcheck="false"></td></tr>

        """
    }

    private var body: HTML {
        let example = endpoint.bodyExample ?? "{}"
        return """
            <tr><th scope="row"><label for="body">Body</label></th><td data-head="Description">Sent as JSON</td>\
            <td data-head="Example"><code>\(Parts.value(example))</code></td>\
            <td data-head="Test"><textarea id="body" name="body" rows="4" spellcheck="false">
            \(value("body", example))</textarea></td></tr>

            """
    }

    // MARK: Authentication

    private var authentication: HTML {
        let names = choice.backends.map { $0.string("name") }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        let versions = choice.backends.filter { $0.string("name") == backend.string("name") }.map { $0.string("version") }
        func options(_ values: [String], _ chosen: String) -> [HTML] {
            values.map { value in "<option value=\"\(value)\"\(value == chosen ? " selected" : "")>\(value.visible)</option>" }
        }
        return """
            <h3>Authentication</h3>
            <div class="fields">
            <div><label for="backend">Mobile Backend</label><select id="backend" name="backend" data-apply="choose">\(options(names, backend.string("name")))</select></div>
            <div><label for="version">Version</label><select id="version" name="version" data-apply="choose">\(options(versions, backend.string("version")))</select></div>
            <fieldset class="full" id="methods"><legend>Authentication Method</legend>\(methods)</fieldset>
            <div class="full"><button class="small" id="choose" name="do" value="choose">Show the fields of this choice</button></div>
            \(credentials)</div>

            """
    }

    /// The methods that are switched on can be chosen; the others say why not.
    private var methods: HTML {
        let items = AuthenticationMethod.allCases.map { method -> HTML in
            if let obstacle = method.obstacle(backend) {
                // Facebook is nothing that every backend could have.
                return method == .facebook ? "" : "<p class=\"soft\">✗ \(obstacle)</p>"
            }
            return """
                <label class="choice"><input type="radio" id="method-\(method.rawValue)" name="method" value="\(method.rawValue)" data-apply="choose"\
                \(method == choice.method ? " checked" : "")> \(method.title)</label>

                """
        }
        let settings: HTML =
            "<p><a href=\"\(MobileRoom.path("backends", backend.versionedName))\">Settings of \(Parts.value(backend.versionedName))</a></p>"
        let fault: HTML = fault("method").map { "<p class=\"bad\">✗ \(Parts.value($0))</p>" } ?? ""
        return "\(items)\(fault)\(settings)"
    }

    private var credentials: HTML {
        guard choice.method.obstacle(backend) == nil else { return "" }
        switch choice.method {
        case .basic: return userAndPassword("Leave both empty to send the anonymous key.")
        case .oauth: return userAndPassword("Leave both empty for a token of the app itself (client credentials).")
        case .sso:
            let endpoint = backend["environmentURLs"]?["ssoTokenEndpoint"]?.stringValue ?? ""
            let url = "\(endpoint)?clientID=\(percentEncoded(backend.string("clientID")))"
            return token(
                "Single Sign-On Token",
                """
                <details class="fold"><summary>Where do I get a token?</summary>
                <p>Press <em>Get a token</em>. Or do it by hand, as in the service: open the token endpoint in a private window, log in, and copy the token.</p>
                \(Parts.code(url, id: "endpoint-url", label: "token endpoint URL"))
                <p>The field also takes a token of a third party: a JWT, a SAML response or an assertion. It is exchanged first.</p></details>

                """)
        case .facebook: return token("Facebook user access token", "")
        }
    }

    private var knownUsers: HTML {
        let path = MobileSection.users.path
        guard !users.isEmpty else { return "This backend has no user: add one in <a href=\"\(path)\">Mobile User Management</a>." }
        let names = users.prefix(12).joined(separator: ", ") + (users.count > 12 ? ", …" : "")
        return "Users of this backend: \(Parts.value(names, limit: 1_000)) (<a href=\"\(path)\">Mobile User Management</a>)."
    }

    private func userAndPassword(_ hint: String) -> HTML {
        let fault: HTML = fault("username").map { "<p class=\"bad\" id=\"username-fault\">✗ \(Parts.value($0, limit: 1_000))</p>" } ?? ""
        return """
            <div><label for="username">User Name</label><input id="username" name="username" value="\(choice.value("username"))" autocomplete="off" \
            spellcheck="false" aria-describedby="user-hint"></div>
            <div><label for="password">Password</label><input id="password" name="password" type="password" value="\(choice.value("password"))" autocomplete="off"></div>
            <p class="soft full" id="user-hint">\(hint) \(knownUsers)</p>\(fault)

            """
    }

    private func token(_ label: String, _ help: HTML) -> HTML {
        let options = people.compactMap { person -> HTML? in
            guard let name = person["name"]?.stringValue else { return nil }
            let shown = person["claims"]?["name"]?.stringValue ?? name
            return
                "<option value=\"\(name)\"\(name == choice.value("person") ? " selected" : "")>\(String(shown.prefix(80)).visible)</option>"
        }
        let get: HTML =
            options.isEmpty
            ? "<p class=\"soft full\">The page cannot log in here, because the identity provider is not one of this cloud's.</p>"
            : """
            <div class="full row"><label for="person">Log in as</label><select id="person" name="person">\(options)</select>
            <button name="do" value="token">Get a token</button></div>
            """
        let fault: HTML =
            fault("token").map { "<p class=\"bad\" id=\"token-fault\">✗ \(Parts.value($0, limit: 1_000))</p>\(correction("token"))" } ?? ""
        return """
            <div class="full"><label for="token">\(label)</label>
            <textarea id="token" name="token" rows="3" spellcheck="false" autocomplete="off">
            \(choice.fields.first("token") ?? "")</textarea>\(fault)
            \(help)</div>
            \(get)

            """
    }
}
