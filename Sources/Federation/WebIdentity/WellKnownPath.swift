/// The path of metadata at the root of the host, with the issuer's path behind it (RFC 8414 section 3.1): RFC 8615 has well-known paths
/// nowhere else. OpenID Connect Discovery 1.0 section 4 appends its own to the issuer instead, which is taken as well.
package struct WellKnownPath: Equatable, Sendable {
    /// `/.well-known/…`, of which there are two.
    package let document: String
    /// What is between the host and the end: `/idp/<name>`, or Keycloak's `/realms/<name>`.
    package let issuerPath: String

    /// Where people's issuers are found by the names of people (RFC 7033 section 4).
    package static let webFinger = "/.well-known/webfinger"

    private static let documents = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"]

    /// Nothing for every other path.
    package init?(_ path: String) {
        guard path.hasPrefix("/.well-known/"), let document = Self.documents.first(where: { path.hasPrefix($0 + "/") }) else { return nil }
        self.document = document
        issuerPath = String(path.dropFirst(document.count))
    }
}
