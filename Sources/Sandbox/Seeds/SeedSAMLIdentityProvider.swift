import Directory
import WireFormats

extension SAMLIdentityProvider {
    /// `saml` of an identity provider.
    static let record = SeedRecord<SAMLIdentityProvider>(
        "SAML identity provider", blank: SAMLIdentityProvider(entityID: nil, serviceProviders: []),
        fields: [
            .optional("entityID", \.entityID, entityIDCodec, "The entity ID; the metadata's URL by default."),
            .defaulted("serviceProviders", \.serviceProviders, Codec.list(ServiceProvider.record), "Service providers."),
            .defaulted(
                "wantsSignedRequests", \.wantsSignedRequests, Codec.flag, "Whether requests must be signed.", isAlwaysWritten: true),
            .defaulted("signsMetadata", \.signsMetadata, Codec.flag, "Whether the metadata is signed.", isAlwaysWritten: true),
        ])

    /// Entity IDs. (SAML 2.0 Core section 8.3.6.)
    static let entityIDCodec = Codec.form(.nonempty, expecting: "an entity identifier") { text in
        (1...1024).contains(text.utf8.count) && text.isXMLText
    }
}
