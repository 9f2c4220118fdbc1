import Calls
import Cloud
import WireFormats

/// The resources that an application requests tokens for, each identified by a URI (RFC 8707).
enum ResourceIndicators {
    /// The name of the parameter, which may be repeated.
    static let parameter = "resource"

    /// A requested resource is not a valid resource URI.
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
    var listParameters: Set<String> { isRealm ? [] : [ResourceIndicators.parameter] }

    /// Returns the first parameter of an authorization request that is repeated but must not be (RFC 6749 section 3.1).
    func repeatedParameter(of request: FormFields) -> String? { request.repeatedName(but: listParameters) }

    /// Returns the resources of a request.
    /// - Throws: `OAuthError`.
    func resources(of form: FormFields) throws -> [String] {
        guard !isRealm else { return [] }
        do { return try form.resources } catch { throw OAuthError(.invalidTarget, error.explanation) }
    }
}

extension TokenRequest {
    /// Returns the audiences of an access token: the requested resources, which must be among the approved ones. Without requested
    /// resources, all approved ones are returned (section 2.2). An approval without resources allows any.
    func audiences(within approved: [String]) throws -> [String] {
        let resources = try visit.resources(of: form)
        guard !resources.isEmpty else { return approved }
        if !approved.isEmpty, let other = resources.first(where: { !approved.contains($0) }) {
            throw OAuthError(.invalidTarget, "The resource \(other) is not among those that were granted.")
        }
        return resources
    }
}
