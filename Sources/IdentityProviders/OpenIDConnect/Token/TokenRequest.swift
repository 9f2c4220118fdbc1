import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// A request to the token endpoint by a client that has proven itself.
struct TokenRequest {
    let visit: Visit
    let form: FormFields
    @Shared var client: Client
    /// Of the key that the request proves to hold, if it does (RFC 9449 section 5).
    let keyThumbprint: String?

    private var grants: GrantStore { visit.cloud.grants }

    /// With the code of a login (RFC 6749 section 4.1.3).
    func redeemCode() async throws -> Response {
        guard let text = form.value("code") else { throw OAuthError(.invalidRequest, "The code is missing.") }
        guard let redirectURI = form.value("redirect_uri") else {
            throw OAuthError(.invalidRequest, "The redirect_uri is missing.")
        }
        let code = AuthorizationCode(text: text, visit: visit)
        let grant: Grant
        do {
            grant = try await code.check(by: client, redirectURI: redirectURI, verifier: form.value("code_verifier"))
        } catch let fault as AuthorizationCode.Fault {
            throw OAuthError(.invalidGrant, Self.explanation(of: fault))
        }
        if let bound = grant.details["dpop_jkt"]?.stringValue, bound != keyThumbprint {
            throw OAuthError(.invalidGrant, "The code is bound to a key, and the request does not prove to hold it.")
        }
        guard let approval = Approval(grant, at: visit.provider) else {
            throw OAuthError(.invalidGrant, "The person of the code is unknown.")
        }
        // Keycloak gives a refresh token to everybody.
        let isOffline = visit.isRealm || grant.details["offline"]?.boolValue == true
        var access = approval
        access.audiences = try audiences(within: approval.audiences)
        return try await issue(access, renewable: isOffline ? approval : nil, spending: IssuedGrant(grant, token: text))
    }

    private static func explanation(of fault: AuthorizationCode.Fault) -> String {
        switch fault {
        case .unknown, .otherClient: "The code is unknown, or was given to another client."
        case .expired: "The code has expired."
        case .alreadyUsed: "The code was used before; the tokens issued on it are revoked."
        case .otherRedirectURI: "The redirect_uri is not the one of the authorization request."
        case .missingVerifier: "The code_verifier is missing."
        case .unexpectedVerifier: "There was no code_challenge, so that there can be no code_verifier."
        case .wrongVerifier: "The code_verifier does not fit the code_challenge."
        }
    }

    /// With a refresh token (RFC 6749 section 6). Each is for one use and is followed by another; a second use shows that somebody has it
    /// who should not, and ends all that was issued on the approval (RFC 9700 section 4.14.2).
    func refresh() async throws -> Response {
        guard let token = form.value("refresh_token") else { throw OAuthError(.invalidRequest, "The refresh_token is missing.") }
        let unknown = OAuthError(.invalidGrant, "The refresh_token is unknown, has expired or was given to another client.")
        guard let grant = try grants.look(up: token, kind: .refreshToken, at: visit.provider.name), grant.client == client.id else {
            throw unknown
        }
        if grant.isSpent { throw try await reuse(of: grant) }
        guard !visit.cloud.clock.hasExpired(grant.expires, issuedAt: grant.issued),
            var approval = Approval(grant, at: visit.provider)
        else { throw unknown }
        if let bound = approval.keyThumbprint, bound != keyThumbprint {
            throw OAuthError(.invalidGrant, "The refresh_token is bound to a key, and the request does not prove to hold it.")
        }
        // The nonce belongs to the authorization request alone (OpenID Connect Core 1.0 section 12.2).
        approval.nonce = nil
        // The next refresh token is for what the first one was for, even if the access token is for less.
        let renewable = approval
        if let scopes = try narrowedScopes(within: approval.scopes) { approval.scopes = scopes }
        approval.audiences = try audiences(within: approval.audiences)
        return try await issue(approval, renewable: renewable, spending: IssuedGrant(grant, token: token))
    }

    private func reuse(of grant: Grant) async throws -> OAuthError {
        // Keycloak's own answer leaves the session alone.
        if !visit.isRealm, let family = grant.family { try await grants.revoke(family: family) }
        return OAuthError(.invalidGrant, "The refresh_token was used before.")
    }

