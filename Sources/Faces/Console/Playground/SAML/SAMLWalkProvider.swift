import Calls
import Cryptography
import HTTPTypes
import WireFormats

/// A SAML identity provider with a service provider of AWS.
struct SAMLWalkProvider: Sendable {
    var name: String
    /// The entity ID of the service provider.
    var serviceProvider: String
    /// The ARN of the role that assertions name.
    var role: String
    /// The ARN of the identity provider at AWS.
    var principal: String
    var people: [WalkProvider.Person]

    private static let roleAttribute = "https://aws.amazon.com/SAML/Attributes/Role"

    /// - Parameter json: a provider as in seeds; `nil` if it has no service provider whose assertions name a role of AWS.
    init?(_ json: JSONValue) {
        guard let name = json["name"]?.stringValue else { return nil }
        var found: (serviceProvider: String, role: String, principal: String)?
        for serviceProvider in json["saml"]?["serviceProviders"]?.arrayValue ?? [] {
            guard let id = serviceProvider["entityID"]?.stringValue else { continue }
            for attribute in serviceProvider["attributes"]?.arrayValue ?? [] where attribute["name"]?.stringValue == Self.roleAttribute {
                // AWS accepts both orders.
                let pair = (attribute["values"]?.arrayValue?.first?.stringValue ?? "").split(separator: ",").map(String.init)
                guard let role = pair.first(where: { $0.contains(":role/") }),
                    let principal = pair.first(where: { $0.contains(":saml-provider/") })
                else { continue }
                found = found ?? (id, role, principal)
            }
        }
        guard let found else { return nil }
        self.name = name
        (serviceProvider, role, principal) = found
        people = (json["people"]?.arrayValue ?? []).compactMap { person in
            person["name"]?.stringValue.map { name in
                WalkProvider.Person(
                    name: name, fullName: person["claims"]?["name"]?.stringValue ?? name, subject: person["subject"]?.stringValue ?? "")
            }
        }
        if people.isEmpty { return nil }
    }

    /// Returns whether a trust policy names this provider as a principal.
    func isTrusted(by policy: String) -> Bool { policy.contains("\"\(principal)\"") }

    /// Returns the user name of the person with a full name, or of the first person.
    func personName(of person: String?) -> String {
        (people.first { $0.fullName == person || $0.name == person } ?? people.first)?.name ?? ""
    }

    /// The people, for a field of a form.
    func options(selected: String? = nil) -> HTML {
        let options = people.map { person -> HTML in
            "<option value=\"\(person.name)\"\(person.fullName == selected ? " selected" : "")>\(person.fullName.visible)</option>"
        }
        return "\(options)"
    }

    /// Returns the URL that starts a login: a sign-on request by redirect.
    /// (SAML 2.0 Profiles section 4.1.4.1; Bindings section 3.4.4.1.)
    func loginURL(at origin: String, consumer: String, relayState: String, id: String) -> String {
        let request = XMLElement(
            "samlp:AuthnRequest", in: "urn:oasis:names:tc:SAML:2.0:protocol",
            attributes: [
                "ID": "_\(id)", "Version": "2.0", "IssueInstant": Timestamp.now().iso8601, "AssertionConsumerServiceURL": consumer,
            ],
            [.element(XMLElement("saml:Issuer", in: "urn:oasis:names:tc:SAML:2.0:assertion", text: serviceProvider))])
        let query: FormFields = ["SAMLRequest": request.serialized().deflated.base64, "RelayState": relayState]
        return "\(origin)/idp/\(percentEncoded(name))/saml/sso?\(query.queryEncoded)"
    }

    /// Returns the providers of the cloud that assertions for AWS come from.
    static func all(_ client: ControlClient) async throws -> [SAMLWalkProvider] {
        let answer = await client.get("/providers")
        if let refusal = answer.refusal { throw refusal }
        var providers: [SAMLWalkProvider] = []
        for provider in answer.json["providers"]?.arrayValue ?? [] where provider["saml"]?.boolValue == true {
            guard let name = provider["name"]?.stringValue else { continue }
            if let found = SAMLWalkProvider(await client.get("/providers/\(percentEncoded(name))").json) { providers.append(found) }
        }
        return providers
    }

    static func named(_ name: String, _ client: ControlClient) async throws -> SAMLWalkProvider {
        guard let provider = SAMLWalkProvider(await client.get("/providers/\(percentEncoded(name))").json) else {
            throw ConsoleRefusal(
                code: "unknown_provider", message: "There is no SAML identity provider '\(name)' with a role of AWS.", status: .notFound)
        }
        return provider
    }
}

extension PlaygroundRoom {
    /// Returns the URL that starts a login of a walk by SAML.
    func samlURL(of walk: String, at provider: SAMLWalkProvider) -> String? {
        state(of: walk, LoginReturn(kind: .saml, provider: provider.name)).map { state in
            let id = SHA256.hash(state).hex
            return provider.loginURL(at: visit.place.services, consumer: redirectURI, relayState: state, id: id)
        }
    }
}

/// The identity providers with a service provider of AWS, a card for each.
struct SAMLChoices {
    let room: PlaygroundRoom

    /// `nil` if the seed has none.
    var html: HTML? {
        get async throws {
            let providers = try await SAMLWalkProvider.all(room.visit.client)
            return providers.isEmpty ? nil : "<div class=\"cards\">\n\(providers.map(card))</div>"
        }
    }

    private func card(_ provider: SAMLWalkProvider) -> HTML {
        let link = (try? WalkStore.newID()).flatMap { room.samlURL(of: $0, at: provider) }.map { url -> HTML in
            "<p><a class=\"button primary\" href=\"\(url)\">Log in with \(Parts.value(provider.name))</a></p>"
        }
        let id = Array(provider.name.utf8).base64url
        return """
            <section class="card"><h3 class="named">\(Parts.mark(provider.name)) \(Parts.value(provider.name))</h3>
            <p class="soft">Its assertions for <code>\(Parts.name(provider.serviceProvider))</code> name the role <code>\(Parts.name(provider.role))</code>.</p>
            \(link ?? "")
            <details class="fold"><summary>Without the login page</summary>
            <form method="post" action="\(Visit.path("/playground/start"))">\(room.visit.formToken)
            <input type="hidden" name="path" value="\(WalkKind.saml.rawValue)"><input type="hidden" name="provider" value="\(provider.name)">
            <label for="person-\(id)">Person</label><select id="person-\(id)" name="person">\(provider.options())</select>
            <p><button>Issue an assertion</button></p></form></details>
            </section>

            """
    }
}
