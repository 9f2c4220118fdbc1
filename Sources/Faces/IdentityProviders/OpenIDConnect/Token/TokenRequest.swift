import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// A request to the token endpoint by an authenticated client.
struct TokenRequest {
    let visit: Visit
    let form: FormFields
    @Shared var client: Client
    /// The thumbprint of the key that a DPoP proof proves possession of; `nil` without a proof (RFC 9449 section 5).
    let keyThumbprint: String?

    /// Issues what a grant gives the client.
    func issue(_ access: GrantedAccess) async throws -> Response {
        visit.note(account: access.account(for: client))
        return switch access {
        case .user(let access): try await issue(access)
        case .client(let defaultScopes): try await issueToClient(defaultScopes)
        case .exchange(let exchange): try await issue(exchange)
        }
    }

    /// Issues tokens for a user, after the checks that all grants have in common.
    private func issue(_ access: UserAccess) async throws -> Response {
        if let binding = access.binding, let bound = binding.keyThumbprint, bound != keyThumbprint {
            throw OAuthError(
                .invalidGrant, "The \(binding.parameter) is bound to a key, and the request has no proof of possession.")
        }
        let (approval, renewable) = try limited(access)
        return try await issue(approval, renewable: renewable, redeeming: access.redeemed, isReusable: access.isReusable)
    }

    /// Returns the approval for the access token and, if there is to be one, the approval for the refresh token. The refresh token keeps
    /// what was approved, even if the access token has less.
    private func limited(_ access: UserAccess) throws -> (approval: Approval, renewable: Approval?) {
        var approval = access.approval
        var renewable = approval
        switch access.extent {
        case .requested(let defaultScopes):
            let granted = try granted(byDefault: visit.manners.addsDefaultScopes ? defaultScopes : [])
            approval.scopes = granted.scopes
            // Without a refresh token, there is no offline access.
            if case .never = access.renewal { approval.scopes.removeAll { $0 == "offline_access" } }
            approval.audiences = granted.audiences
            renewable = approval
        case .approved: try limitAudiences(&approval)
        case .narrowed:
            try limitAudiences(&approval)
            try limitScopes(&approval)
        }
        switch access.renewal {
        case .always: return (approval, renewable)
        case .offline: return (approval, renewable.scopes.contains("offline_access") ? renewable : nil)
        case .never: return (approval, nil)
        }
    }

    /// Issues an access token and, depending on the approval, a refresh token and an ID token.
    /// - Parameters:
    ///   - renewable: the approval for a refresh token, if one is issued.
    ///   - redeemed: the grant that is redeemed, if any.
    ///   - isReusable: whether it can be redeemed again.
    private func issue(
        _ approval: Approval, renewable: Approval?, redeeming redeemed: IssuedGrant?, isReusable: Bool
    ) async throws -> Response {
        visit.call.note(caller: approval.person.name)
        var approval = approval
        approval.keyThumbprint = keyThumbprint
        let isRenewable = renewable != nil && client.mayUse(.refreshToken)
        if redeemed == nil, !isRenewable, let token = try visit.sealedAccessToken(approval) {
            return try await answer(approval, accessToken: token, refreshToken: nil)
        }
        return try await issueStored(approval, renewable: isRenewable ? renewable : nil, redeeming: redeemed, isReusable: isReusable)
    }

    /// Issues tokens of which the sandbox keeps the grants.
    @inline(never)
    private func issueStored(
        _ approval: Approval, renewable: Approval?, redeeming redeemed: IssuedGrant?, isReusable: Bool
    ) async throws -> Response {
        var access = try await visit.newAccessToken(approval)
        var issued: [IssuedGrant] = []
        if var renewable {
            // A confidential client authenticates, so its refresh tokens need no binding to a key (RFC 9449 section 5).
            renewable.keyThumbprint = client.isPublic ? keyThumbprint : nil
            issued.append(try visit.newRefreshToken(renewable))
        }
        if redeemed != nil || !issued.isEmpty {
            let family = try redeemed?.grant.family ?? randomBytes(16).base64url
            access.grant.family = family
            for index in issued.indices { issued[index].grant.family = family }
        }
        let refreshToken = issued.first?.token
        issued.append(access)
        let isKept =
            try await isReusable
            ? visit.grantIssuer.keep(issued, using: redeemed?.token) : visit.grantIssuer.keep(issued, spending: redeemed?.token)
        guard isKept else {
            // A concurrent request has used the same code or token, or revoked it.
            let known = try redeemed.flatMap { try visit.cloud.grants.look(up: $0.token, kind: $0.grant.kind, at: $0.grant.provider) }
            if let known { throw try await reuse(of: known) }
            throw visit.manners.refusals.revokedGrant
        }
        return try await answer(approval, accessToken: access.token, refreshToken: refreshToken)
    }

