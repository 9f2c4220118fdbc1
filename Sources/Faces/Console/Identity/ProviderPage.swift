import Calls
import ControlDocuments
import Directory
import HTTPTypes
import WireFormats

/// One identity provider: its addresses, people, clients, service providers, keys and sessions.
struct ProviderPage {
    let scene: IdentityScene
    let name: String

    private var base: String { IdentityScene.path("providers", name) }

    /// A kind of identity provider in words.
    /// - Parameter summary: the provider in the list of the control API.
    static func kind(of summary: Document<ProviderMembers>) -> String {
        IdentityProvider.Kind(of: summary).descriptor.title + (summary.saml ? " and SAML" : "")
    }

    /// The name of an identity provider for people: that of a social provider as its pages write it, or the name of the seed.
    static func title(of summary: Document<ProviderMembers>) -> String {
        IdentityProvider.Kind(of: summary).descriptor.pageName ?? summary.name
    }

    /// The mark of an identity provider.
    static func mark(of summary: Document<ProviderMembers>) -> HTML {
        Parts.mark(title(of: summary), IdentityProvider.Kind(of: summary))
    }

    func response() async throws -> Response {
        let client = scene.visit.client
        let path = "/providers/\(percentEncoded(name))"
        let answer = await client.get(path)
        if var refusal = answer.refusal {
            refusal.status = .notFound
            throw refusal
        }
        let document = answer.json
        let summary = scene.info.providers.first { $0.name == name } ?? Document()
        let sessions = await client.get("\(path)/sessions").document(LoginListMembers.self).sessions
        let keys = await client.get("/keys").document(KeyListMembers.self).providers[name]
        let hasSAML = document["saml"]?.objectValue != nil
        let services = hasSAML ? await client.get("\(path)/service-providers").json["serviceProviders"]?.arrayValue ?? [] : []
        return scene.page(
            "\(name) in Identity",
            """
            \(IdentityScene.trail([(name, base)]))
            <h1>\(Parts.value(name))</h1>
            \(scene.resultBox)
            \(addresses(document, summary))
            \(people(document))
            \(clients(document))
            \(hasSAML ? serviceProviders(services) : "")
            \(keys.map { self.keys([Document<KeyMembers>].read($0) ?? []) } ?? "")
            \(self.sessions(sessions))
            \(removal(document))
            \(scene.call(path))
            """)
    }

    private func addresses(_ document: JSONValue, _ summary: Document<ProviderMembers>) -> HTML {
        let here = summary.url
        let origins = document["origins"]
        let port = scene.visit.place.services.split(separator: ":").last.map(String.init) ?? "4566"
        let container = origins?["backChannel"]?.stringValue.map { "\($0)/idp/\(name)" } ?? "http://virga:\(port)/idp/\(name)"
        var rows: [(String, String)] = [
            ("Kind", Self.kind(of: summary)),
            ("Seen by this browser", origins?["browser"]?.stringValue.map { "\($0)/idp/\(name)" } ?? here),
            ("From a container, if the server's host name is virga", container),
        ]
        if let issuer = summary.issuer { rows.append(("Issuer in ID tokens", issuer)) }
        if let issuer = document["issuer"]?.stringValue { rows.append(("Issuer in ARNs and policies", issuer)) }
        if let entity = document["saml"]?["entityID"]?.stringValue {
            rows.append(("SAML entity ID", entity))
            rows.append(("SAML metadata", "\(here)/saml/metadata"))
        }
        return Parts.facts(rows.map { name, value in (name: name, value: Parts.name(value)) })
    }

    private func people(_ document: JSONValue) -> HTML {
        let people = document["people"]?.arrayValue ?? []
        let rows = people.map { person -> [HTML] in
            let name = person["name"]?.stringValue ?? ""
            let claims = person["claims"]
            let block = person["facebook"]?["block"]?.stringValue
            return [
                "<a href=\"\(IdentityScene.path("providers", self.name, "people", name))\">\(StoreScene.name(name))</a>",
                "<code>\(Parts.value(person["subject"]?.stringValue ?? "", limit: 120))</code>",
                Parts.value(claims?["name"]?.stringValue ?? "", limit: 120), Parts.value(claims?["email"]?.stringValue ?? "", limit: 120),
                block.map { block -> HTML in "<span class=\"warn\">! \(Parts.value(block))</span>" } ?? "none",
            ]
        }
        let headings = ["Person", "Subject", "Name", "E-mail", "Block"]
        return """
            <section aria-labelledby="people"><h2 id="people">People</h2>
            \(Parts.table("People", headings, rows, empty: "No person can log in here yet. Add a person below."))
            <details class="card fold"\(scene.result?.action == "add-person" ? " open" : "")><summary>Add a person</summary>
            \(PersonPage.editor(scene, provider: name, action: "add-person", person: ["password": "", "claims": ["name": "", "email": ""]]))</details>
            </section>

            """
    }

