import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The logout endpoint of a realm: OpenID Connect's RP-initiated logout, and Keycloak's own logout with a refresh token.
struct RealmLogoutEndpoint {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("Logout")
        let endpoint = LogoutEndpoint(visit: visit)
        let parameters = try await endpoint.parameters()
        if visit.method == .post, let token = parameters.value("refresh_token") { return try await end(sessionOf: token, parameters) }
        if let page = visit.resubmissionPage(parameters) { return page }
        return try await endpoint.respond(to: parameters)
    }

    /// Ends the token's session and notifies all its applications. An offline token, or one issued without a browser, is only revoked
    /// itself, together with its family. The session may have ended already.
    private func end(sessionOf token: String, _ form: FormFields) async throws -> Response {
        let client = try await visit.client(of: form)
        let grants = visit.cloud.grants
        let done = OpenIDConnectFace(visit: visit).shared(Response(status: .noContent, headers: .unstored))
        guard let grant = try grants.look(up: token, kind: .refreshToken, at: visit.provider.name) else {
            guard visit.isOwnRefreshToken(token) else { throw visit.manners.refusals.unknownRefreshToken }
            return done
        }
        guard grant.client == client.id else { throw visit.manners.refusals.foreignRefreshToken }
        visit.call.note(caller: grant.person)
        try await grants.revoke(token)
        if let family = grant.family { try await grants.revoke(family: family) }
        if let id = grant.details["sid"]?.stringValue, grant.details["scope"]?.stringValue?.contains("offline_access") != true,
            let session = try await BrowserSession.end(id, of: grant.person, in: visit)
        {
            await LogoutNotice(session: session, visit: visit).send()
        }
        return done
    }
}