    /// Revokes what was issued on an approval whose token is used twice, and returns the error.
    func reuse(of grant: Grant) async throws -> OAuthError {
        if let family = grant.family { try await visit.cloud.grants.revoke(family: family) }
        return grant.kind == .code ? visit.manners.refusals.code(.alreadyUsed) : visit.manners.refusals.usedRefreshToken
    }

    /// Issues a token to a client that acts for itself.
    private func issueToClient(_ defaultScopes: [String]) async throws -> Response {
        let rules = ScopeRules(visit: visit, client: client)
        let granted = try granted(byDefault: visit.manners.addsDefaultScopes ? defaultScopes : rules.ownScopes)
        var access = SignedAccess(
            provider: visit.provider, client: client, scopes: granted.scopes, authenticated: visit.cloud.clock.now)
        access.keyThumbprint = keyThumbprint
        access.audiences = granted.audiences
        visit.call.note(caller: client.id)
        let issued = try await newAccessToken(access)
        try await visit.grantIssuer.keep(issued.grant, under: issued.token)
        var body: JSONObject = [
            "access_token": .string(issued.token), "token_type": .string(tokenType),
            "expires_in": .integer(Int64(access.lifetime)), "scope": .string(access.scopes.joined(separator: " ")),
        ]
        if visit.manners.namesSessions {
            body["refresh_expires_in"] = 0
            body["not-before-policy"] = 0
        }
        return .json(.object(body), headers: .unstored)
    }

    /// Returns a token of a client that acts for itself: Keycloak's in a realm, otherwise a JWT unless the API wants opaque ones.
    private func newAccessToken(_ access: SignedAccess) async throws -> IssuedGrant {
        if visit.manners.signsTokens { return try await visit.mint.newSignedAccessToken(access, issuer: visit.issuer) }
        return switch visit.provider.ownAccessTokenFormat(ofAPIs: access.audiences) ?? .jwt {
        case .opaque: try visit.mint.newOpaqueAccessToken(ofClient: access)
        case .jwt: try await visit.mint.newJWTAccessToken(ofClient: access, issuer: visit.issuer)
        }
    }

    /// The token type: `DPoP` for tokens that are bound to a key (RFC 9449 section 5).
    var tokenType: String { keyThumbprint == nil ? "Bearer" : "DPoP" }

    private func answer(_ approval: Approval, accessToken: String, refreshToken: String?) async throws -> Response {
        var body: JSONObject = [
            "access_token": .string(accessToken), "token_type": .string(tokenType),
            "expires_in": .integer(Int64(approval.accessTokenLifetime)),
            "scope": .string(approval.scopes.joined(separator: " ")),
        ]
        if let refreshToken { body["refresh_token"] = .string(refreshToken) }
        for (name, value) in visit.productMembers(of: approval, form).members { body[name] = value }
        if visit.manners.namesSessions {
            let lifetime = refreshToken == nil ? 0 : visit.provider.kind.descriptor.refreshTokenLifetime
            body["refresh_expires_in"] = .integer(Int64(lifetime))
            body["not-before-policy"] = 0
            if let session = approval.sessionID { body["session_state"] = .string(session) }
        }
        if approval.scopes.contains("openid") {
            body["id_token"] = .string(
                try await visit.idToken(approval, accessToken: accessToken, claims: try visit.realmClaims(of: approval)))
        }
        return .json(.object(body), headers: .unstored)
    }

    /// Returns the requested scopes, which must be among the granted ones; `nil` if none are requested (RFC 6749 section 3.3).
    func narrowedScopes(within granted: [String]) throws -> [String]? {
        guard let scope = form.value("scope") else { return nil }
        let asked = scope.split(separator: " ").map(String.init)
        guard !asked.isEmpty else { throw OAuthError(.invalidScope, "The scope is blank.") }
        guard asked.allSatisfy(granted.contains) else {
            throw OAuthError(.invalidScope, "The scope is wider than the one that was granted.")
        }
        return asked
    }

    /// Returns the scopes and the audiences that the client gets.
    /// - Parameter usual: the scopes of a request without any.
    /// - Throws: `OAuthError` for scopes and audiences that the client may not have.
    func granted(byDefault usual: [String]) throws -> ScopeRules.Granted {
        let audiences = try selectedAudiences()
        do {
            return try ScopeRules(visit: visit, client: client).granted(form.value("scope"), byDefault: usual, at: audiences)
        } catch {
            throw OAuthError(.invalidScope, error.explanation)
        }
    }
}
