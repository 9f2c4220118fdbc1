/// Where an issuer of ours says that it and its endpoints are: scheme and authority without a trailing slash. What is absent is as the
/// asker addressed it.
///
/// Browser and application may reach the same issuer under different names; its own name must be one for both, or the application
/// refuses the tokens (OpenID Connect Discovery 1.0 section 4.3).
package struct IssuerOrigins: Hashable, Sendable, Codable {
    /// What the issuer's name, the claim `iss` with it, begins with.
    package var issuer: String?
    /// Of the endpoints that a person is sent to.
    package var browser: String?
    /// Of the endpoints that the application itself calls.
    package var backChannel: String?

    package init(issuer: String? = nil, browser: String? = nil, backChannel: String? = nil) {
        self.issuer = issuer
        self.browser = browser
        self.backChannel = backChannel
    }
}
