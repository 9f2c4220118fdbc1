import Cloud
import Exchange
import HTTPTypes
import WireFormats

/// The end of a session, as applications ask for it at an OpenID Connect issuer, and Keycloak's older way by refresh token.
struct RealmLogoutEndpoint {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("Logout")
        let endpoint = LogoutEndpoint(visit: visit)
        let parameters = try await endpoint.parameters()
        if visit.method == .post, let token = parameters.value("refresh_token") { return try await end(sessionOf: token, parameters) }
        return try await endpoint.respond(to: parameters)
    }

    /// Everything that the person gave the client ends with the token.
    private func end(sessionOf token: String, _ form: FormFields) async throws -> Response {
        let client: Client
        do {
            client = try ClientAuthentication.client(of: form, headers: visit.exchange.headers, at: visit.provider)
        } catch {
            throw OAuthError(.invalidClient, "Invalid client or Invalid client credentials")
        }
        let grants = visit.cloud.grants
        guard let grant = try grants.find(token, kind: .refreshToken, at: visit.provider.name), grant.client == client.id else {
            throw OAuthError(.invalidGrant, "Invalid refresh token")
        }
        visit.exchange.note(caller: grant.person)
        try await grants.revokeAll(provider: grant.provider, client: grant.client, person: grant.person)
        return Response(status: .noContent, headers: .unstored)
    }
}
