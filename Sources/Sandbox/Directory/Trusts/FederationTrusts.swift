package import Policy
package import WireFormats

/// An OpenID Connect provider in IAM: the issuer whose tokens an account accepts, and the accepted client IDs.
/// (IAM User Guide, "Create an OIDC provider in IAM".)
package struct OpenIDConnectTrust: Sendable, Codable {
    /// The number of the account.
    package var account: String
    /// The name of the provider at Alibaba Cloud; `nil` at AWS.
    package var name: String?
    /// `https://…`, or `http://…` if the sandbox allows it; at most 255 characters. Without its scheme, it is unique in the account.
    package var url: String
    /// The accepted audiences.
    package var clientIDs: [String]
    /// SHA-1 thumbprints of certificates in the issuer's TLS chain, 40 hexadecimal digits each.
    @Filled package var thumbprints: [String]
    /// When it was created.
    @Filled package var created: Timestamp
    /// The tags.
    @Filled package var tags: [Tag]
    /// What sessions take over from tokens as their trusted context (AWS).
    package var contextProvider: ContextProvider?
    /// The description (RAM).
    package var description: String?
    /// The maximum age of a token, in hours since it was issued (RAM).
    package var issuanceLimit: Int?
    /// When the provider last changed (RAM).
    package var updated: Timestamp?
    /// The default of ``issuanceLimit``, in hours. (IMS API Reference, "CreateOIDCProvider", `IssuanceLimitTime`.)
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

    /// Host and path of the URL, the form in ARNs and condition keys.
    package var hostAndPath: String { Self.hostAndPath(url) }

    private static func hostAndPath(_ url: String) -> String {
        for scheme in schemes where url.utf8.starts(with: scheme.utf8) {
            return String(Substring(url.utf8.dropFirst(scheme.utf8.count)))
        }
        return url
    }

    private static let schemes = ["https://", "http://"]

    /// The ARN. AWS identifies a provider by its URL, Alibaba Cloud by its name.
    package var arn: String { identityARN(account, "oidc-provider/", name ?? hostAndPath) }

    /// Returns the ARN of an AWS provider in an account.
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

    /// Returns whether IAM accepts an issuer URL: `https`, a host without a port, an optional path, and nothing else.
    /// (IAM API Reference, "CreateOpenIDConnectProvider", `Url`.)
    /// - Parameter overHTTP: whether `http` and ports are accepted, too.
    package static func isIssuer(_ url: String, overHTTP: Bool) -> Bool {
        let schemes = overHTTP ? ["https://", "http://"] : ["https://"]
        guard let scheme = schemes.first(where: url.hasPrefix), url.utf8.count <= 255,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#@\\\"<>".utf8.contains($0) })
        else { return false }
        let host = url.dropFirst(scheme.count).prefix { $0 != "/" }
        return !host.isEmpty && host.first != ":" && (overHTTP || !host.contains(":"))
    }
}

/// A SAML provider in IAM: the metadata of the identity provider whose assertions an account accepts.
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
    /// Whether assertions must be encrypted: `Required` or `Allowed`, if it was set.
    package var encryptionMode: String?
    /// The name of an identity provider of this server, whose own metadata is used instead of ``metadata``: its key is created when it is
    /// first
    /// needed.
    package var identityProvider: String?
    /// The keys that decrypt assertions; at most two.
    @Filled package var privateKeys: [PrivateKey]
    /// The description (RAM).
    package var description: String?
    /// When it last changed (RAM).
    package var updated: Timestamp?
    /// The algorithm that signs requests to the provider (RAM).
    package var signatureAlgorithm: String?

    /// A key that decrypts assertions. (IAM API Reference, "SAMLPrivateKey".)
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
