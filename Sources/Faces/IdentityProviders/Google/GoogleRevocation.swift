import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// Google's revocation endpoint: with either token, it revokes everything that the user granted the application.
struct GoogleRevocation {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("Revoke")
        guard let token = try await visit.parameters().value("token") else {
            throw OAuthError(.invalidRequest, "Missing required parameter: token")
        }
        guard let grant = try await visit.token(token)?.grant else { throw OAuthError(.invalidToken, "Token expired or revoked") }
        visit.call.note(caller: grant.person)
        try await visit.cloud.grants.revokeAll(provider: grant.provider, client: grant.client, person: grant.person)
        return .json([:], headers: .unstored)
    }
}
