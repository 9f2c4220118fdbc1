import Cloud
package import WireFormats

/// A token that was asked for without a login.
package struct MintedToken: Sendable, Equatable {
    package var token: String
    /// The provider's identifier of the person, or what `claims` made of it.
    package var subject: String
    /// The client that the token is for.
    package var client: String
    /// Seconds.
    package var expiresIn: Int
}

/// Why no token was made.
package enum MintingError: Error, Equatable, Sendable {
    case unknownProvider(String)
    case unknownUser(String)
    /// The provider has no such client, or none at all where none was named.
    case unknownClient(String)
    /// Facebook's and Amazon's tokens are opaque: they carry no claims that could be set.
    case claimsNotPossible
    /// Not from 1 second to ten years.
    case invalidLifetime
}

extension TokenMint {
    /// What an application would hold after this person's login: the ID token at OpenID Connect issuers and Google, the
    /// access token at Facebook and Amazon.
    ///
    /// - Parameters:
    ///   - client: the client's identifier; the provider's first client where absent.
    ///   - claims: replace those of the ID token, or add to them.
    ///   - lifetime: seconds; the provider's usual ones where absent.
    ///   - issuerOrigin: scheme and authority that the issuer is spelled with.
    /// - Throws: `MintingError`, or an error of keys or database.
    package func token(
        provider name: String, user: String, client: String?, claims: JSONObject, lifetime: Int?, issuerOrigin: String
    ) async throws -> MintedToken {
        guard let provider = cloud.directory.providers[name] else { throw MintingError.unknownProvider(name) }
        guard let person = provider.person(named: user) else { throw MintingError.unknownUser(user) }
        guard let client = client.map(provider.client) ?? provider.clients.first else {
            throw MintingError.unknownClient(client ?? "")
        }
        if let lifetime, !(1...315_360_000).contains(lifetime) { throw MintingError.invalidLifetime }
        var minted = MintedToken(
            token: "", subject: person.subject, client: client.id, expiresIn: lifetime ?? provider.tokenLifetime)
        var approval = Approval(provider: provider, client: client, person: person, scopes: [], authenticated: cloud.clock.now)
        switch provider.kind {
        case .openIDConnect, .google:
            approval.scopes = ["openid", "profile", "email", "address", "phone"]
            minted.subject = claims["sub"]?.stringValue ?? person.subject
            minted.token = try await idToken(
                approval, issuer: "\(issuerOrigin)/idp/\(provider.name)", claims: claims, lifetime: lifetime)
        case .facebook, .amazon:
            guard claims.isEmpty else { throw MintingError.claimsNotPossible }
            approval.scopes = provider.kind == .facebook ? ["public_profile", "email"] : ["profile"]
            if provider.kind == .facebook { minted.subject = client.facebookID(of: person) }
            minted.token = try await accessToken(approval, lifetime: lifetime)
        }
        return minted
    }
}
