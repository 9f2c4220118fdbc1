import Caching
import Cloud
import Cryptography
import Directory
package import Tokens
package import WireFormats

/// What is read of the metadata of a SAML identity provider whose assertions are taken. (SAML 2.0 Metadata, sections 2.3.2 and 2.4.3.)
package struct SAMLMetadata: Sendable {
    /// The name of the identity provider.
    package let entityID: String
    /// Until when the document counts, if it says so.
    package let validUntil: Timestamp?
    /// The keys that the provider signs with, one to ten. That their certificates have expired means nothing.
    package let signingKeys: [VerificationKey]
    /// Where requests for sign-on are taken, by bindings that browsers can follow; in the order of the document.
    package let signOnServices: [SignOnService]
    /// Whether requests for sign-on are refused without a signature.
    package let wantsSignedRequests: Bool

    /// A `SingleSignOnService`. (Section 2.4.3.)
    package struct SignOnService: Hashable, Sendable {
        /// How requests are carried.
        package let binding: SAML.Binding
        /// The URL.
        package let location: String
    }

    /// How many keys a provider may have. (IAM User Guide, "IAM and AWS STS quotas".)
    static let mostKeys = 10

    /// Nothing for what describes no identity provider that signs with RSA keys of at least 1,024 bits.
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

/// Metadata that has been read, by the provider that it belongs to: reading a key takes longer than using it.
package final class SAMLMetadataCache: Sendable {
    private let known = BoundedCache<String, (text: String, metadata: SAMLMetadata)>(capacity: 512)

    package init() {}

    /// The metadata of a provider, read anew where its text has changed; `nil` for a text that is none.
    package func metadata(_ text: String, of provider: String) -> SAMLMetadata? {
        if let entry = known.value(for: provider), entry.text == text { return entry.metadata }
        guard let metadata = SAMLMetadata(text) else { return nil }
        known.insert((text, metadata), for: provider)
        return metadata
    }
}