    /// Issues an access token, and beside it what the approval is good for.
    /// - Parameters:
    ///   - renewable: what a refresh token is issued for, if one is.
    ///   - spent: the grant for one use that all of it is issued on, if it is.
    func issue(_ approval: Approval, renewable: Approval? = nil, spending spent: IssuedGrant? = nil) async throws -> Response {
        visit.call.note(caller: approval.person.name)
        var approval = approval
        approval.keyThumbprint = keyThumbprint
        let isRenewable = renewable != nil && client.mayUse(.refreshToken)
        if spent == nil, !isRenewable, let token = try visit.sealedAccessToken(approval) {
            return try await answer(approval, accessToken: token, refreshToken: nil)
        }
        var access = try await visit.newAccessToken(approval)
        var issued: [IssuedGrant] = []
        if isRenewable, var renewable {
            // A client that proves itself needs no other proof with its refresh tokens (RFC 9449 section 5).
            renewable.keyThumbprint = client.isPublic ? keyThumbprint : nil
            issued.append(try visit.newRefreshToken(renewable))
        }
        if spent != nil || !issued.isEmpty {
            let family = try spent?.grant.family ?? randomBytes(16).base64url
            access.grant.family = family
            for index in issued.indices { issued[index].grant.family = family }
        }
        let refreshToken = issued.first?.token
        issued.append(access)
        guard try await grants.keep(issued, spending: spent?.token) else {
            // Another request with the same code or token was faster.
            if let spent, let used = try grants.look(up: spent.token, kind: spent.grant.kind, at: spent.grant.provider) {
                throw try await reuse(of: used)
            }
            throw OAuthError(.invalidGrant, "What the tokens would be issued on has been revoked.")
        }
        return try await answer(approval, accessToken: access.token, refreshToken: refreshToken)
    }

    /// `DPoP` for tokens that are bound to a key (RFC 9449 section 5).
    var tokenType: String { keyThumbprint == nil ? "Bearer" : "DPoP" }

    private func answer(_ approval: Approval, accessToken: String, refreshToken: String?) async throws -> Response {
        var body: JSONObject = [
            "access_token": .string(accessToken), "token_type": .string(tokenType),
            "expires_in": .integer(Int64(visit.provider.tokenLifetime)),
            "scope": .string(approval.scopes.joined(separator: " ")),
        ]
        if let refreshToken { body["refresh_token"] = .string(refreshToken) }
        if visit.isRealm {
            body["refresh_expires_in"] = .integer(Int64(TokenMint.refreshTokenLifetime(of: .openIDConnect)))
            body["not-before-policy"] = 0
        }
        if approval.scopes.contains("openid") {
            body["id_token"] = .string(
                try await visit.mint.idToken(
                    approval, issuer: visit.issuer, accessToken: accessToken, claims: visit.realmClaims(of: approval)))
        }
        return .json(.object(body), headers: .unstored)
    }

    /// Those of the request, which has at least one if it has any (RFC 6749 section 3.3), and none that was not granted before.
    func narrowedScopes(within granted: [String]) throws -> [String]? {
        guard let scope = form.value("scope") else { return nil }
        let asked = scope.split(separator: " ").map(String.init)
        guard !asked.isEmpty else { throw OAuthError(.invalidScope, "The scope is blank.") }
        guard asked.allSatisfy(granted.contains) else {
            throw OAuthError(.invalidScope, "The scope is wider than the one that was granted.")
        }
        return asked
    }

    /// Those of the request that the provider knows; a realm's clients have some without asking.
    /// - Throws: `OAuthError` for one that the client has not registered for.
    func scopes(byDefault usual: [String] = []) throws -> [String] {
        // As bytes: every request passes here, and to compare characters takes ten times as long.
        let asked = (form.value("scope") ?? "").utf8.split(separator: UInt8(ascii: " "))
        let named = OpenIDConnectMetadata.scopes.filter { scope in asked.contains { $0.elementsEqual(scope.utf8) } }
        if let other = client.unregistered(of: named) { throw OAuthError.unregistered(other) }
        return visit.isRealm ? client.scopes(named, byDefault: usual) : named
    }
}
