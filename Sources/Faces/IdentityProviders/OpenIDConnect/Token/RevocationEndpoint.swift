import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The revocation endpoint (RFC 7009).
struct RevocationEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "revocation_endpoint": .string(visit.url(of: .revocation)),
            "revocation_endpoint_auth_methods_supported": .array(ClientRegistration.authenticationMethods.map { .string($0) }),
            "revocation_endpoint_auth_signing_alg_values_supported": .array(
                ClientMetadata.assertionAlgorithms.map { .string($0) }),
        ]
    }

    func respond() async throws -> Response {
        try await visit.enter("Revoke")
        let form = try await visit.postedFields()
        let client = try await visit.clientOfTokenStatus(form)
        visit.call.note(caller: client.id)
        guard let token = form.value("token") else { throw OAuthError(.invalidRequest, "Token not provided.") }
        // Revoking an unknown token succeeds (section 2.2). Revoking another client's token fails with an error (section 2.1).
        guard let grant = try await visit.token(token)?.grant else { return Response(status: .ok, headers: .unstored) }
        guard grant.client == client.id else {
            throw visit.manners.refusals.foreignRevocation
        }
        // Revoking a refresh token also revokes everything that was issued on the same approval (section 2.1).
        if grant.kind == .refreshToken, let family = grant.family {
            try await visit.cloud.grants.revoke(family: family)
        } else {
            try await visit.cloud.grants.revoke(token)
        }
        return Response(status: .ok, headers: .unstored)
    }
}
