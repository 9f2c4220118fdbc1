import Calls
import Directory
import Federation
import WireFormats

/// The errors of an issuer in which Keycloak differs: codes, statuses and texts.
struct ProviderRefusals: Sendable {
    // MARK: Clients

    let missingClient: OAuthError
    let unknownClient: OAuthError
    let wrongSecret: OAuthError
    /// The error of the endpoints for introspection and revocation, for a client that did not authenticate; `nil` for the usual errors.
    let unauthenticatedClient: OAuthError?
    let publicIntrospection: OAuthError
    let foreignRevocation: OAuthError

    // MARK: Requests

    let missingGrantType: OAuthError
    let unsupportedGrantType: @Sendable (_ name: String) -> OAuthError
    let repeatedParameter: @Sendable (_ name: String) -> OAuthError
    let missingParameter: @Sendable (_ name: String) -> OAuthError
    let missingUserName: OAuthError
    /// The status for a client that may not act for itself.
    let clientCredentials: @Sendable (_ description: String) -> OAuthError

    // MARK: Users and their tokens

    let wrongPassword: OAuthError
    /// The error for the password of a person who must agree on a page.
    let consentRequired: OAuthError
    let disabledPerson: OAuthError
    /// The error for a code or a refresh token of a person whose account was disabled.
    let disabledHolder: OAuthError
    let code: @Sendable (AuthorizationCode.Fault) -> OAuthError
    let deviceFlow: OAuthError
    let deviceCode: @Sendable (DeviceGrant.Fault) -> OAuthError
    let unknownRefreshToken: OAuthError
    let foreignRefreshToken: OAuthError
    let expiredRefreshToken: OAuthError
    let usedRefreshToken: OAuthError
    let endedSession: OAuthError
    let revokedGrant: OAuthError
    let unknownAccessToken: String
    let missingOpenIDScope: String

    // MARK: The authorization endpoint

    let unknownClientPage: FaultPage
    let redirectURI: @Sendable (Client) -> FaultPage
    let logoutRedirectURI: @Sendable (Client) -> FaultPage
    let missingResponseType: AuthorizationFault
    let unsupportedResponseType: AuthorizationFault
    let unknownResponseMode: AuthorizationFault
    let tokensInQuery: @Sendable (_ mode: String) -> AuthorizationFault
    let missingNonce: AuthorizationFault
    let challenge: @Sendable (CodeChallengeFault) -> AuthorizationFault
    /// The code and the description for a request that nothing is issued on.
    let nothingIssued: @Sendable (AuthorizationRefusal) -> (code: String, description: String?)

    // MARK: The login page

    let wrongCredentials: String
    let disabledAccount: String
}

extension ProviderRefusals {
    /// The errors at `/idp/<name>`.
    static let virga = ProviderRefusals(
        missingClient: OAuthError(.invalidClient, "The client did not authenticate."),
        unknownClient: OAuthError(.invalidClient, "The client is unknown or its secret is wrong."),
        wrongSecret: OAuthError(.invalidClient, "The client is unknown or its secret is wrong."),
        unauthenticatedClient: nil,
        publicIntrospection: OAuthError(.invalidClient, "A public client may not introspect tokens."),
        foreignRevocation: OAuthError(.invalidGrant, "The token was issued to another client."),
        missingGrantType: OAuthError(.invalidRequest, "The grant_type is missing."),
        unsupportedGrantType: { OAuthError(.unsupportedGrantType, "The grant_type \($0) is not supported.") },
        repeatedParameter: { OAuthError(.invalidRequest, "The parameter \($0) is repeated.") },
        missingParameter: { OAuthError(.invalidRequest, "The \($0) is missing.") },
        missingUserName: OAuthError(.invalidRequest, "Missing parameter: username"),
        clientCredentials: { OAuthError(.unauthorizedClient, $0) },
        wrongPassword: OAuthError(.invalidGrant, "Invalid user credentials"),
        consentRequired: OAuthError(.invalidClient, "The client's users must agree on a page."),
        disabledPerson: OAuthError(.invalidGrant, "The user is disabled."),
        disabledHolder: OAuthError(.invalidGrant, "The user is disabled."),
        code: { OAuthError(.invalidGrant, $0.explanation) },
        deviceFlow: OAuthError(.unauthorizedClient, "The client may not use the device flow."),
        deviceCode: { fault in
            switch fault {
            case .unknown: OAuthError(.invalidGrant, "The device_code is unknown, was used, or was issued to another client.")
            case .expired: OAuthError(.expiredToken, "The device_code has expired.")
            case .pending: OAuthError(.authorizationPending, "The user has not decided yet.")
            case .slowDown: OAuthError(.slowDown, "The device polls too often.")
            case .denied: OAuthError(.accessDenied, "The user denied access.")
            }
        },
        unknownRefreshToken: OAuthError(.invalidGrant, unusableRefreshToken),
        foreignRefreshToken: OAuthError(.invalidGrant, unusableRefreshToken),
        expiredRefreshToken: OAuthError(.invalidGrant, unusableRefreshToken),
        usedRefreshToken: OAuthError(.invalidGrant, "The refresh_token was used before."),
        endedSession: OAuthError(.invalidGrant, unusableRefreshToken),
        revokedGrant: .revokedGrant,
        unknownAccessToken: "The access token is unknown, expired or revoked.",
        missingOpenIDScope: "The access token was not issued for the scope openid.",
        unknownClientPage: FaultPage(
            code: "invalid_client", explanation: "The request's client_id is not that of a registered application."),
        redirectURI: { client in
            FaultPage(
                code: "invalid_request",
                explanation: "The request's redirect_uri is not one that \(client.name) has registered. It must match exactly.")
        },
        logoutRedirectURI: { client in
            FaultPage(
                code: "invalid_request",
                explanation: "The post_logout_redirect_uri is not one that \(client.name) has registered. It must match exactly.")
        },
        missingResponseType: AuthorizationFault(.invalidRequest, "The response_type is missing."),
        unsupportedResponseType: AuthorizationFault(.unsupportedResponseType, "The response_type is not supported."),
        unknownResponseMode: AuthorizationFault(.invalidRequest, "The response_mode is unknown."),
        tokensInQuery: { AuthorizationFault(.invalidRequest, "Tokens are not returned in the response_mode \($0).") },
        missingNonce: AuthorizationFault(.invalidRequest, "An ID token from the authorization endpoint needs a nonce."),
        challenge: { AuthorizationFault(.invalidRequest, $0.explanation) },
        nothingIssued: { reason in
            let description =
                switch reason {
                case .accessDenied: "The user denied access."
                case .loginRequired: "The user that the request requires is not logged in."
                case .consentRequired: "The user has not consented, and the request does not allow a consent page."
                }
            return (reason.rawValue, description)
        },
        wrongCredentials: "The user name or the password is wrong.",
        disabledAccount: "This account is disabled. Contact your administrator.")

    private static let unusableRefreshToken = "The refresh_token is unknown, has expired or was issued to another client."
}
