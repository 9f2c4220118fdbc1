import Calls
import Cloud
import Directory
import WireFormats

/// Google's revocation endpoint: with either token, it revokes everything that the user granted the application.
struct GoogleRevocation {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("Revoke")
        guard let token = try await visit.parameters().value("token") else {
            throw OAuthError(.invalidRequest, "Missing required parameter: token")
        }
        let grants = visit.cloud.grants
        guard
            let grant = try grants.find(token, kind: .accessToken, at: visit.provider.name)
                ?? grants.find(token, kind: .refreshToken, at: visit.provider.name)
        else { throw OAuthError(.invalidToken, "Token expired or revoked") }
        visit.call.note(caller: grant.person)
        try await grants.revokeAll(provider: grant.provider, client: grant.client, person: grant.person)
        return .json([:], headers: .unstored)
    }
}
