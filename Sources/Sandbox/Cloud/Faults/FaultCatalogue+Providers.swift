package import Directory
import HTTPTypes
import WireFormats

extension FaultCatalogue {
    /// An error of the Graph API. It is selected by its code, such as `4`, by code and subcode, such as `190/463`, or by an equivalent code
    /// of AWS. (Meta for Developers, "Handling Errors", "Rate Limits"; statuses as observed by users of the service.)
    package struct GraphEntry: Sendable, Equatable {
        /// The Graph API's error code.
        package var code: Int
        /// The Graph API's `error_subcode`.
        package var subcode: Int?
        /// The HTTP status code.
        package var status: Int
        /// The message.
        package var message: String
        /// The value of `is_transient`.
        package var isTransient: Bool
    }

    /// Returns the error of Facebook's Graph API for a code, or `nil` if the catalogue does not have it.
    package static func graphEntry(_ code: String) -> GraphEntry? {
        graph[graphAliases[code] ?? code]
    }

    /// Returns the OAuth error for one of its own codes or for an equivalent code of AWS. (RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750
    /// section 3.1; other statuses are those of RFC 9110.)
    package static func oauthEntry(_ code: String) -> (code: String, status: Int, message: String)? {
        let code = oauthAliases[code] ?? code
        return oauth[code].map { (code == "too_many_requests" ? "temporarily_unavailable" : code, $0.0, $0.1) }
    }

    /// Returns the error codes of a kind of identity provider: those of the Graph API, or of OAuth.
    package static func entries(ofProviders kind: IdentityProvider.Kind) -> [String: Entry] {
        switch kind {
        case .facebook: graph.mapValues { Entry(status: HTTPResponse.Status(code: $0.status), message: $0.message) }
        case .openIDConnect, .amazon, .google, .github: oauth.mapValues { Entry(status: HTTPResponse.Status(code: $0.0), message: $0.1) }
        }
    }

    /// Returns the status with which a kind of identity provider sends an error code or its alias; `nil` for an unknown code.
    package static func status(of code: String, at kind: IdentityProvider.Kind) -> Int? {
        switch kind {
        case .facebook: graphEntry(code)?.status
        case .openIDConnect, .amazon, .google, .github: oauthEntry(code)?.status
        }
    }

    /// Returns whether identity providers can return the code.
    static func isProviderCode(_ code: String) -> Bool { graph[code] != nil || oauth[code] != nil || oauthAliases[code] != nil }

    private static let graphAliases = [
        "InternalError": "1", "InternalFailure": "1", "ServiceFailure": "1", "server_error": "1",
        "ServiceUnavailable": "2", "temporarily_unavailable": "2",
        "Throttling": "4", "ThrottlingException": "4", "RequestLimitExceeded": "4", "TooManyRequestsException": "4", "SlowDown": "4",
        "ExpiredToken": "190/463", "ExpiredTokenException": "190/463",
        "AccessDenied": "200", "AccessDeniedException": "200",
    ]

    private static let graph: [String: GraphEntry] = [
        "1": entry(1, 500, "An unknown error has occurred."),
        "2": entry(2, 503, "Service temporarily unavailable", isTransient: true),
        "4": entry(4, 403, "(#4) Application request limit reached", isTransient: true),
        "10": entry(10, 403, "(#10) Application does not have permission for this action"),
        "17": entry(17, 400, "(#17) User request limit reached", isTransient: true),
        "32": entry(32, 400, "(#32) Page request limit reached", isTransient: true),
        "102": entry(102, 400, "Session key invalid or no longer valid"),
        "190": entry(190, 401, "Invalid OAuth access token."),
        "190/458": entry(190, subcode: 458, 400, "Error validating access token: The user has not authorized application."),
        "190/459": entry(
            190, subcode: 459, 400,
            "Error validating access token: You cannot access the app till you log in to www.facebook.com and follow the instructions given."
        ),
        "190/460": entry(
            190, subcode: 460, 400,
            "Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons."
        ),
        "190/463": entry(190, subcode: 463, 401, "Error validating access token: Session has expired."),
        "190/464": entry(
            190, subcode: 464, 400,
            "Error validating access token: Sessions for the user are not allowed because the user is not a confirmed user."),
        "190/467": entry(
            190, subcode: 467, 400,
            "Error validating access token: This may be because the user logged out or may be due to a system error."),
        "200": entry(200, 403, "(#200) Permissions error"),
        "341": entry(341, 400, "(#341) Application limit reached", isTransient: true),
        "368": entry(368, 400, "(#368) The action attempted has been deemed abusive or is otherwise disallowed"),
        "613": entry(613, 400, "(#613) Calls to this api have exceeded the rate limit.", isTransient: true),
    ]

    private static func entry(
        _ code: Int, subcode: Int? = nil, _ status: Int, _ message: String, isTransient: Bool = false
    ) -> GraphEntry {
        GraphEntry(code: code, subcode: subcode, status: status, message: message, isTransient: isTransient)
    }

    private static let oauthAliases = [
        // The spelling of Login with Amazon.
        "ServerError": "server_error",
        "InternalError": "server_error", "InternalFailure": "server_error", "ServiceFailure": "server_error",
        "ServiceUnavailable": "temporarily_unavailable",
        "Throttling": "too_many_requests", "ThrottlingException": "too_many_requests", "RequestLimitExceeded": "too_many_requests",
        "TooManyRequestsException": "too_many_requests", "SlowDown": "too_many_requests",
        "ExpiredToken": "invalid_token", "ExpiredTokenException": "invalid_token",
        "AccessDenied": "access_denied", "AccessDeniedException": "access_denied",
    ]

    private static let oauth: [String: (Int, String)] = [
        "server_error": (500, "The server failed."),
        "temporarily_unavailable": (503, "The server is overloaded or under maintenance."),
        // OAuth has no code for this error.
        "too_many_requests": (429, "Too many requests."),
        "invalid_token": (401, "The access token has expired."),
        "access_denied": (403, "The request was refused."),
        "invalid_request": (400, "The request is malformed."),
        "invalid_client": (401, "Client authentication failed."),
        "invalid_grant": (400, "The grant is invalid, expired or revoked."),
        "invalid_scope": (400, "The scope is invalid."),
        "unauthorized_client": (400, "The client may not use this grant type."),
        "unsupported_grant_type": (400, "The grant type is not supported."),
        "insufficient_scope": (403, "The access token does not open this."),
    ]
}
