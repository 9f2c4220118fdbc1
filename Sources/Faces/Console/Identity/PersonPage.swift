import Calls
import ControlDocuments
import Directory
import HTTPTypes
import WireFormats

/// One person of an identity provider: what tokens say about them, and what can be done.
struct PersonPage {
    let scene: IdentityScene
    let provider: String
    let name: String

    private var base: String { IdentityScene.path("providers", provider) }

    func response() async throws -> Response {
        let client = scene.visit.client
        let path = "/providers/\(percentEncoded(provider))"
        let answer = await client.get("\(path)/people/\(percentEncoded(name))")
        if var refusal = answer.refusal {
            refusal.status = .notFound
            throw refusal
        }
        let document = await client.get(path).json
        let subjects = await client.get("\(path)/people/\(percentEncoded(name))/subjects").document(SubjectListMembers.self).subjects
        let sessions = await client.get("\(path)/sessions").document(LoginListMembers.self).sessions
        let own = sessions.filter { $0.person == name }
        return scene.page(
            "\(name) of \(provider)",
            """
            \(IdentityScene.trail([(provider, base), (name, IdentityScene.path("providers", provider, "people", name))]))
            <h1>\(Parts.value(name, limit: 200))</h1>
            \(scene.resultBox)
            \(preview(document))
            <section aria-labelledby="edit"><h2 id="edit">Person</h2>
            \(Self.editor(scene, provider: provider, action: "save-person", person: answer.json))</section>
            \(identifiers(subjects))
            <section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
            \(own.isEmpty ? "<p class=\"soft\">No browser session.</p>" as HTML : ProviderPage.table(of: own, scene, base, back: name))
            <div class="row">\(scene.button("Revoke all tokens and consents", "\(base)/revoke", ["person": name], confirm: "Revoke what clients received for this person?", style: ""))</div></section>
            <div class="row">\(scene.button("Delete the person", "\(base)/delete-person", ["person": name], confirm: "Delete this person?", style: "danger"))</div>
            \(scene.call("\(path)/people/\(percentEncoded(name))"))
            """)
    }

    private func preview(_ document: JSONValue) -> HTML {
        let clients = (document["clients"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        let services = (document["saml"]?["serviceProviders"]?.arrayValue ?? []).compactMap { $0["entityID"]?.stringValue }
        let isOpaque = !IdentityProvider.Kind(of: document).descriptor.signsIDTokens
        let types = isOpaque ? [("access_token", "access token")] : [("id_token", "ID token"), ("access_token", "access token")]
        func options(_ values: [(String, String)]) -> [HTML] {
            values.map { id, title -> HTML in "<option value=\"\(percentEncoded(id))\">\(title.visible)</option>" }
        }
        let token: HTML =
            clients.isEmpty
            ? "<p class=\"empty\">Add a client first: a token is for one.</p>"
            : """
            \(scene.form("\(base)/preview", ["person": name]))<div class="fields">
            <div><label for="preview-client">Client</label><select id="preview-client" name="client">\(options(clients.map { ($0, $0) }))</select></div>
            <div><label for="preview-type">Kind</label><select id="preview-type" name="type">\(options(types))</select></div></div>
            <p><button class="primary">Preview a token</button></p></form>
            """
        let assertion: HTML =
            services.isEmpty
            ? ""
            : """
            \(scene.form("\(base)/assertion", ["person": name]))<div class="fields">
            <div><label for="preview-service">SAML service provider</label><select id="preview-service" name="service">\(options(services.map { ($0, $0) }))</select></div></div>
            <p><button>Preview an assertion</button></p></form>
            """
        return """
            <section class="card" aria-labelledby="preview"><h2 id="preview">What an application learns</h2>
            <p class="soft">Issues a token without a login, decodes it, and asks the provider about the user.</p>
            \(token)
            \(assertion)</section>

            """
    }

    private func identifiers(_ subjects: [Document<SubjectMembers>]) -> HTML {
        let rows = subjects.map { subject -> HTML in
            "<div><dt>\(Parts.value(subject.client))</dt><dd><code>\(Parts.value(subject.subject))</code></dd></div>\n"
        }
        guard !rows.isEmpty else { return "" }
        return """
            <section aria-labelledby="identifiers"><h2 id="identifiers">Identifier at each client</h2>
            <p class="soft">They differ for pairwise subjects and for Facebook apps with app-scoped IDs.</p>
            <dl class="facts">
            \(rows)</dl></section>

            """
    }

    /// The form that adds or changes a person.
    static func editor(_ scene: IdentityScene, provider: String, action: String, person: JSONValue) -> HTML {
        let name = person["name"]?.stringValue ?? ""
        let claims = person["claims"] ?? [:]
        let isNew = action == "add-person"
        let block = person["facebook"]?["block"]?.stringValue ?? ""
        let summary = scene.info.providers.first { $0.name == provider }
        let isFacebook = summary.map { IdentityProvider.Kind(of: $0) } == .facebook
        let options = [
            ("", "none"), ("checkpoint", "must log in at Facebook first (checkpoint)"),
            ("unconfirmed", "never confirmed the mail address (unconfirmed)"),
        ]
        .map { id, title -> HTML in "<option value=\"\(id)\"\(id == block ? " selected" : "")>\(title)</option>" }
        let blocks: HTML =
            isFacebook
            ? "<div><label for=\"block\">Block at Facebook</label><select id=\"block\" name=\"block\">\(options)</select></div>\n" : ""
        let password = scene.field(
            "password", "Password", person["password"]?.stringValue ?? "", key: "password", isRequired: isNew, action: action)
        // The form is shown with its fault.
        let isWrong = scene.result?.action == action && scene.result?.field == "password"
        let folded: HTML = "<details class=\"fold\"\(isWrong ? " open" : "")><summary>Show the password</summary>\(password)</details>"
        return """
            \(scene.form(IdentityScene.path("providers", provider, action), isNew ? [:] : ["person": name]))<div class="fields">
            \(isNew ? scene.field("name", "Name at the login", name, key: "name", isRequired: true, action: action) : "")\
            \(scene.field("subject", "Subject in tokens", person["subject"]?.stringValue ?? "", key: "subject", isRequired: true, action: action))\
            \(isNew ? password : folded)\(blocks)\(scene.field("claims", "Claims (JSON)", claims.serialized(pretty: true), key: "claims", lines: isNew ? 5 : 9, action: action))</div>
            <p><button class="primary">\(isNew ? "Add the person" : "Save the person")</button></p></form>

            """
    }
}
