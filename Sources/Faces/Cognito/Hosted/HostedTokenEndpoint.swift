import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The token endpoint of a user pool. (Amazon Cognito Developer Guide, "Token endpoint".)
struct HostedTokenEndpoint: Sendable {
    let visit: HostedVisit

    func respond() async throws -> Response {
        try await visit.enter("Token")
        let form = try await visit.call.form()
        if let name = form.repeatedName { throw HostedTokenError.invalidRequest("The parameter \(name) is given twice.") }
        guard let grant = form.value("grant_type") else { throw HostedTokenError.invalidRequest("grant_type is missing.") }
        let client = try visit.client(sending: form)
        visit.call.note(caller: "\(visit.pool.arn)/client/\(client.id)")
        // A client whose grants are off has none. (Public reports about clients without `AllowedOAuthFlowsUserPoolClient`.)
        guard client.oauthSettings.isEnabled else { throw HostedTokenError.invalidGrant("The grants of the app client are off.") }
        switch grant {
        case "client_credentials": return try await tokens(of: client, form)
        default: throw HostedTokenError("unsupported_grant_type", "The grant type \(grant) is not known.")
        }
    }

    /// Issues a token for the client itself. Without `scope`, it has all scopes that the client can ask for.
    private func tokens(of client: UserPoolClient, _ form: FormFields) async throws -> Response {
        guard client.oauthSettings.allows(.clientCredentials) else {
            throw HostedTokenError.unauthorizedClient("The app client cannot use client_credentials.")
        }
        guard let scopes = client.scopes(asked: form.value("scope"), in: visit.pools), !scopes.isEmpty else {
            throw HostedTokenError.invalidScope("The app client cannot ask for these scopes.")
        }
        let (token, lifetime) = try await visit.logins.clientToken(of: client, of: visit.pool, scopes: scopes)
        return Self.response(["access_token": .string(token), "expires_in": .integer(Int64(lifetime)), "token_type": "Bearer"])
    }

    private static func response(_ members: JSONObject) -> Response { .json(.object(members), headers: .unstored) }
}

extension UserPoolClient {
    /// Returns the scopes that a request gets: those that it asks for, or all that the client can ask for. A scope whose resource server has
    /// lost it is left out silently. (Amazon Cognito Developer Guide, "Defining resource servers for your user pool".)
    /// - Parameter scope: the parameter `scope`; `nil` if there is none.
    /// - Returns: `nil` if the client cannot ask for one of them.
    func scopes(asked scope: String?, in pools: UserPools) -> [String]? {
        let allowed = oauthSettings.scopes
        let asked = scope?.split(separator: " ").map(String.init) ?? allowed
        guard asked.allSatisfy({ allowed.contains($0) }) else { return nil }
        let existing = pools.scopes(of: pool)
        var scopes: [String] = []
        for name in asked where existing.contains(name) && !scopes.contains(name) { scopes.append(name) }
        // The scopes of attributes need `openid`.
        guard scopes.contains(UserPoolScope.openID) || !scopes.contains(where: { UserPoolScope.ofAttributes.contains($0) }) else {
            return nil
        }
        return scopes
    }
}
