import Federation

/// A token without a login.
public struct Token: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of token.
    public enum Kind: Sendable, Hashable {
        /// An ID token of OpenID Connect.
        case idToken
        /// An access token in the provider's own format.
        case accessToken
        /// An access token that is a JWT, as Keycloak issues them.
        case signedAccessToken
        /// A refresh token.
        case refreshToken
        /// An authorization code.
        case code
    }

    /// The token as a client receives it.
    public let value: String
    /// The provider's identifier of the user, or the claim `sub` that was requested.
    public let subject: String
    /// The client that the token is for.
    public let client: String
    /// The lifetime from now on; negative if the token has expired.
    public let lifetime: Duration

    /// The token as a client receives it.
    public var description: String { value }

    init(_ token: MintedToken) {
        value = token.token
        subject = token.subject
        client = token.client
        lifetime = .seconds(token.expiresIn)
    }
}
