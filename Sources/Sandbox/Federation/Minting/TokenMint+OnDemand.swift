import Cloud
import Directory
import WireFormats

/// A token that was requested without a login.
package struct MintedToken: Sendable, Equatable {
    /// The kind of token.
    package var kind: TokenOrder.Kind
    /// The token as a client receives it.
    package var token: String
    /// The provider's identifier of the person, or the `sub` of the requested claims.
    package var subject: String
    /// The client that the token is for.
    package var client: String
    /// The lifetime in seconds.
    package var expiresIn: Int
}

/// The reason why no token was issued.
package enum MintingError: Error, Equatable, Sendable {
    case unknownProvider(String)
    case unknownUser(String)
    /// The provider has no client with this identifier, or none at all if none was named.
    case unknownClient(String)
    /// The provider does not issue this kind of token.
    case kindNotPossible(TokenOrder.Kind)
    /// The token is opaque, so it has no claims, header or signature to change.
    case opaque(TokenOrder.Kind)
    /// The client has no redirect URI, and none was given for the code.
    case missingRedirectURI
    /// The lifetime is not between 1 second and ten years.
    case invalidLifetime
}

extension MintingError {
    /// The error for a member that was removed before the token was issued: the one for a member that is unknown.
    init(_ refusal: GrantRefusal, provider: String, user: String, client: String) {
        self =
            switch refusal {
            case .provider: .unknownProvider(provider)
            case .client: .unknownClient(client)
            // An access that is revoked at the same time ends with its user.
            case .person, .access: .unknownUser(user)
            }
    }
}

extension TokenMint {
    /// Returns the token that an application would have after this person's login. A token with a fault has no record.
    /// - Parameter issuerOrigin: the scheme and authority of the issuer, unless the provider has a fixed one.
    /// - Throws: `MintingError`, or an error of keys or database.
    package func token(_ order: TokenOrder, issuerOrigin: String) async throws -> MintedToken {
        guard var provider = cloud.directory.providers[order.provider] else { throw MintingError.unknownProvider(order.provider) }
        guard let person = provider.person(named: order.user) else { throw MintingError.unknownUser(order.user) }
        guard let client = order.client.map(provider.client) ?? provider.clients.first else {
            throw MintingError.unknownClient(order.client ?? "")
        }
        let descriptor = provider.kind.descriptor
        let kind = order.kind ?? (descriptor.signsIDTokens ? .idToken : .accessToken)
        if let lifetime = order.lifetime {
            guard (1...315_360_000).contains(lifetime) else { throw MintingError.invalidLifetime }
            provider.tokenLifetime = lifetime
            for index in provider.apis.indices { provider.apis[index].tokenLifetime = nil }
        }
        var approval = Approval(
            provider: provider, client: client, person: person, scopes: order.scopes ?? descriptor.scopes,
            authenticated: cloud.clock.now)
        approval.nonce = order.nonce
        approval.audiences = provider.audiences(ofScopes: approval.scopes, for: client)
        var minted = MintedToken(
            kind: kind, token: "", subject: order.claims["sub"]?.stringValue ?? provider.identifier(of: person, for: client),
            client: client.id, expiresIn: kind == .accessToken ? approval.accessTokenLifetime : provider.tokenLifetime)
        // Clients of a product accept only its own issuer.
        let canonical = provider.product == nil ? nil : provider.issuer
        let issuer = order.issuer ?? canonical ?? "\(provider.origins?.issuer ?? issuerOrigin)/idp/\(provider.name)"
        do {
            try await fill(&minted, order, kind, approval, issuer: issuer)
        } catch let refusal as GrantRefusal {
            throw MintingError(refusal, provider: provider.name, user: person.name, client: client.id)
        }
        if order.fault == .revoked { try await cloud.grants.revoke(minted.token) }
        return minted
    }

    private func fill(
        _ minted: inout MintedToken, _ order: TokenOrder, _ kind: TokenOrder.Kind, _ approval: Approval, issuer: String
    ) async throws {
        let provider = approval.provider
        switch kind {
        case .idToken:
            // ID tokens have no record that could be revoked.
            guard provider.kind.descriptor.signsIDTokens, order.fault != .revoked else {
                throw MintingError.kindNotPossible(kind)
            }
            minted.token = try await altered(
                idToken(approval, issuer: issuer), by: order.alteration, at: provider, secret: approval.client.idTokenSecret)
        case .accessToken
        where order.isSigned || order.isOfRealm || provider.accessTokenFormat(for: approval.audiences) == .jwt:
            guard !provider.kind.isSocial else { throw MintingError.kindNotPossible(kind) }
            minted.token = try await signedAccessToken(order, approval, issuer: issuer)
        case .accessToken, .refreshToken, .code:
            guard !order.needsSignature else { throw MintingError.opaque(kind) }
            (minted.token, minted.expiresIn) = try await opaqueToken(order, kind, approval)
        }
    }

    /// Returns a JWT access token and stores its grant, unless the token has a fault.
    private func signedAccessToken(_ order: TokenOrder, _ approval: Approval, issuer: String) async throws -> String {
        let provider = approval.provider
        let isLikeKeycloak = order.isOfRealm || provider.accessTokenFormat(for: approval.audiences) != .jwt
        let issued =
            try await isLikeKeycloak
            ? newSignedAccessToken(SignedAccess(approval), issuer: issuer) : newJWTAccessToken(approval, issuer: issuer)
        let altered = try await altered(issued.token, by: order.alteration, at: provider)
        if order.fault == nil || altered == issued.token { try await grantIssuer.keep(issued.grant, under: altered) }
        return altered
    }

    /// Returns an opaque token and its lifetime in seconds.
    private func opaqueToken(_ order: TokenOrder, _ kind: TokenOrder.Kind, _ approval: Approval) async throws -> (String, Int) {
        let refreshTokenLifetime = approval.provider.kind.descriptor.refreshTokenLifetime
        let usual =
            switch kind {
            case .idToken, .accessToken: approval.accessTokenLifetime
            case .refreshToken: order.lifetime ?? refreshTokenLifetime
            case .code: order.lifetime ?? Self.codeLifetime
            }
        let lifetime = order.fault == .expired ? -3600 : usual
        switch kind {
        case .idToken, .accessToken: return (try await accessToken(approval, lifetime: lifetime), lifetime)
        case .refreshToken:
            guard refreshTokenLifetime > 0 else { throw MintingError.kindNotPossible(kind) }
            return (try await refreshToken(approval, lifetime: lifetime), lifetime)
        case .code:
            guard let redirectURI = order.redirectURI ?? approval.client.redirectURIs.first else { throw MintingError.missingRedirectURI }
            // The values that are checked when the code is redeemed.
            var binding: JSONObject = ["redirect_uri": .string(redirectURI)]
            if let challenge = order.codeChallenge {
                binding["code_challenge"] = .string(challenge)
                binding["code_challenge_method"] = .string(order.codeChallengeMethod)
            }
            if approval.scopes.contains("offline_access") { binding["offline"] = true }
            return (try await code(approval, binding: binding, lifetime: lifetime), lifetime)
        }
    }
}
