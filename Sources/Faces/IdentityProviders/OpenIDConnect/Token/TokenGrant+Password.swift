import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension TokenGrant {
    /// A user's password, which the client sends (RFC 6749 section 4.3).
    static let password = TokenGrant(
        refusal: { $0.refusal(for: .password, "Client not allowed for direct access grants") },
        unknownUser: { request in
            OAuthError(.invalidGrant, "Invalid user credentials", status: request.visit.isRealm ? .unauthorized : nil)
        },
        access: { try $0.checkPassword() })
}

extension TokenRequest {
    /// Checks the password. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    fileprivate func checkPassword() throws -> GrantedAccess {
        guard let name = form.value("username") else {
            throw OAuthError(.invalidRequest, "Missing parameter: username", status: visit.isRealm ? .unauthorized : nil)
        }
        // Keycloak treats a missing password as a wrong one.
        guard visit.isRealm || form.value("password") != nil else {
            throw OAuthError(.invalidRequest, "Missing parameter: password")
        }
        let named = visit.provider.person(named: name)
        // Keycloak does not look at the password first.
        if visit.isRealm, named?.isEnabled == false { throw OAuthError(.invalidGrant, "Account disabled") }
        guard let person = named, person.hasPassword(form.value("password") ?? "") else { throw TokenGrant.password.unknownUser(self) }
        guard person.isEnabled else { throw visit.disabledUser }
        if person.keycloak?.requiredActions.isEmpty == false { throw OAuthError(.invalidGrant, "Account is not fully set up") }
        let approval = Approval(
            provider: visit.provider, client: client, person: person, scopes: [], authenticated: visit.cloud.clock.now)
        return .user(
            UserAccess(
                approval: approval, extent: .requested(defaultScopes: ["profile", "email"]),
                renewal: visit.isRealm ? .always : .offline))
    }
}
