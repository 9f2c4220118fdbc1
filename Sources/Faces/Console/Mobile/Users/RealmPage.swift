import Calls
import HTTPTypes
import WireFormats

/// *Users* of a realm: the list, *New User*, and an import of a file.
struct RealmPage: MobilePage {
    let site: MobileSite
    let key: String

    var title: String { "Users of \(key)" }
    var section: MobileSection { .users }
    var trail: [(title: String, path: String)] { [("Mobile User Management", MobileSection.users.path)] }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let realm = try await site.part("realms", key)
        let realms = await site.list("realms").compactMap(\.objectValue).map(\.versionedName)
        let users = realm["users"]?.arrayValue?.compactMap(\.objectValue) ?? []
        var new = MobileForm("new-user", on: self, draft)
        UserFields(properties: realm.texts("properties"), roles: await site.roles()).add(to: &new, [:], isNew: true)
        var file = MobileForm("import", on: self, draft)
        file.area(
            "file", "Users as comma-separated values", rows: 5,
            hint:
                "The first line is <code>First Name,Last Name,Email</code> and, optionally, <code>User Login,Password,Roles</code>. All users are added, or none.",
            isRequired: true)
        return """
            <p>Realm: \(realms.map { name -> HTML in
                name == key ? "<strong>\(Parts.value(name))</strong> " : "<a href=\"\(MobileRoom.path("users", name))\">\(Parts.value(name))</a> "
            }). Single sign-on: \(UserManagementPage.signOn(realm))</p>
            \(table("Users", ["User Name", "Name", "Email", "Roles", ""], users.map(row), empty: "<p>The realm has no user. Create one below.</p>"))
            <section class="card" aria-labelledby="new-title"><h2 id="new-title">New User</h2>
            \(new.html(button: "Create user"))</section>
            <details class="card fold"\(draft.form == "import" ? " open" : "")><summary>Import users</summary>
            \(file.html(button: "Import users", style: "", more: "<input type=\"file\" data-into=\"import-file\" aria-label=\"File with users\" accept=\".csv,text/csv\" hidden>"))</details>
            \(callsBehind([
                ("GET", "realms/\(percentEncoded(key))/users", nil), ("PUT", "realms/\(percentEncoded(key))/users/name", #"{"username":"name"}"#),
            ]))
            """
    }

    private func row(_ user: JSONObject) -> [HTML] {
        let name = user.string("username")
        return [
            "<a href=\"\(MobileRoom.path("users", key, name))\">\(Parts.value(name))</a>",
            Parts.value("\(user.string("firstName")) \(user.string("lastName"))"), Parts.value(user.string("email")),
            "\(user.texts("roles").map { role -> HTML in "<span class=\"tag\">\(Parts.value(role))</span>" })",
            button("Delete", do: "delete", [("user", name)], style: "small danger", confirm: "Delete this user?", hidden: name),
        ]
    }

    func perform(_ action: String) async throws -> String {
        let here = MobileRoom.path("users", key)
        switch action {
        case "new-user":
            let name = site.field("username").trimmed
            guard !name.isEmpty else { throw FormRefusal("username", "Enter a user name.") }
            let realm = try await site.part("realms", key)
            guard !(realm["users"]?.arrayValue ?? []).contains(where: { $0["username"]?.stringValue == name }) else {
                throw FormRefusal("username", "The realm has this user already.")
            }
            try await UserFields(properties: realm.texts("properties"), roles: []).save(site, [:], in: key)
            return "\(here)?done=created"
        case "delete":
            try await site.delete("realms/\(percentEncoded(key))/users", site.field("user"))
            return "\(here)?done=deleted"
        case "import":
            let answer = await site.visit.client.sendText(
                .post, "/mobile/realms/\(percentEncoded(key))/users", site.field("file"), "text/csv")
            if let refusal = answer.refusal { throw FormRefusal(refusal, lines: answer.json["lines"]?.arrayValue ?? []) }
            return "\(here)?done=created"
        default: throw ConsoleRefusal.noSuchAction
        }
    }
}

/// The fields of a user: the fixed ones, the realm's properties, and the roles.
struct UserFields {
    let properties: [String]
    let roles: [String]

    private static let fixed = [("email", "Email"), ("firstName", "First Name"), ("lastName", "Last Name")]

    /// - Parameter user: what is saved.
    func add(to form: inout MobileForm, _ user: JSONObject, isNew: Bool) {
        if isNew { form.text("username", "User Name", isRequired: true) }
        for (name, label) in Self.fixed {
            form.text(name, label, user.string(name), at: name)
        }
        form.text(
            "password", "Password", user.string("password"), hint: "Leave it empty for a user who logs in at an identity provider only.",
            type: "password")
        for (index, property) in properties.enumerated() {
            let value = user["properties"]?[property]
            form.text(
                "property-\(index)", property.visible, value?.stringValue ?? value?.serialized() ?? "", at: "properties.\(property)")
        }
        form.checks(
            "roles", "Roles", roles, user.texts("roles"),
            empty:
                "<p class=\"soft\">There is no role. Create one in <a href=\"\(MobileSection.users.path)#roles\">Mobile User Management</a>.</p>"
        )
    }

    /// Saves the user of the form that was sent.
    /// - Parameter before: what was saved; its ID and properties that are not texts stay.
    func save(_ site: MobileSite, _ before: JSONObject, in realm: String) async throws {
        var user: JSONObject = ["username": .string(before["username"]?.stringValue ?? site.field("username").trimmed)]
        user["id"] = before["id"]
        for name in Self.fixed.map(\.0) + ["password"] where !site.field(name).isEmpty { user[name] = .string(site.field(name)) }
        var values = before["properties"]?.objectValue ?? [:]
        for (index, property) in properties.enumerated() {
            let text = site.field("property-\(index)")
            let saved = values[property]
            // A value that is no text stays as it is, unless the field was changed.
            if let saved, saved.stringValue == nil, saved.serialized() == text { continue }
            values[property] = text.isEmpty ? nil : .string(text)
        }
        user["properties"] = .object(values)
        user["roles"] = .texts(site.visit.form.all(named: "roles"))
        do {
            try await site.put("realms/\(percentEncoded(realm))/users", user.string("username"), user)
        } catch let refusal as FormRefusal {
            // The rules name the user by its number in the realm: users[2].roles[0].
            throw FormRefusal(
                code: refusal.code,
                faults: refusal.faults.map { fault in
                    guard fault.place.hasPrefix("users["), let end = fault.place.firstRange(of: "].") else { return fault }
                    return .init(place: String(fault.place[end.upperBound...]), text: fault.text)
                })
        }
    }
}
