import Calls
import HTTPTypes
import WireFormats

/// One client of an identity provider.
struct ClientPage {
    let scene: IdentityScene
    let provider: String
    let id: String

    func response() async throws -> Response {
        let base = IdentityScene.path("providers", provider)
        let path = "/providers/\(percentEncoded(provider))/clients/\(percentEncoded(id))"
        let answer = await scene.visit.client.get(path)
        if var refusal = answer.refusal {
            refusal.status = .notFound
            throw refusal
        }
        let logo = answer.json["metadata"]?["logo_uri"]?.stringValue
        return scene.page(
            "Client \(id)",
            """
            \(IdentityScene.trail([(provider, base), (id, IdentityScene.path("providers", provider, "clients", id))]))
            <h1>\(Parts.value(id, limit: 200))</h1>
            \(scene.resultBox)
            <dl class="facts"><div><dt>Name</dt><dd>\(Parts.value(answer.json["name"]?.stringValue ?? ""))</dd></div>
            \(logo.map { logo -> HTML in "<div><dt>Logo</dt><dd>\(Parts.value(logo))</dd></div>" } ?? "")</dl>
            <section aria-labelledby="edit"><h2 id="edit">Client</h2>
            \(Self.editor(scene, provider: provider, action: "save-client", client: answer.json))</section>
            <div class="row">\(scene.button("Delete the client", "\(base)/delete-client", ["client": id], confirm: "Delete this client?", style: "danger"))</div>
            \(scene.call(path))
            """)
    }

    /// The form that adds or changes a client.
    static func editor(_ scene: IdentityScene, provider: String, action: String, client: JSONValue) -> HTML {
        let id = client["id"]?.stringValue ?? ""
        let isNew = action == "add-client"
        let uris = (client["redirectURIs"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: "\n")
        let secret = scene.field(
            "secret", "Secret (empty for a public client)", client["secret"]?.stringValue ?? "", key: "secret", action: action)
        return """
            \(scene.form(IdentityScene.path("providers", provider, action), isNew ? [:] : ["client": id]))<div class="fields">
            \(isNew ? scene.field("id", "Client ID", id, key: "id", isRequired: true, action: action) : "")\
            \(scene.field("title", "Name at the login", client["name"]?.stringValue ?? "", key: "name", action: action))</div>
            \(isNew ? "<div class=\"fields\">\(secret)</div>" as HTML : "<details class=\"fold\"><summary>Show the secret</summary>\(secret)</details>")
            <div class="fields">\(scene.field("uris", "Redirect URIs, one on each line", uris, key: "redirectURIs", lines: 3, action: action))\
            \(scene.field("metadata", "Metadata (JSON), by the names of dynamic registration", (client["metadata"] ?? [:]).serialized(pretty: true), key: "metadata", lines: isNew ? 3 : 8, action: action))</div>
            <p><button class="primary">\(isNew ? "Add the client" : "Save the client")</button></p></form>

            """
    }
}
