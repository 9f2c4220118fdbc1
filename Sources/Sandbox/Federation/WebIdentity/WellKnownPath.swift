import WireFormats

/// A metadata path at the root of the host, followed by the issuer's path (RFC 8414 section 3.1), because RFC 8615 allows well-known paths
/// only there. OpenID Connect Discovery 1.0 section 4 appends its path to the issuer instead, which is accepted too.
package struct WellKnownPath: Equatable, Sendable {
    /// The well-known document, `/.well-known/…`; there are two.
    package let document: String
    /// The part after the document: `/idp/<name>`, or Keycloak's `/realms/<name>`.
    package let issuerPath: String

    /// The path of WebFinger, which returns the issuer of a person (RFC 7033 section 4).
    package static let webFinger = "/.well-known/webfinger"

    /// The path of the file that names a provider of browser logins. (W3C, "Federated Credential Management API", "The Well-Known File".)
    package static let webIdentity = "/.well-known/web-identity"

    /// The path of the metadata of OpenID Connect (OpenID Connect Discovery 1.0 section 4).
    package static let openIDConfiguration = "/.well-known/openid-configuration"

    /// The path of the metadata of OAuth (RFC 8414 section 3).
    package static let authorizationServer = "/.well-known/oauth-authorization-server"

    private static let documents = [authorizationServer, openIDConfiguration]

    /// Parses a path; `nil` for any other path.
    package init?(_ path: String) {
        guard path.hasPrefix("/.well-known/"), let document = Self.documents.first(where: { path.hasPrefix($0 + "/") }) else { return nil }
        self.document = document
        issuerPath = String(path.dropFirst(document.count))
    }
}
