import Cloud
import Exchange
import Federation
import Tokens
import WireFormats

/// Google's tokeninfo: what an ID token or access token says, if it is good, every value as a string.
struct GoogleTokenInfo {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("TokenInfo")
        let parameters = try await visit.parameters()
        if let token = parameters.value("id_token") { return .json(.object(try await idToken(token)), headers: .unstored) }
        if let token = parameters.value("access_token") { return .json(.object(try accessToken(token)), headers: .unstored) }
        throw OAuthError(.invalidRequest, "Either access_token, id_token, or token_handle required")
    }

    private static let invalid = OAuthError(.invalidToken, "Invalid Value")

    private func idToken(_ text: String) async throws -> JSONObject {
        guard let token = try? JSONWebToken(parsing: text), let identifier = token.keyID,
            let key = try await visit.cloud.verificationKey(identifier, of: visit.provider.name),
            (try? token.verify(with: key)) != nil,
            let issuedAt = token.claims["iat"]?.integerValue, let expiry = token.claims["exp"]?.integerValue,
            !visit.cloud.clock.hasExpired(Timestamp(seconds: expiry), issuedAt: Timestamp(seconds: issuedAt))
        else { throw Self.invalid }
        var info: JSONObject = [:]
        for (name, value) in token.claims.members { info[name] = .string(value.stringValue ?? value.serialized()) }
        for name in ["alg", "kid", "typ"] { info[name] = token.header[name] }
        return info
    }

    private func accessToken(_ token: String) throws -> JSONObject {
        guard let grant = try visit.cloud.grants.find(token, kind: .accessToken, at: visit.provider.name),
            let approval = Approval(grant, at: visit.provider)
        else { throw Self.invalid }
        let clock = visit.cloud.clock
        let expiry = grant.expires.seconds - clock.aging(since: grant.issued)
        var info: JSONObject = [
            "azp": .string(approval.client.id), "aud": .string(approval.client.id), "sub": .string(approval.person.subject),
            "scope": .string(GoogleScope.spelledOut(approval.scopes)), "exp": .string(String(expiry)),
            "expires_in": .string(String(expiry - clock.now.seconds)),
        ]
        if approval.scopes.contains("email") {
            for name in ["email", "email_verified"] {
                if let value = approval.person.claims[name] { info[name] = .string(value.stringValue ?? value.serialized()) }
            }
        }
        info["access_type"] = grant.details["offline"]?.boolValue == true ? "offline" : "online"
        return info
    }
}
