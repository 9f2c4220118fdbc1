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

    private var grants: GrantStore { visit.cloud.grants }

    /// Redeems an authorization code (RFC 6749 section 4.1.3).
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
            throw OAuthError(.invalidGrant, "The code is bound to a key, and the request has no proof of possession.")
        }
        guard let approval = Approval(grant, at: visit.provider) else {
            throw unknownUser(.authorizationCode)
        }
        // Keycloak always issues a refresh token.
        let isOffline = visit.isRealm || grant.details["offline"]?.boolValue == true
        var access = approval
        access.audiences = try audiences(within: approval.audiences)
        return try await issue(access, renewable: isOffline ? approval : nil, spending: IssuedGrant(grant, token: text))
    }

    private static func explanation(of fault: AuthorizationCode.Fault) -> String {
        switch fault {
        case .unknown, .otherClient: "The code is unknown, or was issued to another client."
        case .expired: "The code has expired."
        case .alreadyUsed: "The code was used before; the tokens issued on it are revoked."
        case .otherRedirectURI: "The redirect_uri is not the one of the authorization request."
        case .missingVerifier: "The code_verifier is missing."
        case .unexpectedVerifier: "The authorization request had no code_challenge, so the code_verifier is not allowed."
        case .wrongVerifier: "The code_verifier does not fit the code_challenge."
        }
    }

    /// Redeems a refresh token (RFC 6749 section 6). Each can be used once and is replaced by another. A second use indicates a stolen
    /// token and revokes everything that was issued on the approval (RFC 9700 section 4.14.2).
    func refresh() async throws -> Response {
        guard let token = form.value("refresh_token") else { throw OAuthError(.invalidRequest, "The refresh_token is missing.") }
        let unknown = unknownUser(.refreshToken)
        guard let grant = try grants.look(up: token, kind: .refreshToken, at: visit.provider.name), grant.client == client.id else {
            throw unknown
        }
        let fault = visit.grantVerifier.fault(of: grant)
        if fault == .spent { throw try await reuse(of: grant) }
        guard fault == nil, var approval = Approval(grant, at: visit.provider) else { throw unknown }
        if let bound = approval.keyThumbprint, bound != keyThumbprint {
            throw OAuthError(.invalidGrant, "The refresh_token is bound to a key, and the request has no proof of possession.")
        }
        // The nonce belongs only to the authorization request (OpenID Connect Core 1.0 section 12.2).
        approval.nonce = nil
        // The next refresh token keeps the original scopes, even if the access token has fewer.
        let renewable = approval
        if let scopes = try narrowedScopes(within: approval.scopes) { approval.scopes = scopes }
        approval.audiences = try audiences(within: approval.audiences)
        return try await issue(approval, renewable: renewable, spending: IssuedGrant(grant, token: token))
    }

    private func reuse(of grant: Grant) async throws -> OAuthError {
        // Keycloak's own response does not end the session.
        if !visit.isRealm, let family = grant.family { try await grants.revoke(family: family) }
        return OAuthError(.invalidGrant, "The refresh_token was used before.")
    }

    /// Issues an access token and, depending on the approval, a refresh token and an ID token.
    /// - Parameters:
    ///   - renewable: the approval for a refresh token, if one is issued.
    ///   - spent: the single-use grant that is redeemed, if any.
    func issue(_ approval: Approval, renewable: Approval? = nil, spending spent: IssuedGrant? = nil) async throws -> Response {
        visit.call.note(caller: approval.person.name)
        var approval = approval
        approval.keyThumbprint = keyThumbprint
        let isRenewable = renewable != nil && client.mayUse(.refreshToken)
        if spent == nil, !isRenewable, let token = try visit.sealedAccessToken(approval) {
            return try await answer(approval, accessToken: token, refreshToken: nil)
        }
        return try await issueStored(approval, renewable: isRenewable ? renewable : nil, spending: spent)
    }

    /// Issues tokens of which the sandbox keeps the grants.
    @inline(never)
    private func issueStored(_ approval: Approval, renewable: Approval?, spending spent: IssuedGrant?) async throws -> Response {
        var access = try await visit.newAccessToken(approval)
        var issued: [IssuedGrant] = []
        if var renewable {
            // A confidential client authenticates, so its refresh tokens need no binding to a key (RFC 9449 section 5).
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
        guard try await visit.grantIssuer.keep(issued, spending: spent?.token) else {
            // A concurrent request has used the same code or token.
            if let spent, let used = try grants.look(up: spent.token, kind: spent.grant.kind, at: spent.grant.provider) {
                throw try await reuse(of: used)
            }
            throw OAuthError.revokedGrant
        }
        return try await answer(approval, accessToken: access.token, refreshToken: refreshToken)
    }

    /// The token type: `DPoP` for tokens that are bound to a key (RFC 9449 section 5).
    var tokenType: String { keyThumbprint == nil ? "Bearer" : "DPoP" }

    private func answer(_ approval: Approval, accessToken: String, refreshToken: String?) async throws -> Response {
        var body: JSONObject = [
            "access_token": .string(accessToken), "token_type": .string(tokenType),
            "expires_in": .integer(Int64(visit.provider.tokenLifetime)),
            "scope": .string(approval.scopes.joined(separator: " ")),
        ]
        if let refreshToken { body["refresh_token"] = .string(refreshToken) }
        if visit.isRealm {
            body["refresh_expires_in"] = .integer(Int64(visit.provider.kind.descriptor.refreshTokenLifetime))
            body["not-before-policy"] = 0
        }
        if approval.scopes.contains("openid") {
            body["id_token"] = .string(
                try await visit.mint.idToken(
                    approval, issuer: visit.issuer, accessToken: accessToken, claims: visit.realmClaims(of: approval)))
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

    /// Returns the requested scopes that the provider has. In a realm, clients have some scopes by default.
    /// - Throws: `OAuthError` for a scope that the client has not registered.
    func scopes(byDefault usual: [String] = []) throws -> [String] {
        let asked = (form.value("scope") ?? "").utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
        let named = OpenIDConnectMetadata.scopes.filter { scope in asked.contains(where: scope.equals) }
        if let other = client.unregistered(of: named) { throw OAuthError.unregistered(other) }
        return visit.isRealm ? client.scopes(named, byDefault: usual) : named
    }
}
