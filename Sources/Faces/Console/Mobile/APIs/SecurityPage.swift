import Calls
import WireFormats

/// *API Designer › Security*: *Login Required*, *Social Login*, and roles for the API and for each endpoint.
struct SecurityPage: MobilePage {
    let site: MobileSite
    let key: String

    var title: String { "\(key) Security" }
    var section: MobileSection { .apis }
    var trail: [(title: String, path: String)] { [("APIs", MobileSection.apis.path)] }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let api = try await site.part("apis", key)
        let security = APISecurity(api)
        let endpoints = api["endpoints"]?.arrayValue?.compactMap(\.objectValue) ?? []
        let roles = await site.roles()
        var document = MobileForm("document", on: self, draft)
        document.area("document", "The API's document", JSONValue.object(api).serialized(pretty: true), rows: 16)
        return """
            <p><a class="button primary" href="\(MobileRoom.path("apis", key, "test"))">Test</a></p>
            <section class="card" aria-labelledby="security"><h2 id="security">Security</h2>
            \(refusal(draft))
            <div class="row">\(toggle("login", "Login Required", security.isLoginRequired))\
            \(security.isLoginRequired ? toggle("social", "Social Login", security.isSocial) : "")</div>
            \(explanation(security))</section>
            \(security.isLoginRequired && !security.isSocial ? roleForms(api, endpoints, roles, draft) : endpointTable(endpoints))
            <details class="card fold"\(draft.form == "document" ? " open" : "")><summary>The API's document</summary>
            <p>Name, endpoints and their answers, as in a seed.</p>
            \(document.html(button: "Save the document", style: ""))</details>
            \(callsBehind([("GET", "apis/\(percentEncoded(key))", nil), ("PUT", "apis/\(percentEncoded(key))", "{…}")]))
            """
    }

    private func refusal(_ draft: MobileDraft) -> HTML {
        guard let refusal = draft.refusal(of: "switch") else { return "" }
        return "<section class=\"error\" role=\"alert\" tabindex=\"-1\" data-focus><p>✗ \(Parts.value(refusal.message))</p></section>\n"
    }

    private func toggle(_ name: String, _ title: String, _ isOn: Bool) -> HTML {
        """
        <form method="post" action="\(Visit.path(visit.path))">\(visit.formToken)<input type="hidden" name="do" value="switch">\
        <input type="hidden" name="switch" value="\(name)">\
        <button role="switch" aria-checked="\(isOn ? "true" : "false")" class="switch">\(title) \(isOn ? "ON" : "OFF")</button></form>
        """
    }

    private func explanation(_ security: APISecurity) -> HTML {
        if !security.isLoginRequired { return "<p>Every app may call the API, with the anonymous key too. No roles apply.</p>" }
        if security.isSocial {
            return "<p>Only users who log in with Facebook may call the API. No other login works, and no roles apply.</p>"
        }
        return
            "<p>Users who log in with the company's login or an account of the realm may call the API. Without a role below, every login is enough.</p>"
    }

    private func roleForms(_ api: JSONObject, _ endpoints: [JSONObject], _ roles: [String], _ draft: MobileDraft) -> HTML {
        var form = MobileForm("roles", on: self, draft)
        let empty: HTML =
            "<p class=\"soft\">There is no role. Create one in <a href=\"\(MobileSection.users.path)\">Mobile User Management</a>.</p>"
        form.checks("roles", "Roles of the API", roles, api.texts("roles"), empty: empty)
        for (index, endpoint) in endpoints.enumerated() {
            form.checks(
                "endpoint-\(index)", "\(endpoint.string("method")) \(endpoint.string("path").visible)", roles, endpoint.texts("roles"),
                at: "endpoints[\(index)].roles", empty: empty)
        }
        return """
            <section class="card" aria-labelledby="roles-title"><h2 id="roles-title">Roles</h2>
            <p>A caller needs one of the roles. Roles of an endpoint replace those of the API.</p>
            \(form.html(button: "Save roles"))</section>

            """
    }

    private func endpointTable(_ endpoints: [JSONObject]) -> HTML {
        table(
            "Endpoints", ["Endpoint", "Method"],
            endpoints.map { ["<code>\(Parts.value($0.string("path")))</code>", "\(Parts.value($0.string("method")))"] },
            empty: "<p>The API has no endpoint. Add one to its document.</p>")
    }

    func perform(_ action: String) async throws -> String {
        var api = try await site.part("apis", key)
        let security = APISecurity(api)
        let generation = site.info.generation
        switch action {
        case "switch":
            switch site.field("switch") {
            case "login" where security.isLoginRequired:
                // Switching it on again restores the roles.
                site.memory.keep(document: .object(api), of: key, generation: generation)
                api = security.document(access: "open")
            case "login":
                let before = site.memory.takeDocument(of: key, generation: generation)?.objectValue
                // Other changes since then are kept.
                api =
                    before.map {
                        APISecurity($0).document(access: "open") == security.document(access: "open")
                            ? $0 : security.document(access: "enterprise")
                    }
                    ?? security.document(access: "enterprise")
            case "social": api = security.document(access: security.isSocial ? "enterprise" : "social")
            default: throw ConsoleRefusal.noSuchAction
            }
        case "roles":
            api["roles"] = .texts(visit.form.all(named: "roles"))
            let endpoints = (api["endpoints"]?.arrayValue ?? []).enumerated().map { index, endpoint -> JSONValue in
                var endpoint = endpoint.objectValue ?? [:]
                endpoint["roles"] = .texts(visit.form.all(named: "endpoint-\(index)"))
                return .object(endpoint)
            }
            api["endpoints"] = .array(endpoints)
        case "document":
            guard let document = (try? JSONValue(parsing: site.field("document")))?.objectValue else {
                throw FormRefusal("document", "Enter a JSON object.")
            }
            api = document
        default: throw ConsoleRefusal.noSuchAction
        }
        try await site.put("apis", key, api)
        return MobileRoom.path("apis", key) + "?done=saved"
    }
}
