package import WireFormats

/// The domain of a user pool, at which its pages are. (Amazon Cognito User Pools API Reference, `DomainDescriptionType`.)
package struct UserPoolDomain: Sendable, Codable, Hashable {
    /// The prefix of a domain of Amazon Cognito, or a host name of the customer's own.
    package var name: String
    /// The identifier of the pool.
    package var pool: String
    /// The ARN of the certificate of a host name of the customer's own; `nil` for a prefix, or if a seed names none.
    package var certificate: String?
    /// When the domain was created.
    package var created: Timestamp

    package init(name: String, pool: String, certificate: String? = nil, created: Timestamp) {
        (self.name, self.pool, self.certificate, self.created) = (name, pool, certificate, created)
    }

    /// The domain of prefixes.
    package static let suffix = "amazoncognito.com"

    /// Whether the domain is a host name of the customer's own. Prefixes have no dots.
    package var isCustom: Bool { name.contains(".") }

    /// The host name.
    package var host: String { Self.host(named: name, in: String(pool.prefix { $0 != "_" })) }

    /// Returns the host name of a domain in a region.
    package static func host(named name: String, in region: String) -> String {
        name.contains(".") ? name : "\(name).auth.\(region).\(suffix)"
    }

    /// Returns whether a text is a prefix: 1 to 63 lower-case letters, digits and hyphens, with no hyphen at either end.
    package static func isPrefix(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count) && text.first != "-" && text.last != "-" && text.utf8.allSatisfy { isOfLabel($0) }
    }

    /// Returns whether a text is a host name of the customer's own: at least three labels, as in `auth.company.example`.
    package static func isHostName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 3 && text.utf8.count <= 63 && labels.allSatisfy { isPrefix(String($0)) }
    }

    private static func isOfLabel(_ byte: UInt8) -> Bool {
        0x61...0x7A ~= byte || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-")
    }
}
