import Cloud
package import HTTPTypes
import WireFormats

/// An error in the format of RFC 6749 section 5.2, which OpenID Connect issuers, Amazon, Google and the mobile cloud use.
package struct OAuthError: Error, Equatable {
    /// The error codes. (RFC 6749 section 5.2 and its extensions.)
    package enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedResponseType = "unsupported_response_type"
        case unsupportedGrantType = "unsupported_grant_type"
        /// OpenID Connect Core 1.0 section 3.1.2.6.
        case invalidRequestObject = "invalid_request_object"
        case invalidRequestURI = "invalid_request_uri"
        case registrationNotSupported = "registration_not_supported"
        /// OpenID Connect Core Error Code UNMET_AUTHENTICATION_REQUIREMENTS 1.0.
        case unmetAuthenticationRequirements = "unmet_authentication_requirements"
        /// RFC 6750 section 3.1.
        case invalidToken = "invalid_token"
        case insufficientScope = "insufficient_scope"
        /// RFC 8707 section 2, RFC 8693 section 2.2.2.
        case invalidTarget = "invalid_target"
        /// RFC 9449 section 5.
        case invalidDPoPProof = "invalid_dpop_proof"
        /// RFC 9449 section 8.
        case useDPoPNonce = "use_dpop_nonce"
        /// RFC 7591 section 3.2.2.
        case invalidRedirectURI = "invalid_redirect_uri"
        case invalidClientMetadata = "invalid_client_metadata"
        /// Google's error of the token endpoint.
        case redirectURIMismatch = "redirect_uri_mismatch"
        /// RFC 8628 section 3.5.
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case expiredToken = "expired_token"
        case accessDenied = "access_denied"
        /// Amazon's error of the device flow.
        case invalidCodePair = "invalid_code_pair"
        case notFound = "not_found"
        case serverError = "server_error"
        /// Amazon's spelling.
        case amazonServerError = "ServerError"
    }

    /// The error code.
    package var code: Code
    package var description: String
    /// The HTTP status.
    package var status: HTTPResponse.Status
    /// The value of `WWW-Authenticate`, if the response needs it.
    package var challenge: String?
    /// The value of `Allow`, if the request used an unsupported method (RFC 9110 section 15.5.6).
    package var allow: String?

    /// - Parameter status: by default 401 for a client that failed to authenticate, else 400.
    package init(
        _ code: Code, _ description: String, status: HTTPResponse.Status? = nil, challenge: String? = nil, allow: String? = nil
    ) {
        self.code = code
        self.description = Self.printable(description)
        self.status = status ?? (code == .invalidClient ? .unauthorized : .badRequest)
        self.challenge = challenge
        self.allow = allow
    }

    /// Returns the description without the characters that RFC 6749 section 5.2 forbids; it may quote the request.
    package static func printable(_ description: String) -> String {
        description.filter { character in
            character.isASCII && character >= " " && character <= "~" && character != "\"" && character != "\\"
        }
    }

    /// The error for an unexpected failure.
    package static let internalError = OAuthError(.serverError, "The server failed.", status: .internalServerError)

    /// Creates the error for an unexpected failure.
    /// - Parameter code: as the provider writes it.
    package init(failure: any Error, code: Code = .serverError) {
        let isFull = FullStorage.isCause(of: failure)
        self.init(
            code, isFull ? FullStorage.message(for: failure) : Self.internalError.description,
            status: isFull ? .insufficientStorage : .internalServerError)
    }

    /// Returns the response: the error in JSON, which must not be cached.
    package func response(contentType: String = "application/json") -> Response {
        var headers = HTTPFields.unstored
        if let challenge { headers[.wwwAuthenticate] = challenge }
        if let allow { headers[.allow] = allow }
        let body: JSONValue = ["error": .string(code.rawValue), "error_description": .string(description)]
        return Response(status: status, contentType: contentType, headers: headers, text: body.serialized())
    }
}
