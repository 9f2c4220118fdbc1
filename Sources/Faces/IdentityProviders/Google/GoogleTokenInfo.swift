import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// Google's tokeninfo endpoint: the contents of a valid ID token or access token. Current versions return strings only; version 1 has other
/// names, and numbers.
struct GoogleTokenInfo {
    let visit: Visit
    var isOld = false

    func respond() async throws -> Response {
        try await visit.enter("TokenInfo")
        let parameters = try await visit.parameters()
        if let text = parameters.value("id_token") {
            let token = try await idToken(text)
            return .json(.object(isOld ? old(token) : current(token)), headers: .unstored)
        }
        if let text = parameters.value("access_token") ?? visit.authorization("bearer") {
            guard let token = try await GoogleAccessToken(text, in: visit) else { throw Self.invalid }
            return .json(.object(isOld ? old(token) : current(token)), headers: .unstored)
        }
        throw OAuthError(.invalidRequest, "Either access_token, id_token, or token_handle required")
    }

    private static let invalid = OAuthError(.invalidToken, "Invalid Value")

    private func idToken(_ text: String) async throws -> JSONWebToken {
        guard let token = try await visit.cloud.token(text, signedBy: visit.provider.name), isGoogles(token.claims), isTimely(token.claims)
        else { throw Self.invalid }
        return token
    }

    /// Older tokens have an issuer without scheme.
    private func isGoogles(_ claims: JSONObject) -> Bool {
        guard let issuer = claims["iss"]?.stringValue else { return false }
        return [issuer, "https://" + issuer].contains(visit.provider.issuer)
    }

    private func isTimely(_ claims: JSONObject) -> Bool {
        guard let issued = claims["iat"]?.integerValue, let expiry = claims["exp"]?.integerValue else { return false }
        let notBefore = claims["nbf"] == nil ? issued : claims["nbf"]?.integerValue ?? .max
        guard [issued, expiry, notBefore].allSatisfy({ (0...1 << 40).contains($0) }) else { return false }
        let now = visit.cloud.clock.now.seconds + visit.cloud.clock.aging(since: Timestamp(seconds: issued))
        return max(issued, notBefore) <= now + GoogleServiceAccount.tolerance && now < expiry
    }

    private func current(_ token: JSONWebToken) -> JSONObject {
        var info = JSONObject(aged(token.claims).members.map { ($0.name, .string(Self.text($0.value))) })
        for name in ["alg", "kid", "typ"] { info[name] = token.header[name] }
        return info
    }

    /// Returns the claims of a timely token with the times that any aging makes effective.
    private func aged(_ claims: JSONObject) -> JSONObject {
        var claims = claims
        let aging = claims["iat"]?.integerValue.map { visit.cloud.clock.aging(since: Timestamp(seconds: $0)) } ?? 0
        for name in ["iat", "nbf", "exp"] { claims[name] = claims[name]?.integerValue.map { .integer($0 - aging) } }
        return claims
    }

    private static func text(_ value: JSONValue) -> String { value.stringValue ?? value.serialized() }

    private func old(_ token: JSONWebToken) -> JSONObject {
        let claims = aged(token.claims)
        var info: JSONObject = [:]
        info["issuer"] = claims["iss"]
        info["issued_to"] = claims["azp"]
        info["audience"] = claims["aud"]
        info["user_id"] = claims["sub"]
        info["expires_in"] = claims["exp"]?.integerValue.map { .integer($0 - visit.cloud.clock.now.seconds) }
        info["issued_at"] = claims["iat"]
        info["nonce"] = claims["nonce"]
        info["email"] = claims["email"]
        info["email_verified"] = claims["email_verified"]
        return info
    }

    /// Returns the effective expiry, after any aging, in seconds since 1970.
    private func expiry(of token: GoogleAccessToken) -> Int64 {
        visit.cloud.clock.effectiveExpiry(token.grant.expires, issuedAt: token.grant.issued).seconds
    }

    private func accessType(of token: GoogleAccessToken) -> JSONValue {
        token.grant.details["offline"]?.boolValue == true ? "offline" : "online"
    }

    private func current(_ token: GoogleAccessToken) -> JSONObject {
        let expiry = expiry(of: token)
        var info: JSONObject = [
            "azp": .string(token.client.id), "aud": .string(token.client.id), "sub": .string(token.subject),
            "scope": .string(GoogleScope.spelledOut(token.scopes)), "exp": .string(String(expiry)),
            "expires_in": .string(String(expiry - visit.cloud.clock.now.seconds)),
        ]
        if token.scopes.contains("email") {
            for name in ["email", "email_verified"] { info[name] = token.claims[name].map { .string(Self.text($0)) } }
        }
        info["access_type"] = accessType(of: token)
        return info
    }

    private func old(_ token: GoogleAccessToken) -> JSONObject {
        var info: JSONObject = [
            "issued_to": .string(token.client.id), "audience": .string(token.client.id), "user_id": .string(token.subject),
            "scope": .string(GoogleScope.spelledOut(token.scopes)),
            "expires_in": .integer(expiry(of: token) - visit.cloud.clock.now.seconds),
        ]
        if token.scopes.contains("email") {
            info["email"] = token.claims["email"]
            info["verified_email"] = token.claims["email_verified"]
        }
        info["access_type"] = accessType(of: token)
        return info
    }
}
