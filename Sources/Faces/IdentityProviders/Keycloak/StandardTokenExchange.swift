import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// Keycloak's standard token exchange, which exchanges only access tokens of the realm, and issues no token of another user. (Keycloak,
/// "Securing applications and services guide", "Standard token exchange".)
extension TokenRequest {
    private static let foreignParameters = ["requested_subject", "requested_issuer", "subject_issuer"]

    /// The error for a request that the standard exchange does not support; `nil` for others.
    var refusalOfStandardExchange: OAuthError? {
        if let name = Self.foreignParameters.first(where: { form[$0] != nil }) {
            return OAuthError(.invalidRequest, "Parameter '\(name)' is not supported for standard token exchange")
        }
        guard client.mayUse(.tokenExchange) else {
            return OAuthError(.invalidRequest, "Standard token exchange is not enabled for the requested client")
        }
        for name in ["subject_token", "subject_token_type"] where form.value(name) == nil {
            return OAuthError(.invalidRequest, "Parameter '\(name)' required for standard token exchange")
        }
        guard form.value("subject_token_type") == TokenType.accessToken.rawValue else {
            return OAuthError(.invalidRequest, "Parameter 'subject_token' supports access tokens only")
        }
        return client.isPublic
            ? OAuthError(.invalidClient, "Public client is not allowed to exchange token", status: .badRequest) : nil
    }

    /// Checks that every requested client is an audience: one of which the person has a role, or that a mapper adds.
    func checkRoles(of person: Person, in requested: [String]) throws(OAuthError) {
        let access = SignedAccess(
            provider: visit.provider, client: client, person: person, scopes: [], authenticated: visit.cloud.clock.now)
        let available = access.availableAudiences + [client.id]
        let missing = requested.filter { !available.contains($0) }
        guard missing.isEmpty else {
            throw OAuthError(.invalidRequest, "Requested audience not available: \(missing.joined(separator: " "))")
        }
    }
}
