import Calls
import HTTPTypes
import WireFormats

/// A backend's *Settings*: *Access Keys*, *Environment URLs*, *Social Login* and the realm.
struct SettingsPage: BackendPage {
    let site: MobileSite
    let key: String

    var title: String { "\(key) Settings" }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let backend = try await site.part("backends", key)
        let realms = await site.list("realms").compactMap(\.objectValue)
        let realm = realms.first { $0.versionedName == backend.string("realm") }
        var realmForm = MobileForm("realm", on: self, draft)
        realmForm.select("realm", "Realm", realms.map { ($0.versionedName, $0.versionedName) }, backend.string("realm"))
        let keys = AccessKeys(page: self, backend: backend, draft: draft, hasSingleSignOn: realm?["signOn"] != nil)
        return """
            \(tabs)
            \(keys.html)
            \(urls(backend))
            \(SocialLoginSettings(page: self, backend: backend, draft: draft, apps: backend["facebook"] == nil ? await facebookApps() : []).html)
            <section class="card" aria-labelledby="realm-title"><h2 id="realm-title">Users</h2>
            <p>A backend has one realm. Its users log in to the app.</p>
            \(realmForm.html(button: "Save", style: ""))</section>
            \(needs(backend))
            \(callsBehind([
                ("GET", "backends/\(percentEncoded(key))", nil), ("PUT", "backends/\(percentEncoded(key))", "{…}"),
                ("POST", "backends/\(percentEncoded(key))/regenerate", #"{"keys":["clientSecret"]}"#),
            ]))
            """
    }

    private func urls(_ backend: JSONObject) -> HTML {
        let urls = backend["environmentURLs"]?.objectValue ?? [:]
        let items = [
            ("Base URL", "baseURL"), ("OAuth Token Endpoint", "oauthTokenEndpoint"), ("SSO Token Endpoint", "ssoTokenEndpoint"),
        ].compactMap { title, member -> HTML? in
            guard let url = urls[member]?.stringValue else { return nil }
            return "<h3>\(title)</h3>\(Parts.code(url, id: member, label: title))"
        }
        let missing: HTML =
            urls["ssoTokenEndpoint"] == nil
            ? "<p class=\"soft\">The SSO Token Endpoint appears here after <em>Enable Single Sign-On</em>.</p>" : ""
        return """
            <section class="card" aria-labelledby="urls"><h2 id="urls">Environment URLs</h2>
            \(items)\(missing)</section>

            """
    }

    /// What each way of logging in needs.
    private func needs(_ backend: JSONObject) -> HTML {
        let isFacebook = backend["facebook"]?.objectValue != nil
        let (basic, oauth, sso) = (backend.isOn("basic"), backend.isOn("oauth"), backend.isOn("sso"))
        let rows: [[HTML]] = [
            ("Exchange of SAML assertions", "HTTP Basic", basic && !isFacebook),
            ("Exchange of JWTs", "HTTP Basic and OAuth Consumer", basic && oauth && !isFacebook),
            ("Single sign-on in a browser", "OAuth Consumer and Enable Single Sign-On", oauth && sso && !isFacebook),
            ("Facebook login", "HTTP Basic and Facebook", basic && isFacebook),
        ].map { name, need, isOn in
            let state = isOn ? Outcome(kind: "good", sign: "✓", word: "works") : Outcome(kind: "bad", sign: "✗", word: "off")
            return ["\(name)", "\(need)", Parts.outcome(state)]
        }
        return """
            <section class="card" aria-labelledby="needs"><h2 id="needs">What each method needs</h2>
            \(table("What each method needs", ["Method", "Needs", "Here"], rows, empty: ""))</section>

            """
    }

    /// The apps of this cloud's Facebook: their IDs and names.
    private func facebookApps() async -> [(id: String, name: String)] {
        await site.providers().filter { $0["kind"]?.stringValue == "facebook" }.flatMap { $0["clients"]?.arrayValue ?? [] }.map {
            ($0["id"]?.stringValue ?? "", $0["name"]?.stringValue ?? "")
        }
    }

    func perform(_ action: String) async throws -> String {
        let here = MobileRoom.path("backends", key)
        switch action {
        case "switch":
            let name = site.field("switch")
            guard ["oauth", "basic"].contains(name) else { throw ConsoleRefusal.noSuchAction }
            try await change { $0[name] = .bool(!$0.isOn(name)) }
        case "sso": try await change { $0["sso"] = .bool(visit.form.first("sso") == "on") }
        case "realm": try await change { $0["realm"] = .string(site.field("realm")) }
        case "refresh", "revoke":
            let group = site.field("group")
            guard group == "oauth" || group == "basic" else { throw ConsoleRefusal.noSuchAction }
            let secret = group == "oauth" ? "clientSecret" : "anonymousKey"
            if action == "revoke" {
                try await change {
                    $0[group] = false
                    if group == "oauth" { $0["sso"] = false }
                }
            }
            try await site.change(.post, "backends/\(percentEncoded(key))/regenerate", ["keys": [.string(secret)]])
        case "facebook":
            let app = (site.field("appID").trimmed, site.field("appSecret").trimmed)
            if app.0.isEmpty { throw FormRefusal("facebook.appID", "Enter the app ID that Facebook gave the app.") }
            if app.1.isEmpty { throw FormRefusal("facebook.appSecret", "Enter the app secret that Facebook gave the app.") }
            try await change { $0["facebook"] = ["appID": .string(app.0), "appSecret": .string(app.1)] }
        case "facebook-off": try await change { $0["facebook"] = nil }
        default: throw ConsoleRefusal.noSuchAction
        }
        return "\(here)?done=saved"
    }
}
