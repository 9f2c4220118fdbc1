package import Policy
package import WireFormats

/// An OpenID Connect provider as IAM knows it: the issuer whose tokens an account accepts, and for which clients.
/// (IAM User Guide, "Create an OIDC provider in IAM".)
package struct OpenIDConnectTrust: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// What Alibaba Cloud calls the provider; nothing at AWS.
    package var name: String?
    /// `https://…`, or `http://…` where the sandbox takes those; at most 255 characters, unique in the account without its scheme.
    package var url: String
    /// The audiences that are accepted.
    package var clientIDs: [String]
    /// SHA-1 of certificates that the issuer's TLS may end in, 40 hexadecimal digits each.
    @Filled package var thumbprints: [String]
    /// When it was created.
    @Filled package var created: Timestamp
    /// The tags.
    @Filled package var tags: [Tag]
    /// What RAM knows beside, of providers at Alibaba Cloud: a description, how many hours ago a token may have been issued, and when
    /// something changed last.
    package var description: String?
    /// How many hours ago a token can have been issued (RAM).
    package var issuanceLimit: Int?
    /// When the provider last changed (RAM).
    package var updated: Timestamp?
    /// Hours, where nobody has said. (IMS API Reference, "CreateOIDCProvider", `IssuanceLimitTime`.)
    package static let standardIssuanceLimit = 12

    package init(
        account: String, url: String, clientIDs: [String], thumbprints: [String] = [], created: Timestamp = .fill, tags: [Tag] = []
    ) {
        self.account = account
        self.url = url
        self.clientIDs = clientIDs
        self.thumbprints = thumbprints
        self.created = created
        self.tags = tags
    }

    /// Host and path, the form that ARNs and condition keys use.
    package var hostAndPath: String { Self.hostAndPath(url) }

    private static func hostAndPath(_ url: String) -> String {
        for scheme in schemes where url.utf8.starts(with: scheme.utf8) {
            return String(Substring(url.utf8.dropFirst(scheme.utf8.count)))
        }
        return url
    }

    private static let schemes = ["https://", "http://"]

    /// AWS calls a provider by its URL, Alibaba Cloud by its name.
    package var arn: String { identityARN(account, "oidc-provider/", name ?? hostAndPath) }

    /// The ARN that AWS gives a provider of an account.
    static func arn(ofIssuer url: String, in account: String) -> String { identityARN(account, "oidc-provider/", hostAndPath(url)) }

    /// Returns a URL without `:443`, which IAM drops from `https` URLs.
    package static func withoutStandardPort(_ url: String) -> String {
        let scheme = "https://"
        guard url.hasPrefix(scheme) else { return url }
        let rest = url.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        guard authority.hasSuffix(":443") else { return url }
        return scheme + authority.dropLast(4) + rest.dropFirst(authority.count)
    }

    /// Whether IAM takes a URL as that of an issuer: `https`, a host without a port, perhaps a path, and nothing else.
    /// (IAM API Reference, "CreateOpenIDConnectProvider", `Url`.)
    /// - Parameter overHTTP: whether `http` and ports are taken, too.
    package static func isIssuer(_ url: String, overHTTP: Bool) -> Bool {
        let schemes = overHTTP ? ["https://", "http://"] : ["https://"]
        guard let scheme = schemes.first(where: url.hasPrefix), url.utf8.count <= 255,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#@\\\"<>".utf8.contains($0) })
        else { return false }
        let host = url.dropFirst(scheme.count).prefix { $0 != "/" }
        return !host.isEmpty && host.first != ":" && (overHTTP || !host.contains(":"))
    }
}

/// A SAML provider as IAM knows it: the metadata of the identity provider whose assertions an account accepts.
/// (IAM User Guide, "Create a SAML identity provider in IAM".)
package struct SAMLTrust: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The name.
    package var name: String
    /// The identity provider's metadata as it was uploaded, 1,000 to 10,000,000 characters.
    package var metadata: String
    /// When it was created.
    package var created: Timestamp
    /// The end of the metadata's validity.
    package var validUntil: Timestamp?
    /// The tags.
    package var tags: [Tag]
    /// The provider's unique identifier.
    package var uuid: String?
    /// `Required` or `Allowed`, where it was set: whether assertions must be encrypted.
    package var encryptionMode: String?
    /// A provider of ours, whose metadata counts in place of ``metadata``: the key in them is made when it is first needed.
    package var identityProvider: String?
    /// What encrypted assertions are decrypted with; at most two.
    @Filled package var privateKeys: [PrivateKey]
    /// What RAM knows beside, of providers at Alibaba Cloud.
    package var description: String?
    /// When it last changed (RAM).
    package var updated: Timestamp?
    /// The algorithm that signs requests to the provider (RAM).
    package var signatureAlgorithm: String?

    /// (IAM API Reference, "SAMLPrivateKey".)
    package struct PrivateKey: Sendable, Codable {
        /// The identifier.
        package var id: String
        /// The key, in PEM.
        package var pem: String
        /// When it was added.
        package var added: Timestamp

        package init(id: String, pem: String, added: Timestamp) {
            self.id = id
            self.pem = pem
            self.added = added
        }
    }

    package init(account: String, name: String, metadata: String, created: Timestamp, validUntil: Timestamp? = nil, tags: [Tag] = []) {
        self.account = account
        self.name = name
        self.metadata = metadata
        self.created = created
        self.validUntil = validUntil
        self.tags = tags
        privateKeys = []
    }

    /// The ARN.
    package var arn: String { identityARN(account, "saml-provider/", name) }
}
