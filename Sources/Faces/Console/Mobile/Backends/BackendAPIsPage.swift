import Calls
import WireFormats

/// A backend's *APIs*: those that it offers, and *Select APIs*.
struct BackendAPIsPage: BackendPage {
    let site: MobileSite
    let key: String

    var title: String { "\(key) APIs" }

    func content(_ draft: MobileDraft) async throws -> HTML {
        let backend = try await site.part("backends", key)
        let apis = await site.list("apis").compactMap(\.objectValue)
        let names = backend["apis"]?.arrayValue?.compactMap(\.stringValue)
        let offered = apis.filter { api in names.map { $0.contains(api.versionedName) || $0.contains(api.string("name")) } ?? true }
        let others = apis.filter { api in !offered.contains { $0.versionedName == api.versionedName } }
        let isFacebook = backend["facebook"]?.objectValue != nil
        let rows = offered.map { api -> [HTML] in
            let name = api.versionedName
            let works = isFacebook ? api.string("access") != "enterprise" : api.string("access") != "social"
            let login: HTML = works ? "" : " <span class=\"warn\">! not for this backend's login</span>"
            let remove: HTML =
                names == nil ? "" : button("Remove", do: "remove", [("api", name)], style: "small danger", hidden: name)
            return [
                "<a href=\"\(MobileRoom.path("apis", name))\">\(Parts.value(name))</a>", "\(APISecurity(api).summary)\(login)",
                "<a href=\"\(MobileRoom.path("apis", name, "test"))?backend=\(percentEncoded(key))\">Test<span class=\"sr\"> \(Parts.value(name))</span></a>",
                remove,
            ]
        }
        let platform = "\(MobileRoom.path("apis", "platform", "test"))?backend=\(percentEncoded(key))"
        let all: HTML =
            names == nil
            ? "<p>The backend offers every custom API, new ones too.</p>\(button("Select them one by one", do: "list"))"
            : button("Offer every API", do: "all")
        return """
            \(tabs)
            \(table("APIs of the backend", ["API", "Login", "Test", ""], rows, empty: "<p>Apps of this backend have no custom API. Select some below.</p>"))
            <p>The platform's own APIs need no selection: <a href="\(platform)">test them</a>.</p>
            <section class="card" aria-labelledby="select"><h2 id="select">Select APIs</h2>
            \(all)\(selection(others))</section>
            \(callsBehind([("GET", "apis", nil), ("PUT", "backends/\(percentEncoded(key))", #"{…,"apis":["incidents(1.0)"]}"#)]))
            """
    }

    private func selection(_ others: [JSONObject]) -> HTML {
        guard !others.isEmpty else { return "<p class=\"soft\">There is no other custom API.</p>" }
        let items = others.map { api -> HTML in
            let name = api.versionedName
            return "<li class=\"row\">\(button("+", do: "add", [("api", name)], hidden: "add \(name)")) \(Parts.value(name))</li>\n"
        }
        return "<ul class=\"plain\">\n\(items)</ul>"
    }

    func perform(_ action: String) async throws -> String {
        let api = site.field("api")
        let apis = await site.list("apis").compactMap(\.objectValue)
        switch action {
        case "add": try await change { $0["apis"] = .texts($0.texts("apis") + [api]) }
        case "remove":
            // A name without a version selects every version: the others stay.
            try await change { backend in
                let names = backend.texts("apis").flatMap { name -> [String] in
                    let versions = apis.filter { $0.string("name") == name }.map(\.versionedName)
                    return versions.contains(api) ? versions : [name]
                }
                backend["apis"] = .texts(names.filter { $0 != api })
            }
        case "all": try await change { $0["apis"] = "all" }
        case "list": try await change { $0["apis"] = .texts(apis.map(\.versionedName)) }
        default: throw ConsoleRefusal.noSuchAction
        }
        return MobileRoom.path("backends", key, "apis") + "?done=saved"
    }
}
