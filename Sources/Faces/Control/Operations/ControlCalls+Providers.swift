import ControlDocuments
import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls about identity providers, their people, clients, sessions, service providers and apps.
    static let providers: [ControlCall] =
        [
            ControlCall(
                method: .get, template: "/providers", operation: .providers, summary: "Lists the identity providers.",
                answers: [200: .document(ProviderListMembers.self)]),
            ControlCall(
                method: .get, template: "/providers/{name}/sessions", operation: .providers,
                summary: "Lists the browser sessions at an identity provider.",
                answers: [200: .document(LoginListMembers.self)], refusals: [404]),
            ControlCall(
                method: .delete, template: "/providers/{name}/sessions", operation: .providers,
                summary: "Ends all browser sessions at an identity provider.", answers: [200: .document(EndedLoginsMembers.self)],
                refusals: [404]),
            ControlCall(
                method: .get, template: "/providers/{name}/sessions/{id}", operation: .providers,
                summary: "Returns a browser session at an identity provider.", answers: [200: .document(LoginMembers.self)],
                refusals: [404]),
            ControlCall(
                method: .delete, template: "/providers/{name}/sessions/{id}", operation: .providers,
                summary: "Ends a browser session at an identity provider.", answers: [200: .document(EndedLoginsMembers.self)],
                refusals: [404]),
        ] + parts("/providers/{name}", "an identity provider", SeedDocument.identityProvider.schema)
        + list("/providers/{name}/people", "people", "person")
        + parts("/providers/{name}/people/{id}", "a person", SeedDocument.person.schema)
        + [
            ControlCall(
                method: .delete, template: "/providers/{name}/people/{id}/grants", operation: .grants,
                summary: "Revokes the tokens and consents of a person at all clients.", refusals: [404]),
            ControlCall(
                method: .get, template: "/providers/{name}/people/{id}/subjects", operation: .subjects,
                summary: "Returns the identifier by which each client knows a person.",
                answers: [200: .document(SubjectListMembers.self)], refusals: [404]),
        ]
        + list("/providers/{name}/clients", "clients", "client")
        + parts("/providers/{name}/clients/{id}", "a client", SeedDocument.app.schema)
        + registrations

    /// Returns the calls that read, write and remove one document.
    private static func parts(_ template: String, _ what: String, _ schema: JSONValue) -> [ControlCall] {
        [
            ControlCall(
                method: .get, template: template, operation: .providers, summary: "Returns \(what).", answers: [200: .json(schema)],
                refusals: [404]),
            ControlCall(
                method: .put, template: template, operation: .providers, summary: "Creates or replaces \(what).", body: .json(schema),
                answers: [200: .json(schema), 201: .json(schema)], refusals: [404, 409]),
            ControlCall(method: .delete, template: template, operation: .providers, summary: "Removes \(what).", refusals: [404]),
        ]
    }

    private static func list(_ template: String, _ member: String, _ kind: String) -> [ControlCall] {
        let schema = kind == "person" ? SeedDocument.person.schema : SeedDocument.app.schema
        return [
            ControlCall(
                method: .get, template: template, operation: .providers, summary: "Lists the \(member) of an identity provider.",
                answers: [200: .json(Schemas.object([member: Schemas.list(schema)]))], refusals: [404])
        ]
    }

    private static let registrations: [ControlCall] = [
        ControlCall(
            method: .get, template: "/providers/{name}/service-providers", operation: .serviceProviders,
            summary: "Lists the SAML service providers of an identity provider.",
            answers: [200: .json(Schemas.object(["serviceProviders": Schemas.list(SeedDocument.serviceProvider.schema)]))],
            refusals: [404]),
        ControlCall(
            method: .put, template: "/providers/{name}/service-providers", operation: .serviceProviders,
            summary: "Registers a SAML service provider by its metadata, or by an object as in seeds.",
            body: .other(["application/samlmetadata+xml", "application/json"]),
            answers: [200: .json(SeedDocument.serviceProvider.schema), 201: .json(SeedDocument.serviceProvider.schema)], refusals: [404]),
        ControlCall(
            method: .delete, template: "/providers/{name}/service-providers", operation: .serviceProviders,
            summary: "Removes a SAML service provider.", query: ["entityID": Schemas.text], refusals: [404]),
        ControlCall(
            method: .get, template: "/providers/{name}/apps", operation: .apps, summary: "Lists the apps of a Facebook.",
            answers: [200: .json(Schemas.object(["apps": Schemas.list(SeedDocument.app.schema)]))], refusals: [404]),
        ControlCall(
            method: .get, template: "/providers/{name}/apps/{id}", operation: .apps, summary: "Returns an app of a Facebook.",
            answers: [200: .json(SeedDocument.app.schema)], refusals: [404]),
        ControlCall(
            method: .put, template: "/providers/{name}/apps/{id}", operation: .apps,
            summary: "Registers or replaces an app of a Facebook provider; an object as in seeds.", body: .json(SeedDocument.app.schema),
            answers: [200: .json(SeedDocument.app.schema), 201: .json(SeedDocument.app.schema)], refusals: [404]),
        ControlCall(
            method: .delete, template: "/providers/{name}/apps/{id}", operation: .apps, summary: "Removes an app of a Facebook.",
            refusals: [404]),
    ]
}
