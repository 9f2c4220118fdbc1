import WireFormats

/// A trust anchor of IAM Roles Anywhere: the authorities whose certificates prove who a client is. (IAM Roles Anywhere API Reference,
/// "TrustAnchorDetail" and "CrlDetail".)
package struct TrustAnchor: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The ID, a UUID.
    package var id: String
    /// The name.
    package var name: String
    /// The region.
    package var region = "us-east-1"
    /// Whether sessions are issued.
    package var enabled = true
    /// The certificates of the authorities in PEM; `nil` for an authority of the sandbox, which issues certificates.
    package var certificates: String?
    /// Certificate revocation lists of the authorities in PEM; `nil` for none.
    package var revocations: String?
    /// The serial numbers of further revoked certificates: hexadecimal digits in lower case without leading zeros.
    package var revoked: [String] = []

    package init(account: String, id: String, name: String) {
        self.account = account
        self.id = id
        self.name = name
    }

    /// The ARN.
    package var arn: String { "arn:aws:rolesanywhere:\(region):\(account):trust-anchor/\(id)" }

    /// The name of the keys of an authority of the sandbox.
    package var keyName: String { "trust-anchor/\(id)" }
}

/// A profile of IAM Roles Anywhere: the roles that clients can assume, and what their sessions have.
/// (IAM Roles Anywhere API Reference, "ProfileDetail".)
package struct AnywhereProfile: Sendable, Codable {
    /// The fields of a certificate that become session tags.
    package enum CertificateField: String, Sendable, Codable, CaseIterable {
        case subject = "x509Subject"
        case issuer = "x509Issuer"
        case alternativeName = "x509SAN"

        /// The rules of profiles that state none. (IAM Roles Anywhere User Guide, "Certificate attribute mapping".)
        package var usualRules: [String] { self == .alternativeName ? ["DNS", "URI", "Name/*"] : ["*"] }
    }

    /// The number of the account.
    package var account: String
    /// The ID, a UUID.
    package var id: String
    /// The name.
    package var name: String
    /// The region.
    package var region = "us-east-1"
    /// Whether sessions are issued.
    package var enabled = true
    /// The names of roles of the account.
    package var roles: [String] = []
    /// The longest lifetime of sessions in seconds.
    package var duration = 3600
    /// Whether clients may choose the names of sessions.
    package var acceptRoleSessionName = false
    /// The attributes of a field that become session tags, such as `CN`, or `*` for all; ``CertificateField/usualRules`` for absent fields.
    package var mappings: [String: [String]] = [:]
    /// A policy that limits the sessions; `nil` for none.
    package var sessionPolicy: String?
    /// The ARNs of managed policies that limit the sessions.
    package var attachedPolicies: [String] = []

    package init(account: String, id: String, name: String) {
        self.account = account
        self.id = id
        self.name = name
    }

    /// The ARN.
    package var arn: String { "arn:aws:rolesanywhere:\(region):\(account):profile/\(id)" }

    /// Returns the rules of a field.
    package func rules(of field: CertificateField) -> [String] { mappings[field.rawValue] ?? field.usualRules }
}
