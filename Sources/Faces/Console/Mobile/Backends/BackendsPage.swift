import Calls
import WireFormats

/// *Mobile Backends*: the list, *New Mobile Backend* and deletion.
struct BackendsPage: MobilePage {
    let site: MobileSite
    let title = "Mobile Backends"
    let section = MobileSection.backends

    func content(_ draft: MobileDraft) async throws -> HTML {
        let backends = await site.list("backends").compactMap(\.objectValue)
        let realms = await site.list("realms").compactMap(\.objectValue).map(\.versionedName)
        let roles = await site.roles()
        let isAbsent = backends.isEmpty && realms.isEmpty && roles.isEmpty
        let command: HTML = """
            <p><strong>The seed has no mobile cloud.</strong> Start Virga with one:</p>
            \(Parts.code("virga serve --seed seed/mobile-cloud.json5", id: "absent", label: "the command"))
            <p class="soft">Or build one here: first a realm in <a href="\(MobileSection.users.path)">Mobile User Management</a>, then a backend.</p>
            """
        let rows = backends.map(row)
        return """
            <p class="soft">A mobile backend is the mobile cloud's side of an app: its keys, its users and the APIs it may call.</p>
            \(table(
                "Mobile Backends", ["Name", "Version", "Authentication", "Realm", "APIs", ""], rows,
                empty: isAbsent ? command : "<p>There is no mobile backend. Create one below.</p>"))
            \(isAbsent ? "" : new(realms, draft))
            \(callsBehind([
                ("GET", "backends", nil), ("PUT", "backends/Name%281.0%29", #"{"name":"Name","version":"1.0","realm":"Default(1.0)"}"#),
                ("DELETE", "backends/Name%281.0%29", nil),
            ]))
            """
    }

    private func row(_ backend: JSONObject) -> [HTML] {
        let key = backend.versionedName
        let methods = AuthenticationMethod.allCases.filter { $0.obstacle(backend) == nil }.map { method -> HTML in
            "<span class=\"tag\">\(method.title)</span>"
        }
        let apis = backend["apis"]?.arrayValue.map { $0.count == 1 ? "1 API" : "\($0.count) APIs" } ?? "all"
        return [
            "<a href=\"\(MobileRoom.path("backends", key))\">\(Parts.value(backend.string("name")))</a>",
            "\(Parts.value(backend.string("version")))", methods.isEmpty ? "<span class=\"warn\">! none</span>" : "\(methods)",
            "\(Parts.value(backend.string("realm")))", "<a href=\"\(MobileRoom.path("backends", key, "apis"))\">\(apis)</a>",
            button("Delete", do: "delete", [("key", key)], style: "small danger", confirm: "Delete this mobile backend?", hidden: key),
        ]
    }

    private func new(_ realms: [String], _ draft: MobileDraft) -> HTML {
        guard !realms.isEmpty else {
            return
                "<p>A mobile backend needs a realm. Create one in <a href=\"\(MobileSection.users.path)\">Mobile User Management</a>.</p>"
        }
        var form = MobileForm("new", on: self, draft)
        form.text("name", "Name", isRequired: true)
        form.text("version", "Version", "1.0", isRequired: true)
        form.select("realm", "Realm", realms.map { ($0, $0) }, realms.first { $0 == "Default(1.0)" } ?? realms[0])
        return """
            <section class="card" aria-labelledby="new-title"><h2 id="new-title">New Mobile Backend</h2>
            <p class="soft">OAuth Consumer and HTTP Basic are on. Client ID, secret and anonymous key are generated.</p>
            \(form.html(button: "Create"))</section>

            """
    }

    func perform(_ action: String) async throws -> String {
        switch action {
        case "new":
            let document: JSONObject = [
                "name": .string(site.field("name").trimmed), "version": .string(site.field("version").trimmed),
                "realm": .string(site.field("realm")),
            ]
            let key = document.versionedName
            guard !(await site.list("backends")).contains(where: { $0.objectValue?.versionedName == key }) else {
                throw FormRefusal("name", "\(key) exists already. Choose another name or version.")
            }
            try await site.put("backends", key, document)
            return MobileRoom.path("backends", key) + "?done=created"
        case "delete":
            try await site.delete("backends", site.field("key"))
            return MobileRoom.path() + "?done=deleted"
        default: throw ConsoleRefusal.noSuchAction
        }
    }
}
