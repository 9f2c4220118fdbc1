import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

extension ProviderRefusals {
    /// The errors of Keycloak 26. The status of a wrong password is that of its releases before 26.6.
    static let keycloak = ProviderRefusals(
        missingClient: OAuthError(.invalidClient, invalidClient),
        unknownClient: OAuthError(.invalidClient, invalidClient),
        wrongSecret: OAuthError(.unauthorizedClient, invalidClient, status: .unauthorized),
        unauthenticatedClient: authenticationFailed,
        publicIntrospection: authenticationFailed,
        foreignRevocation: OAuthError(.invalidToken, "Unmatching clients"),
        missingGrantType: OAuthError(.invalidRequest, "Missing form parameter: grant_type"),
        unsupportedGrantType: { _ in OAuthError(.unsupportedGrantType, "Unsupported grant_type") },
        repeatedParameter: { _ in OAuthError(.invalidRequest, "duplicated parameter") },
        missingParameter: { name in
            OAuthError(.invalidRequest, name == "refresh_token" ? "No refresh token" : "Missing parameter: \(name)")
        },
        missingUserName: OAuthError(.invalidRequest, "Missing parameter: username", status: .unauthorized),
        clientCredentials: { OAuthError(.unauthorizedClient, $0, status: .unauthorized) },
        wrongPassword: OAuthError(.invalidGrant, "Invalid user credentials", status: .unauthorized),
        consentRequired: OAuthError(.invalidClient, "Client requires user consent", status: .badRequest),
        disabledPerson: OAuthError(.invalidGrant, "Account disabled"),
        disabledHolder: OAuthError(.invalidGrant, "User disabled"),
        code: { OAuthError(.invalidGrant, description(of: $0)) },
        deviceFlow: OAuthError(.invalidGrant, "Client not allowed OAuth 2.0 Device Authorization Grant"),
        deviceCode: { fault in
            switch fault {
            case .unknown: OAuthError(.invalidGrant, "Device code not valid")
            case .expired: OAuthError(.expiredToken, "Device code is expired")
            case .pending: OAuthError(.authorizationPending, "The authorization request is still pending")
            case .slowDown: OAuthError(.slowDown, "Slow down")
            case .denied: OAuthError(.accessDenied, "The end user denied the authorization request")
            }
        },
        unknownRefreshToken: OAuthError(.invalidGrant, "Invalid refresh token"),
        foreignRefreshToken: OAuthError(.invalidGrant, "Invalid refresh token. Token client and authorized client don't match"),
        expiredRefreshToken: OAuthError(.invalidGrant, "Token is not active"),
        usedRefreshToken: OAuthError(.invalidGrant, "Maximum allowed refresh token reuse exceeded"),
        endedSession: OAuthError(.invalidGrant, "Session not active"),
        revokedGrant: OAuthError(.invalidGrant, "Session not active"),
        unknownAccessToken: "Token verification failed",
        missingOpenIDScope: "Missing openid scope",
        unknownClientPage: FaultPage(code: "client_not_found", explanation: "Client not found."),
        redirectURI: { _ in FaultPage(code: "invalid_redirect_uri", explanation: "Invalid parameter: redirect_uri") },
        logoutRedirectURI: { _ in FaultPage(code: "invalid_redirect_uri", explanation: "Invalid redirect uri") },
        missingResponseType: AuthorizationFault(.invalidRequest, "Missing parameter: response_type"),
        unsupportedResponseType: AuthorizationFault(.unsupportedResponseType, ""),
        unknownResponseMode: AuthorizationFault(.invalidRequest, "Invalid parameter: response_mode"),
        tokensInQuery: { _ in AuthorizationFault(.invalidRequest, "Response_mode 'query' not allowed for implicit or hybrid flow") },
        missingNonce: AuthorizationFault(.invalidRequest, "Missing parameter: nonce"),
        challenge: { fault in
            let description =
                switch fault {
                case .missingChallenge: "Missing parameter: code_challenge"
                case .unsupportedMethod: "Invalid parameter: code_challenge_method"
                case .malformedChallenge: "Invalid parameter: code_challenge"
                }
            return AuthorizationFault(.invalidRequest, description)
        },
        nothingIssued: { reason in
            switch reason {
            case .accessDenied, .loginRequired: return (reason.rawValue, nil)
            case .consentRequired: return ("interaction_required", nil)
            }
        },
        wrongCredentials: "Invalid username or password.",
        disabledAccount: "Account is disabled, contact your administrator.")

    private static let invalidClient = "Invalid client or Invalid client credentials"
    private static let authenticationFailed = OAuthError(.invalidRequest, "Authentication failed.", status: .unauthorized)

    private static func description(of fault: AuthorizationCode.Fault) -> String {
        switch fault {
        case .unknown, .alreadyUsed: "Code not valid"
        case .expired: "Code is expired"
        case .otherClient: "Auth error: Found different client_id in clientSession"
        case .otherRedirectURI: "Incorrect redirect_uri"
        case .missingVerifier: "PKCE code verifier not specified"
        case .unexpectedVerifier: "PKCE code verifier specified but challenge not present in authorization"
        case .wrongVerifier: "PKCE verification failed: Code mismatch"
        }
    }
}
