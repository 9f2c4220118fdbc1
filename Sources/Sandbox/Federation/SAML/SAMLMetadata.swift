import Caching
import Cloud
import Cryptography
import Directory
package import Tokens
package import WireFormats

/// The metadata of a trusted SAML identity provider. (SAML 2.0 Metadata, sections 2.3.2 and 2.4.3.)
package struct SAMLMetadata: Sendable {
    /// The name of the identity provider.
    package let entityID: String
    /// The time at which the document expires, if given.
    package let validUntil: Timestamp?
    /// The provider's signing keys, one to ten. The expiry of their certificates is ignored.
    package let signingKeys: [VerificationKey]
    /// The sign-on endpoints with bindings that browsers support, in the order of the document.
    package let signOnServices: [SignOnService]
    /// Whether sign-on requests must be signed.
    package let wantsSignedRequests: Bool

    /// A `SingleSignOnService`. (Section 2.4.3.)
    package struct SignOnService: Hashable, Sendable {
        /// The binding of the endpoint.
        package let binding: SAML.Binding
        /// The URL.
        package let location: String
    }

    /// The maximum number of keys of a provider. (IAM User Guide, "IAM and AWS STS quotas".)
    static let mostKeys = 10

    /// Parses metadata; `nil` if they do not describe an identity provider that signs with RSA keys of at least 1,024 bits.
    package init?(_ text: String) {
        // (IAM User Guide, "Create a SAML identity provider in IAM": UTF-8 without a byte order mark.)
        guard text.unicodeScalars.first != "\u{FEFF}", let root = try? XMLElement(parsing: Array(text.utf8)),
            root.isNamed("EntityDescriptor", in: SAML.metadata),
            let entityID = root.attribute("entityID"), !entityID.isEmpty,
            let provider = root.child("IDPSSODescriptor", in: SAML.metadata)
        else { return nil }
        let certificates = provider.children(named: "KeyDescriptor", in: SAML.metadata)
            .filter { $0.attribute("use") ?? "signing" == "signing" }
            .flatMap { $0.children(named: "KeyInfo", in: XMLSecurity.signature) }
            .flatMap { $0.children(named: "X509Data", in: XMLSecurity.signature) }
            .flatMap { $0.children(named: "X509Certificate", in: XMLSecurity.signature) }
        var keys: [VerificationKey] = []
        for certificate in certificates {
            guard let bytes = certificate.base64Content, let key = try? X509Certificate(der: bytes).rsaKey else { return nil }
            keys.append(.rsa(key))
        }
        guard (1...Self.mostKeys).contains(keys.count) else { return nil }
        let end = root.attribute("validUntil")
        validUntil = end.flatMap { Timestamp(iso8601: $0) }
        guard end == nil || validUntil != nil else { return nil }
        self.entityID = entityID
        signingKeys = keys
        signOnServices = provider.children(named: "SingleSignOnService", in: SAML.metadata).compactMap { service in
            guard let binding = service.attribute("Binding").flatMap(SAML.Binding.init), binding != .soap,
                let location = service.attribute("Location"), ServiceProviderMetadata.isWebAddress(location)
            else { return nil }
            return SignOnService(binding: binding, location: location)
        }
        wantsSignedRequests = ["true", "1"].contains(provider.attribute("WantAuthnRequestsSigned"))
    }
}

/// Caches parsed metadata by provider, because reading a key takes longer than using it.
package final class SAMLMetadataCache: Sendable {
    private let known = BoundedCache<String, (text: String, metadata: SAMLMetadata)>(capacity: 512)

    package init() {}

    /// Returns the metadata of a provider, parsed again if the text has changed; `nil` for invalid metadata.
    package func metadata(_ text: String, of provider: String) -> SAMLMetadata? {
        if let entry = known.value(for: provider), entry.text == text { return entry.metadata }
        guard let metadata = SAMLMetadata(text) else { return nil }
        known.insert((text, metadata), for: provider)
        return metadata
    }
}
