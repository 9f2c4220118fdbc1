import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

extension TokenRequest {
    /// Issues a token to a client that acts for itself (RFC 6749 section 4.4). The token is signed, because an opaque one needs a user in
    /// its record.
    func serveClient() async throws -> Response {
        guard !client.isPublic else { throw unauthorized("Public client not allowed to retrieve service account") }
        guard client.mayUse(.clientCredentials) else { throw unauthorized("Client not enabled to retrieve service account") }
        var access = SignedAccess(
            provider: visit.provider, client: client, scopes: try scopes(byDefault: ["profile", "email"]),
            authenticated: visit.cloud.clock.now)
        access.keyThumbprint = keyThumbprint
        access.audiences = try visit.resources(of: form)
        visit.call.note(caller: client.id)
        let isJWT = !visit.isRealm && visit.provider.accessTokenFormat == .jwt
        let issued =
            try await isJWT
            ? visit.mint.newJWTAccessToken(ofClient: access, issuer: visit.issuer)
            : visit.mint.newSignedAccessToken(access, issuer: visit.issuer)
        try await visit.grantIssuer.keep(issued.grant, under: issued.token)
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

    /// Returns the error for a client that may not use this grant (RFC 6749 section 5.2). Keycloak, from which the text comes, returns its
    /// own status.
    private func unauthorized(_ description: String) -> OAuthError {
        OAuthError(.unauthorizedClient, description, status: visit.isRealm ? .unauthorized : nil)
    }
}
