/// The origins that an issuer of this server reports for itself and its endpoints: scheme and authority without a trailing slash. The
/// request determines those that are `nil`.
///
/// A browser and an application may reach the same issuer under different names. The issuer must have the same name for both, or the
/// application rejects the tokens (OpenID Connect Discovery 1.0 section 4.3).
package struct IssuerOrigins: Hashable, Sendable, Codable {
    /// The origin of the issuer identifier, and so of the claim `iss`.
    package var issuer: String?
    /// The origin of the endpoints that a browser opens.
    package var browser: String?
    /// The origin of the endpoints that the application calls itself.
    package var backChannel: String?

    package init(issuer: String? = nil, browser: String? = nil, backChannel: String? = nil) {
        self.issuer = issuer
        self.browser = browser
        self.backChannel = backChannel
    }
}
