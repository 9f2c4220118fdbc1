import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension TokenGrant {
    /// A user's password, which the client sends (RFC 6749 section 4.3).
    static let password = TokenGrant(
        refusal: { $0.refusal(for: .password, "Client not allowed for direct access grants") ?? $0.refusalOfConsent },
        unknownUser: { $0.visit.manners.refusals.wrongPassword },
        access: { try await $0.checkPassword() })
}

extension TokenRequest {
    /// The error for a client whose users must agree on a page; `nil` for others.
    fileprivate var refusalOfConsent: OAuthError? {
        visit.manners.asksForConsentOnPages && client.requiresConsent == true ? visit.manners.refusals.consentRequired : nil
    }

    /// Checks the password. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    fileprivate func checkPassword() async throws -> GrantedAccess {
        let manners = visit.manners
        guard let name = form.value("username") else { throw manners.refusals.missingUserName }
        guard manners.takesMissingForWrong || form.value("password") != nil else {
            throw OAuthError(.invalidRequest, "Missing parameter: password")
        }
        let known = visit.person(withLogin: name)
        visit.note(account: known?.keycloak)
        if manners.revealsDisabledAccounts, known?.isEnabled == false { throw manners.refusals.disabledPerson }
        guard let person = known, await person.accepts(password: form.value("password") ?? "") else {
            throw TokenGrant.password.unknownUser(self)
        }
        guard person.isEnabled else { throw manners.refusals.disabledPerson }
        if person.keycloak?.requiredActions.isEmpty == false { throw OAuthError(.invalidGrant, "Account is not fully set up") }
        let session = try manners.namesSessions ? randomBytes(18).base64url : nil
        let approval = Approval(
            provider: visit.provider, client: client, person: person, scopes: [], authenticated: visit.cloud.clock.now,
            sessionID: session)
        return .user(
            UserAccess(
                approval: approval, extent: .requested(defaultScopes: ["profile", "email"]),
                renewal: manners.alwaysRenews ? .always : .offline))
    }
}
