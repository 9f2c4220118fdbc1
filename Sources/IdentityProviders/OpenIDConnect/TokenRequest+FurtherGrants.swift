import Cloud
import Cryptography
import Directory
import Exchange
import Federation
import HTTPTypes
import WireFormats

extension TokenRequest {
    /// A client that acts for itself (RFC 6749 section 4.4). Its token is signed, since there is nobody whom an opaque one could
    /// lead to.
    func serveClient() async throws -> Response {
        guard !client.isPublic else { throw unauthorized("Public client not allowed to retrieve service account") }
        guard client.mayUse(.clientCredentials) else { throw unauthorized("Client not enabled to retrieve service account") }
        var access = SignedAccess(
            provider: visit.provider, client: client, scopes: try scopes(byDefault: ["profile", "email"]),
            authenticated: visit.cloud.clock.now)
        access.keyThumbprint = keyThumbprint
        access.audiences = try visit.resources(of: form)
        visit.exchange.note(caller: client.id)
        let isJWT = !visit.isRealm && visit.provider.accessTokenFormat == .jwt
        let issued =
            try await isJWT
            ? visit.mint.newJWTAccessToken(ofClient: access, issuer: visit.issuer)
            : visit.mint.newSignedAccessToken(access, issuer: visit.issuer)
        try await visit.cloud.grants.keep(issued.grant, under: issued.token)
        var body: JSONObject = [
            "access_token": .string(issued.token), "token_type": .string(tokenType),
            "expires_in": .integer(Int64(visit.provider.tokenLifetime)), "scope": .string(access.scopes.joined(separator: " ")),
        ]
        if visit.isRealm {
            body["refresh_expires_in"] = 0
            body["not-before-policy"] = 0
        }
        return .json(.object(body), headers: .unstored)
    }

    /// Not for this client (RFC 6749 section 5.2); Keycloak, whose words these are, has its own status for it.
    private func unauthorized(_ description: String) -> OAuthError {
        OAuthError(.unauthorizedClient, description, status: visit.isRealm ? .unauthorized : nil)
    }

    /// A person whose password the client knows (RFC 6749 section 4.3).
    func servePassword() async throws -> Response {
        guard client.mayUse(.password) else {
            throw OAuthError(.unauthorizedClient, "Client not allowed for direct access grants")
        }
        guard let name = form.value("username") else {
            throw OAuthError(.invalidRequest, "Missing parameter: username", status: visit.isRealm ? .unauthorized : nil)
        }
        // To Keycloak, no password is a wrong one.
        guard visit.isRealm || form.value("password") != nil else {
            throw OAuthError(.invalidRequest, "Missing parameter: password")
        }
        guard let person = visit.provider.person(named: name),
            constantTimeEquals(person.password, form.value("password") ?? "")
        else { throw OAuthError(.invalidGrant, "Invalid user credentials", status: visit.isRealm ? .unauthorized : nil) }
        var approval = Approval(
            provider: visit.provider, client: client, person: person, scopes: try scopes(byDefault: ["profile", "email"]),
            authenticated: visit.cloud.clock.now)
        approval.audiences = try visit.resources(of: form)
        let isOffline = visit.isRealm || approval.scopes.contains("offline_access")
        return try await issue(approval, renewable: isOffline ? approval : nil)
    }

    /// With an assertion about a person, by a client or by an issuer that is registered as one (RFC 7523 section 2.1). There is no refresh
    /// token: whoever can make assertions needs none (RFC 7521 section 4.1).
    func redeemAssertion() async throws -> Response {
        guard client.mayUse(.jwtBearer) else { throw OAuthError(.unauthorizedClient, "The client may not use assertions as grants.") }
        guard let text = form.value("assertion") else { throw OAuthError(.invalidRequest, "The assertion is missing.") }
        let person: Person
        do throws(SignedAssertion.Fault) {
            let assertion = try SignedAssertion(text, to: visit)
            guard let issuer = visit.provider.client(assertion.issuer), issuer.mayUse(.jwtBearer),
                await visit.signed(assertion.token, by: issuer)
            else { throw SignedAssertion.Fault("The assertion's issuer is unknown, or it is not signed with the issuer's key.") }
            let subject = assertion.subject
            guard let known = visit.provider.person(subject: subject, for: issuer) ?? visit.provider.person(named: subject) else {
                throw SignedAssertion.Fault("The assertion's subject is not a user of the provider.")
            }
            try assertion.spend(in: visit, isIdentified: false)
            person = known
        } catch {
            throw OAuthError(.invalidGrant, error.explanation)
        }
        var approval = Approval(
            provider: visit.provider, client: client, person: person, scopes: try scopes().filter { $0 != "offline_access" },
            authenticated: visit.cloud.clock.now)
        approval.audiences = try visit.resources(of: form)
        return try await issue(approval)
    }
}
