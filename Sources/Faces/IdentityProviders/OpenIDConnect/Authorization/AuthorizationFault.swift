import Calls

/// An error response of the authorization endpoint to the application (RFC 6749 section 4.1.2.1, OpenID Connect Core 1.0 section 3.1.2.6).
struct AuthorizationFault: Error {
    var code: OAuthError.Code
    var description: String

    init(_ code: OAuthError.Code, _ description: String) {
        self.code = code
        self.description = OAuthError.printable(description)
    }
}
