import HTTPTypes
import WireFormats

extension ControlCall {
    /// The calls about service providers and apps of identity providers.
    static let providers: [ControlCall] = [
        ControlCall(
            method: .get, template: "/providers/{name}/service-providers", operation: .serviceProviders,
            summary: "Lists the SAML service providers of an identity provider.",
            answers: [200: .json(Schemas.object(["serviceProviders": Schemas.list(Schemas.anyObject)]))], refusals: [404]),
        ControlCall(
            method: .put, template: "/providers/{name}/service-providers", operation: .serviceProviders,
            summary: "Registers a SAML service provider by its metadata, or by an object as in seeds.",
            body: .other(["application/samlmetadata+xml", "application/json"]),
            answers: [200: .json(Schemas.anyObject), 201: .json(Schemas.anyObject)], refusals: [404]),
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
