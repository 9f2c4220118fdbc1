import Cloud
import Directory
import WireFormats

/// The URL of an app's page that a token is posted to.
struct RedirectURI: Sendable {
    let text: String
    /// The scheme, host and port, in the syntax of a source in a content security policy.
    let origin: String

    /// - Parameter policy: the value of `Security_SsoRedirectWhitelist`.
    /// - Throws: ``MobileError`` if the text is not an absolute HTTP or HTTPS URL without a fragment, or matches no pattern of the policy.
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
