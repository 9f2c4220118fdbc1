import Calls
import WireFormats

/// A user of a realm: the properties and the roles.
struct UserPage: MobilePage {
    let site: MobileSite
    let realm: String
    let name: String

    var title: String { name }
    var section: MobileSection { .users }
    var trail: [(title: String, path: String)] {
        [("Mobile User Management", MobileSection.users.path), ("Users of \(realm)", MobileRoom.path("users", realm))]
    }

    private func user() async throws -> JSONObject { try await site.part("realms/\(percentEncoded(realm))/users", name) }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let user = try await user()
        var form = MobileForm("user", on: self, draft)
        UserFields(properties: try await site.part("realms", realm).texts("properties"), roles: await site.roles())
            .add(to: &form, user, isNew: false)
        let path = "realms/\(percentEncoded(realm))/users/\(percentEncoded(name))"
        return """
            <section class="card" aria-label="User">
            <p class="soft">ID <code>\(Parts.value(user.string("id")))</code></p>
            \(form.html(button: "Save user"))</section>
            \(callsBehind([("GET", path, nil), ("PUT", path, "{…}")]))
            """
    }

    func perform(_ action: String) async throws -> String {
        guard action == "user" else { throw ConsoleRefusal.noSuchAction }
        try await UserFields(properties: try await site.part("realms", realm).texts("properties"), roles: []).save(
            site, try await user(), in: realm)
        return MobileRoom.path("users", realm, name) + "?done=saved"
    }
}
