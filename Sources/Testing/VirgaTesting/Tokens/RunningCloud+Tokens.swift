import Cloud
import Directory
import Federation
import WireFormats

extension RunningCloud {
    /// Issues the token that an application holds after a user's login, or one with a defect that the application must reject.
    ///
    /// ```swift
    /// let good = try await cloud.token("company", user: "alice")
    /// let bad = try await cloud.token("company", user: "alice", fault: .wrongAudience)
    /// ```
    /// - Parameters:
    ///   - provider: the name of the identity provider.
    ///   - user: the user's login there.
    ///   - client: the client that the token is for; the provider's first one by default.
    ///   - kind: the kind of token; an ID token by default, or an access token of a provider that issues no ID tokens.
    ///   - fault: the defect.
    ///   - claims: claims that are added or replaced.
    ///   - missingClaims: claims that are removed.
    ///   - lifetime: whole seconds up to ten years; the provider's usual lifetime by default.
    ///   - scopes: the granted scopes; the usual ones by default.
    ///   - nonce: the value of the claim `nonce`.
    /// - Throws: ``CloudError`` if the cloud has no such provider, user or client, or the provider issues no such token.
    public func token(
        _ provider: String, user: String, client: String? = nil, kind: Token.Kind? = nil, fault: TokenFault? = nil,
        claims: [String: ClaimValue] = [:], missingClaims: [String] = [], lifetime: Duration? = nil, scopes: [String]? = nil,
        nonce: String? = nil
    ) async throws -> Token {
        var order = TokenOrder(provider: provider, user: user)
        order.client = client
        order.kind = kind?.ordered
        order.isSigned = kind == .signedAccessToken
        order.fault = fault.map { Federation.TokenFault($0) }
        order.claims = .init(claims: claims)
        order.missingClaims = missingClaims
        order.scopes = scopes
        order.nonce = nonce
        if let lifetime {
            guard lifetime.components.attoseconds == 0 else {
                throw CloudError(.invalidArgument, "'lifetime' must be whole seconds, from one second to ten years.")
            }
            order.lifetime = Int(lifetime.components.seconds)
        }
        return try await withSandbox { sandbox in
            do {
                return Token(try await TokenMint(cloud: sandbox).token(order, issuerOrigin: endpoint))
            } catch let error as MintingError {
                throw CloudError(error, order, in: sandbox)
            }
        }
    }
}

extension Token.Kind {
    fileprivate var ordered: TokenOrder.Kind {
        switch self {
        case .idToken: .idToken
        case .accessToken, .signedAccessToken: .accessToken
        case .refreshToken: .refreshToken
        case .code: .code
        }
    }
}

extension CloudError {
    fileprivate init(_ error: MintingError, _ order: TokenOrder, in cloud: Cloud) {
        func oneOf(_ names: [String]) -> String { names.isEmpty ? "it has none" : "expected one of \(names.joined(separator: ", "))" }
        let provider = cloud.directory.providers[order.provider]
        self =
            switch error {
            case .unknownProvider(let name):
                CloudError(.unknownProvider, "The cloud has no provider '\(name)'; \(oneOf(cloud.directory.providers.keys.sorted())).")
            case .unknownUser(let name):
                CloudError(
                    .unknownUser,
                    "The provider '\(order.provider)' has no user '\(name)'; \(oneOf(provider?.people.map(\.name) ?? [])).")
            case .unknownClient(let id):
                CloudError(
                    .unknownClient, "The provider '\(order.provider)' has no client '\(id)'; \(oneOf(provider?.clients.map(\.id) ?? [])).")
            case .kindNotPossible(let kind):
                CloudError(.tokenNotPossible, "The provider '\(order.provider)' does not issue this \(kind.rawValue).")
            case .opaque(let kind):
                CloudError(
                    .tokenNotPossible,
                    "This \(kind.rawValue) is opaque: it has no claims, header or signature, so the only possible faults are expired and revoked."
                )
            case .missingRedirectURI:
                CloudError(.tokenNotPossible, "The client has no redirect URI, which an authorization code needs. Add one to the seed.")
            case .invalidLifetime: CloudError(.invalidArgument, "'lifetime' must be whole seconds, from one second to ten years.")
            }
    }
}
