/// The issuer of the tokens by which an account's users and roles prove themselves to services elsewhere.
/// (IAM User Guide, "Federating AWS identities to external services".)
package struct OutboundIssuer: Sendable, Codable {
    /// A UUID, which is the issuer's name for good.
    package var id: String
    /// Whether it makes tokens. Its documents are there either way, for tokens that are still out.
    package var isEnabled: Bool

    package init(id: String, isEnabled: Bool) {
        self.id = id
        self.isEnabled = isEnabled
    }

    /// Where the issuers of this sandbox lie; no bucket's name begins so.
    package static let path = "/_aws/tokens/"
    /// Below which those of the real service lie.
    package static let domain = "tokens.sts.global.api.aws"

    /// Whether a URL is that of an account's issuer, here or at the real service. AWS takes none of them for federation into AWS.
    package static func isIssuer(_ url: String) -> Bool { url.contains(path) || url.contains(".\(domain)") }

    /// What its keys are called.
    package var keyName: String { "outbound/\(id)" }
}
