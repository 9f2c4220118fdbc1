import WireFormats

/// The issuer of the tokens that authenticate an account's users and roles to external services.
/// (IAM User Guide, "Federating AWS identities to external services".)
package struct OutboundIssuer: Sendable, Codable {
    /// A UUID, which is the permanent name of the issuer.
    package var id: String
    /// Whether it issues tokens. Its documents are available in any case, for tokens that have not expired.
    package var isEnabled: Bool

    package init(id: String, isEnabled: Bool) {
        self.id = id
        self.isEnabled = isEnabled
    }

    /// The path prefix of this sandbox's issuers. No bucket name begins like this.
    package static let path = "/_aws/tokens/"
    /// The parent domain of the issuers of AWS.
    package static let domain = "tokens.sts.global.api.aws"

    /// Returns whether a URL is that of an account's issuer, here or at AWS. AWS does not accept them for federation into AWS.
    package static func isIssuer(_ url: String) -> Bool { url.contains(path) || url.contains(".\(domain)") }

    /// The name of its keys.
    package var keyName: String { "outbound/\(id)" }
}
