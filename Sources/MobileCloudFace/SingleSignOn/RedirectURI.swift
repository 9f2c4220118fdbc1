import Cloud
import Directory

/// The page of an app that a token is posted to.
struct RedirectURI: Sendable {
    let text: String
    /// Scheme, host and port, as a content security policy names a source.
    let origin: String

    /// - Parameter policy: `Security_SsoRedirectWhitelist`.
    /// - Throws: ``MobileError`` for what is no absolute http or https URL without a fragment, and for one that no pattern of the policy
    ///   matches.
    init(_ text: String, listedIn policy: String?) throws(MobileError) {
        guard ServiceProviderMetadata.isWebAddress(text), let mark = text.firstRange(of: "://") else {
            throw MobileError(.malformedRequest, "The redirect_uri must be an absolute http or https URL without a fragment.")
        }
        guard URLPatterns(policy).allows(redirect: text) else {
            throw MobileError(.redirectNotAllowed, "The redirect_uri matches no pattern of the policy Security_SsoRedirectWhitelist.")
        }
        self.text = text
        origin = String(text[..<mark.upperBound] + text[mark.upperBound...].prefix { $0 != "/" && $0 != "?" })
    }
}
