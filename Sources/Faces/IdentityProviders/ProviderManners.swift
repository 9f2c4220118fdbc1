/// What differs between an issuer at its own paths and the same issuer as a Keycloak realm. The path of a request selects the manners.
///
/// Each property is one difference. The texts of errors are in ``ProviderRefusals``.
struct ProviderManners: Sendable {
    // MARK: Paths

    /// Whether paths and documents are those of a Keycloak realm.
    let isRealm: Bool
    /// Whether only pages at the web origins of a client may read responses to its requests. Otherwise all pages may.
    let restrictsOrigins: Bool

    // MARK: Login

    /// Whether users must agree to the scopes of clients that do not say whether they require it.
    let requiresConsent: Bool
    /// Whether people may type their e-mail address, or their user name in another case, to log in.
    let logsInByMail: Bool
    /// Whether there is a page for registration, which `prompt=create` requests too.
    let registersPeople: Bool

    // MARK: Authorization requests

    /// Whether a registered redirect URI may end in `*`, and a relative one belongs to this host.
    let acceptsWildcards: Bool
    /// Whether a client without logout URIs may redirect to its redirect URIs after a logout.
    let redirectsAfterLogout: Bool
    /// Whether a PKCE challenge may be `plain` (RFC 7636 section 4.2).
    let acceptsPlainChallenges: Bool
    /// Whether public clients must send a PKCE challenge (RFC 9700 section 2.1.1).
    let requiresChallenge: Bool
    /// Whether clients may name resources (RFC 8707).
    let acceptsResources: Bool
    /// Whether clients get the scopes `profile` and `email` without a request.
    let addsDefaultScopes: Bool
    /// Whether clients may name scopes that they have in any case and that are not listed.
    let hasUnlistedScopes: Bool
    /// Whether the error for a scope quotes the whole parameter.
    let quotesScopes: Bool

    // MARK: Token requests

    /// Whether an unknown `grant_type` is refused before the client authenticates.
    let readsGrantTypeFirst: Bool
    /// Whether a client may send its secret in the header and in the body, whichever it registered.
    let acceptsEitherSecretMethod: Bool
    /// Whether a missing password or redirect URI is a wrong one.
    let takesMissingForWrong: Bool
    /// Whether a disabled account is reported before its password is checked.
    let revealsDisabledAccounts: Bool
    /// Whether clients that require consent may not send passwords, since consent needs a page.
    let asksForConsentOnPages: Bool
    /// Whether only access tokens can be exchanged, for clients of which the user has a role.
    let exchangesAccessTokensOnly: Bool

    // MARK: Tokens

    /// Whether access tokens and refresh tokens are signed, with Keycloak's claims.
    let signsTokens: Bool
    /// Whether codes, passwords and devices always get a refresh token.
    let alwaysRenews: Bool
    /// Whether refresh tokens of providers that do not say so can be used only once.
    let revokesRefreshTokens: Bool
    /// Whether token responses have `session_state`, `refresh_expires_in` and `not-before-policy`, and every login has a session.
    let namesSessions: Bool

    /// The manners at `/idp/<name>`: the recommendations of OAuth and OpenID Connect.
    static let virga = ProviderManners(
        isRealm: false, restrictsOrigins: false,
        requiresConsent: true, logsInByMail: false, registersPeople: false,
        acceptsWildcards: false, redirectsAfterLogout: false, acceptsPlainChallenges: false, requiresChallenge: true,
        acceptsResources: true, addsDefaultScopes: false, hasUnlistedScopes: false, quotesScopes: false,
        readsGrantTypeFirst: false, acceptsEitherSecretMethod: false, takesMissingForWrong: false,
        revealsDisabledAccounts: false, asksForConsentOnPages: false, exchangesAccessTokensOnly: false,
        signsTokens: false, alwaysRenews: false, revokesRefreshTokens: true, namesSessions: false)

    /// The manners at `/realms/<name>` and `/auth/realms/<name>`: the defaults of Keycloak 26.
    static let keycloak = ProviderManners(
        isRealm: true, restrictsOrigins: true,
        requiresConsent: false, logsInByMail: true, registersPeople: true,
        acceptsWildcards: true, redirectsAfterLogout: true, acceptsPlainChallenges: true, requiresChallenge: false,
        acceptsResources: false, addsDefaultScopes: true, hasUnlistedScopes: true, quotesScopes: true,
        readsGrantTypeFirst: true, acceptsEitherSecretMethod: true, takesMissingForWrong: true,
        revealsDisabledAccounts: true, asksForConsentOnPages: true, exchangesAccessTokensOnly: true,
        signsTokens: true, alwaysRenews: true, revokesRefreshTokens: false, namesSessions: true)

    /// The texts of errors.
    var refusals: ProviderRefusals { isRealm ? .keycloak : .virga }
}
