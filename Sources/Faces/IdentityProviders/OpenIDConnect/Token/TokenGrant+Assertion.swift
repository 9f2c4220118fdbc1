import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension TokenGrant {
    /// An assertion about a user, signed by a client or by an issuer that is registered as one (RFC 7523 section 2.1). No refresh token is
    /// issued, since the client can make new assertions (RFC 7521 section 4.1).
    static let jwtBearer = TokenGrant(
        refusal: { $0.refusal(for: .jwtBearer, "The client may not use assertions as grants.") },
        unknownUser: { _ in OAuthError(.invalidGrant, "The assertion's subject is not a user of the provider.") },
        access: { try await $0.redeemAssertion() })
}

extension TokenRequest {
    fileprivate func redeemAssertion() async throws -> GrantedAccess {
        guard let text = form.value("assertion") else { throw OAuthError(.invalidRequest, "The assertion is missing.") }
        let person: Person
        do {
            let assertion = try SignedAssertion(text, to: visit)
            guard let issuer = visit.provider.client(assertion.issuer), issuer.mayUse(.jwtBearer),
                try await visit.signed(assertion.token, by: issuer)
            else { throw SignedAssertion.Fault("The assertion's issuer is unknown, or it is not signed with the issuer's key.") }
            let subject = assertion.subject
            guard let known = visit.provider.person(subject: subject, for: issuer) ?? visit.provider.person(named: subject) else {
                throw TokenGrant.jwtBearer.unknownUser(self)
            }
            guard known.isEnabled else { throw visit.disabledUser }
            try assertion.spend(by: issuer, in: visit, isIdentified: false)
            person = known
        } catch let fault as SignedAssertion.Fault {
            throw OAuthError(.invalidGrant, fault.explanation)
        }
        let approval = Approval(
            provider: visit.provider, client: client, person: person, scopes: [], authenticated: visit.cloud.clock.now)
        return .user(UserAccess(approval: approval, extent: .requested(defaultScopes: []), renewal: .never))
    }
}
