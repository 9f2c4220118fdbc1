import Calls
import Cloud
import WireFormats

/// The resources that an application wants tokens for, each by its URI (RFC 8707).
enum ResourceIndicators {
    /// May be repeated.
    static let parameter = "resource"

    /// What is asked for is the name of no resource.
    struct Fault: Error {
        var explanation: String
    }
}

extension FormFields {
    /// Those that the request names (section 2).
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

    /// The first name that occurs twice and must not.
    func repeatedName(but lists: Set<String>) -> String? {
        var single = self
        single.fields.removeAll { lists.contains($0.name) }
        return single.repeatedName
    }
}

extension Visit {
    /// The parameters of authorization requests that may be repeated. Keycloak knows no resources.
    var listParameters: Set<String> { isRealm ? [] : [ResourceIndicators.parameter] }

    /// The parameter that an authorization request has twice and must not (RFC 6749 section 3.1).
    func repeatedParameter(of request: FormFields) -> String? { request.repeatedName(but: listParameters) }

    /// - Throws: `OAuthError`.
    func resources(of form: FormFields) throws -> [String] {
        guard !isRealm else { return [] }
        do { return try form.resources } catch { throw OAuthError(.invalidTarget, error.explanation) }
    }
}

extension TokenRequest {
    /// What an access token is for: the resources of the request, which must be among those that were approved, or all of them where it
    /// names none (section 2.2). An approval that names none holds for each.
    func audiences(within approved: [String]) throws -> [String] {
        let resources = try visit.resources(of: form)
        guard !resources.isEmpty else { return approved }
        if !approved.isEmpty, let other = resources.first(where: { !approved.contains($0) }) {
            throw OAuthError(.invalidTarget, "The resource \(other) is not among those that were granted.")
        }
        return resources
    }
}
