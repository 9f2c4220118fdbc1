import Calls
import HTTPTypes
import WireFormats

/// *Mobile User Management*: *Realms* and *Roles*. The users of a realm have a page of their own.
struct UserManagementPage: MobilePage {
    let site: MobileSite
    let title = "Mobile User Management"
    let section = MobileSection.users

    func content(_ draft: MobileDraft) async throws -> HTML {
        let realms = await site.list("realms").compactMap(\.objectValue)
        let roles = await site.roles()
        let rows = realms.map { realm -> [HTML] in
            let key = realm.versionedName
            let users = realm["users"]?.arrayValue?.count ?? 0
            return [
                "<a href=\"\(MobileRoom.path("users", key))\">\(Parts.value(key))</a>", "\(String(users))",
                "\(realm.texts("properties").map { name -> HTML in "<span class=\"tag\">\(Parts.value(name))</span>" })",
                Self.signOn(realm),
                button(
                    "Delete", do: "delete-realm", [("key", key)], style: "small danger", confirm: "Delete this realm and its users?",
                    hidden: key),
            ]
        }
        return """
            <h2 id="realms">Realms</h2>
            <p class="soft">A realm is a set of users with their properties. A backend has one realm.</p>
            \(refusal("delete-realm", draft))
            \(table("Realms", ["Realm", "Users", "Properties", "Single sign-on", ""], rows, empty: "<p>There is no realm. Create one below.</p>"))
            \(newRealm(draft))
            <h2 id="roles">Roles</h2>
            <p class="soft">APIs and collections ask for roles. Users and tokens have them.</p>
            \(refusal("delete-role", draft))
            \(table("Roles", ["Role", ""], roles.map(roleRow), empty: "<p>There is no role. Create one below.</p>"))
            \(newRole(draft))
            \(callsBehind([("GET", "realms", nil), ("PUT", "realms/Name%281.0%29", #"{"name":"Name","version":"1.0"}"#), ("PUT", "roles", #"{"roles":["Technician"]}"#)]))
            """
    }

    private func refusal(_ action: String, _ draft: MobileDraft) -> HTML {
        guard let refusal = draft.refusal(of: action) else { return "" }
        return """
            <section class="error" role="alert" tabindex="-1" data-focus><p><strong>✗ Nothing was deleted</strong></p>
            <p>\(Parts.value(refusal.message, limit: 1_000))</p><p class="soft">Something still refers to it. Code: <code>\(refusal.code.visible)</code></p></section>

            """
    }

    /// Where browsers log in.
    static func signOn(_ realm: JSONObject) -> HTML {
        if let saml = realm["signOn"]?["saml"] {
            return "SAML \(Parts.value(saml["identityProvider"]?.stringValue ?? "external"))"
        }
        if let client = realm["signOn"]?["openIDConnect"] { return "OpenID Connect \(Parts.value(client["issuer"]?.stringValue ?? ""))" }
        return "<span class=\"soft\">not set up</span>"
    }

    private func roleRow(_ role: String) -> [HTML] {
        [
            Parts.value(role),
            button("Delete", do: "delete-role", [("role", role)], style: "small danger", confirm: "Delete this role?", hidden: role),
        ]
    }

    private func newRealm(_ draft: MobileDraft) -> HTML {
        var form = MobileForm("new-realm", on: self, draft)
        form.text("name", "Name", isRequired: true)
        form.text("version", "Version", "1.0", isRequired: true)
        form.text(
            "properties", "Properties", hint: "Further properties of users, such as <code>station, phone</code>. Separate them by commas.")
        return
            "<section class=\"card\" aria-labelledby=\"new-realm-title\"><h3 id=\"new-realm-title\">New Realm</h3>\n\(form.html(button: "Create realm"))</section>\n"
    }

    private func newRole(_ draft: MobileDraft) -> HTML {
        var form = MobileForm("new-role", on: self, draft)
        form.text("role", "Name", isRequired: true)
        return
            "<section class=\"card\" aria-labelledby=\"new-role-title\"><h3 id=\"new-role-title\">New Role</h3>\n\(form.html(button: "Create role"))</section>\n"
    }

    func perform(_ action: String) async throws -> String {
        let here = MobileSection.users.path
        switch action {
        case "new-realm":
            let realm: JSONObject = [
                "name": .string(site.field("name").trimmed), "version": .string(site.field("version").trimmed),
                "properties": .texts(site.field("properties").listed),
            ]
            guard !(await site.list("realms")).contains(where: { $0.objectValue?.versionedName == realm.versionedName }) else {
                throw FormRefusal("name", "\(realm.versionedName) exists already. Choose another name or version.")
            }
            try await site.put("realms", realm.versionedName, realm)
            return MobileRoom.path("users", realm.versionedName) + "?done=created"
        case "delete-realm":
            try await site.delete("realms", site.field("key"))
            return "\(here)?done=deleted"
        case "new-role":
            let role = site.field("role").trimmed
            let roles = await site.roles()
            guard !role.isEmpty else { throw FormRefusal("role", "Enter a name.") }
            guard !roles.contains(role) else { throw FormRefusal("role", "The role exists already.") }
            try await site.change(.put, "roles", ["roles": .texts(roles + [role])])
            return "\(here)?done=created#roles"
        case "delete-role":
            try await site.change(.put, "roles", ["roles": .texts(await site.roles().filter { $0 != site.field("role") })])
            return "\(here)?done=deleted#roles"
        default: throw ConsoleRefusal.noSuchAction
        }
    }
}
