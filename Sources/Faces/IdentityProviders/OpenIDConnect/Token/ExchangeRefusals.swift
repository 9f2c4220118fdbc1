import Calls
import HTTPTypes
import WireFormats

/// The errors of a token exchange in which Keycloak differs.
struct ExchangeRefusals: Sendable {
    let requestedType: OAuthError
    let subjectWithoutUser: OAuthError
    let foreignSubject: OAuthError
    let unknownToken: @Sendable (_ parameter: String) -> OAuthError
    let unknownAudience: @Sendable (_ name: String) -> OAuthError
    /// The error for a client that registered itself, and may exchange tokens only for itself.
    let forbiddenAudience: @Sendable (_ name: String) -> OAuthError

    /// The errors at `/idp/<name>` (RFC 8693 section 2.2.2).
    static let virga = ExchangeRefusals(
        requestedType: OAuthError(.invalidRequest, "The requested_token_type is not issued by exchange."),
        subjectWithoutUser: OAuthError(.invalidRequest, "The subject_token does not identify a user."),
        foreignSubject: OAuthError(.invalidRequest, "The subject_token was neither issued to the client nor for it."),
        unknownToken: { OAuthError(.invalidRequest, "The \($0) is unknown, has expired or was revoked.") },
        unknownAudience: { OAuthError(.invalidTarget, "The audience \($0) is unknown.") },
        forbiddenAudience: { name in
            OAuthError(.invalidTarget, "The client registered itself, so it may not exchange tokens for the audience \(name).")
        })

    /// The errors of Keycloak 26.
    static let keycloak = ExchangeRefusals(
        requestedType: OAuthError(.invalidRequest, "requested_token_type unsupported"),
        subjectWithoutUser: OAuthError(.invalidRequest, "Invalid token"),
        foreignSubject: OAuthError(.accessDenied, "Client is not within the token audience", status: .forbidden),
        unknownToken: { _ in OAuthError(.invalidRequest, "Invalid token") },
        unknownAudience: { _ in OAuthError(.invalidClient, "Audience not found", status: .badRequest) },
        forbiddenAudience: { _ in OAuthError(.accessDenied, "Client not allowed to exchange", status: .forbidden) })
}

extension ProviderManners {
    /// The errors of a token exchange.
    var exchangeRefusals: ExchangeRefusals { isRealm ? .keycloak : .virga }
}
