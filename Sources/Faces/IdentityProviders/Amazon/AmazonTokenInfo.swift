import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The tokeninfo endpoint: the user and the application of a Login with Amazon access token.
struct AmazonTokenInfo {
    let visit: Visit

    func document() async throws -> JSONObject {
        try await visit.enter("TokenInfo")
        let (grant, approval) = try await AmazonAccessToken(visit: visit).holder()
        let clock = visit.cloud.clock
        let aging = clock.aging(since: grant.issued)
        return [
            "aud": .string(approval.client.id),
            "user_id": .string(approval.person.subject),
            "iss": "https://www.amazon.com",
            // The remaining seconds, not a date.
            "exp": .integer(grant.expires.seconds - aging - clock.now.seconds),
            "app_id": .string(approval.client.applicationID ?? approval.client.id),
            "iat": .integer(grant.issued.seconds - aging),
        ]
    }
}

/// The profile endpoint: a user's profile, limited to the token's scopes (Login with Amazon Developer Guide, "Obtain Customer Profile").
struct AmazonProfile {
    let visit: Visit

    func document() async throws -> JSONObject {
        try await visit.enter("Profile")
        let approval = try await AmazonAccessToken(visit: visit).holder().approval
        guard approval.scopes.contains(where: AmazonAuthorizeEndpoint.scopes.contains) else {
            throw OAuthError(
                .insufficientScope, "The access token provided does not have access to the required scope.", status: .unauthorized)
        }
        var profile: JSONObject = ["user_id": .string(approval.person.subject)]
        if approval.scopes.contains("profile") {
            for name in ["name", "email"] { profile[name] = approval.person.claims[name] }
        }
        if approval.scopes.contains("postal_code") { profile["postal_code"] = approval.person.claims["postal_code"] }
        return profile
    }
}

/// The access token of a request: in the query, in `Authorization`, or in Amazon's own header.
private struct AmazonAccessToken {
    let visit: Visit

    /// Returns the grant and the approval of the token.
    /// - Throws: `OAuthError` with the texts of the real service.
    func holder() async throws -> (grant: Grant, approval: Approval) {
        let token =
            try visit.query().value("access_token") ?? visit.authorization("bearer") ?? visit.call.headers[.amazonAccessToken]
        guard let token else {
            throw OAuthError(.invalidRequest, "The request is missing a required parameter : access_token")
        }
        guard let grant = try await visit.grant(ofAccessToken: token),
            let approval = Approval(grant, at: visit.provider)
        else { throw OAuthError(.invalidToken, "The request has an invalid parameter : access_token") }
        visit.call.note(caller: approval.person.name)
        return (grant, approval)
    }
}