    private func clients(_ document: JSONValue) -> HTML {
        let clients = document["clients"]?.arrayValue ?? []
        let rows = clients.enumerated().map { index, client -> [HTML] in
            let id = client["id"]?.stringValue ?? ""
            let secret: HTML =
                client["secret"]?.stringValue.map { Parts.secret($0, id: "client-secret-\(index)", label: "the secret") } ?? "public client"
            let uris = (client["redirectURIs"]?.arrayValue ?? []).compactMap(\.stringValue).map { uri -> HTML in
                "<p>\(Parts.name(uri))</p>"
            }
            return [
                "<a href=\"\(IdentityScene.path("providers", name, "clients", id))\">\(StoreScene.name(id))</a>",
                Parts.value(client["name"]?.stringValue ?? "", limit: 120), secret, "\(uris)",
            ]
        }
        let headings = ["Client", "Name", "Secret", "Redirect URIs"]
        return """
            <section aria-labelledby="clients"><h2 id="clients">Clients</h2>
            \(Parts.table("Clients", headings, rows, empty: "No application is registered here yet. Add a client below."))
            <details class="card fold"\(scene.result?.action == "add-client" ? " open" : "")><summary>Add a client</summary>
            \(ClientPage.editor(scene, provider: name, action: "add-client", client: [:]))</details>
            </section>

            """
    }

    private func serviceProviders(_ services: [JSONValue]) -> HTML {
        let rows = services.map { service -> [HTML] in
            let id = service["entityID"]?.stringValue ?? ""
            let consumers = (service["assertionConsumerServices"]?.arrayValue ?? []).compactMap { $0["location"]?.stringValue }
            let uris = consumers.map { uri -> HTML in "<p>\(Parts.name(uri))</p>" }
            return [
                Parts.value(id), Parts.value(service["name"]?.stringValue ?? "", limit: 120), "\(uris)",
                service["encrypts"]?.boolValue == true ? "encrypted" : "plain",
                scene.button(
                    "Remove", "\(base)/unregister", ["entity": id], confirm: "Remove this service provider?", label: "Remove \(id)"),
            ]
        }
        let headings = ["Entity ID", "Name", "Responses go to", "Assertions", "Actions"]
        return """
            <section aria-labelledby="services"><h2 id="services">SAML service providers</h2>
            \(Parts.table("SAML service providers", headings, rows, empty: "No service provider is registered yet. Register one by its metadata."))
            <details class="card fold"\(scene.result?.action == "register" ? " open" : "")><summary>Register a service provider</summary>
            \(scene.form("\(base)/register"))
            \(scene.field("descriptor", "Metadata (XML), or an object as in seeds", "", key: "", lines: 8, isRequired: true, action: "register"))
            <p><button class="primary">Register</button></p></form></details></section>

            """
    }

    private func keys(_ keys: [Document<KeyMembers>]) -> HTML {
        let rows = keys.map { key -> [HTML] in
            let leaves = key.leaves.map { ", published until \(StoreScene.time($0))" } ?? ""
            return [
                "<code>\(Parts.value(key.keyID))</code>", Parts.value(key.algorithm), Parts.value(key.stage + leaves),
                "\(StoreScene.time(key.created))",
            ]
        }
        let headings = ["Key ID", "Algorithm", "Stage", "Created"]
        return """
            <section aria-labelledby="keys"><h2 id="keys">Keys</h2>
            \(Parts.table("Keys", headings, rows, empty: "No key has signed yet. The first token makes one."))
            \(scene.form("\(base)/rotate", style: "row actions"))
            <label for="overlap">The old key stays published for</label><select id="overlap" name="overlap"><option value="PT1H">1 hour</option>\
            <option value="PT0S">no time</option><option value="P1D">1 day</option></select>
            <button>Rotate the keys</button></form></section>

            """
    }

    private func sessions(_ sessions: [Document<LoginMembers>]) -> HTML {
        guard !sessions.isEmpty else {
            return
                "<section aria-labelledby=\"sessions\"><h2 id=\"sessions\">Sessions</h2><p class=\"soft\">No person is logged in.</p></section>\n"
        }
        return """
            <section aria-labelledby="sessions"><h2 id="sessions">Sessions</h2>
            \(Self.table(of: sessions, scene, base))
            <div class="row">\(scene.button("End all sessions", "\(base)/logout-all", confirm: "End all sessions at this provider?", style: "danger"))</div></section>

            """
    }

    /// The table of browser sessions.
    static func table(of sessions: [Document<LoginMembers>], _ scene: IdentityScene, _ base: String, back: String = "") -> HTML {
        let rows = sessions.map { session -> [HTML] in
            let (id, person) = (session.id, session.person)
            let participants = session.clients + session.serviceProviders
            return [
                Parts.value(person), "\(StoreScene.time(session.issued))", "\(StoreScene.time(session.expires))",
                Parts.value(participants.joined(separator: ", ")),
                scene.button("Log out", "\(base)/logout", ["session": id, "person": back], label: "Log \(person) out"),
            ]
        }
        return Parts.table(
            "Browser sessions", ["Person", "Since", "Until", "Applications", "Actions"], rows, empty: "No person is logged in.")
    }

    private func removal(_ document: JSONValue) -> HTML {
        """
        \(Parts.secret(document.serialized(pretty: true), id: "document", label: "the provider as in a seed, with its secrets"))
        <div class="row">\(scene.button("Delete the provider", "\(base)/delete", confirm: "Delete this provider with its people and clients?", style: "danger"))</div>

        """
    }
}
