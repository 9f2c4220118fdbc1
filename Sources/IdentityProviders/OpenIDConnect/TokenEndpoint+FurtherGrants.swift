import Cloud
import Cryptography
import Exchange
import Federation
import HTTPTypes
import WireFormats

extension TokenEndpoint {
    /// A client that acts for itself (RFC 6749 section 4.4). Its token is signed, since there is nobody whom an opaque one could
    /// lead to.
    func serveClient(_ form: FormFields, client: Client) async throws -> Response {
        guard client.secret != nil else { throw unauthorized("Public client not allowed to retrieve service account") }
        guard client.mayUse(.clientCredentials) else { throw unauthorized("Client not enabled to retrieve service account") }
        let access = SignedAccess(
            provider: visit.provider, client: client, scopes: scopes(asked: form, byDefault: ["profile", "email"]),
            authenticated: visit.cloud.clock.now)
        visit.exchange.note(caller: client.id)
        let token = try await visit.mint.signedAccessToken(access, issuer: visit.issuer)
        var body: JSONObject = [
            "access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(Int64(visit.provider.tokenLifetime)),
            "scope": .string(access.scopes.joined(separator: " ")),
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
    func servePassword(_ form: FormFields, client: Client) async throws -> Response {
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
        let approval = Approval(
            provider: visit.provider, client: client, person: person,
            scopes: scopes(asked: form, byDefault: visit.isRealm ? ["profile", "email"] : []),
            authenticated: visit.cloud.clock.now)
        let isOffline = visit.isRealm || approval.scopes.contains("offline_access")
        return try await answer(
            approval, accessToken: try await accessToken(approval),
            refreshToken: isOffline ? try await visit.mint.refreshToken(approval) : nil)
    }

    /// Those that the provider knows; a realm's clients have some without asking.
    private func scopes(asked form: FormFields, byDefault usual: [String]) -> [String] {
        let asked = (form.value("scope") ?? "").split(separator: " ").map(String.init)
        return OpenIDConnectMetadata.scopes.filter { asked.contains($0) || visit.isRealm && usual.contains($0) }
    }
}
