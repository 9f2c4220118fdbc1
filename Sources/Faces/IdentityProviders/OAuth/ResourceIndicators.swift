import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// The resources that an application requests tokens for, each identified by a URI (RFC 8707).
enum ResourceIndicators {
    /// The name of the parameter, which may be repeated.
    static let parameter = "resource"
    /// The parameter by which clients of Auth0 and Okta select an API. In a token exchange, it also names clients (RFC 8693 section 2.1).
    static let audience = "audience"

    /// A requested resource is not a valid resource URI, or not an API that the client may ask for.
    struct Fault: Error {
        var explanation: String
    }
}

extension FormFields {
    /// The resources of the request (section 2).
    var resources: [String] {
        get throws(ResourceIndicators.Fault) {
            var resources: [String] = []
            for field in fields where field.name == ResourceIndicators.parameter && !field.value.isEmpty {
                guard ClientRegistration.isAbsolute(field.value), !field.value.contains("#") else {
                    throw ResourceIndicators.Fault(explanation: "The resource \(field.value) must be an absolute URI without a fragment.")
                }
                if !resources.contains(field.value) { resources.append(field.value) }
            }
            return resources
        }
    }

    /// Returns the first name that is repeated, except those that may be.
    func repeatedName(but lists: Set<String>) -> String? {
        var single = self
        single.fields.removeAll { lists.contains($0.name) }
        return single.repeatedName
    }
}

extension Visit {
    /// The parameters of authorization requests that may be repeated. Keycloak does not support resources.
    var listParameters: Set<String> {
        guard manners.acceptsResources else { return [] }
        return provider.apis.isEmpty ? [ResourceIndicators.parameter] : [ResourceIndicators.parameter, ResourceIndicators.audience]
    }

    /// Returns the first parameter of an authorization request that is repeated but must not be (RFC 6749 section 3.1).
    func repeatedParameter(of request: FormFields) -> String? { request.repeatedName(but: listParameters) }

    /// Returns the audiences that a request selects by `resource` and `audience`. A provider with APIs accepts only their identifiers;
    /// another one accepts every resource, and ignores `audience`.
    func selectedAudiences(of form: FormFields, for client: Client) throws(ResourceIndicators.Fault) -> [String] {
        guard manners.acceptsResources else { return [] }
        var names = try form.resources
        if provider.apis.isEmpty { return names + audiences(of: form).filter { !names.contains($0) } }
        for name in form.all(named: ResourceIndicators.audience) where !name.isEmpty && !names.contains(name) { names.append(name) }
        for name in names { try check(audience: name, for: client) }
        return names
    }

    /// Checks that an audience is an API that admits the client, if the provider has APIs.
    func check(audience name: String, for client: Client) throws(ResourceIndicators.Fault) {
        if provider.apis.isEmpty { return }
        guard let api = provider.api(name) else {
            throw ResourceIndicators.Fault(explanation: "The provider has no API with the identifier \(name).")
        }
        guard api.admits(client) else { throw ResourceIndicators.Fault(explanation: "The API \(name) does not admit the client.") }
    }
}

extension TokenRequest {
    /// Returns the audiences that the request selects.
    /// - Throws: `OAuthError`.
    func selectedAudiences() throws -> [String] {
        do { return try visit.selectedAudiences(of: form, for: client) } catch { throw OAuthError(.invalidTarget, error.explanation) }
    }

    /// Limits what was approved to the requested resources, which must be among the approved ones, and to scopes that can be used there.
    /// Without requested resources, all approved ones remain (section 2.2). An approval without resources allows any.
    func limitAudiences(_ approval: inout Approval) throws {
        let selected = try selectedAudiences()
        guard !selected.isEmpty else { return }
        if !approval.audiences.isEmpty, let other = selected.first(where: { !approval.audiences.contains($0) }) {
            throw OAuthError(.invalidTarget, "The resource \(other) is not among those that were granted.")
        }
        approval.audiences = selected
        approval.scopes = visit.provider.scopes(approval.scopes, at: selected)
    }

    /// Limits what was approved to the requested scopes, which must be among the approved ones. Without requested resources, APIs of which
    /// no scope is left are no audiences any more.
    func limitScopes(_ approval: inout Approval) throws {
        guard let scopes = try narrowedScopes(within: approval.scopes) else { return }
        let dropped = approval.scopes.filter { !scopes.contains($0) }
        approval.scopes = scopes
        guard try selectedAudiences().isEmpty else { return }
        let provider = visit.provider
        approval.audiences.removeAll { audience in
            guard let api = provider.api(audience) else { return false }
            return dropped.contains { api.has(scope: $0) } && !scopes.contains { api.has(scope: $0) }
        }
    }
}
