/// What an issuer of ours does as a SAML 2.0 identity provider.
package struct SAMLIdentityProvider: Hashable, Sendable, Codable {
    /// The entity identifier that metadata and assertions carry; absent for the metadata's own URL as the asker spells it.
    package var entityID: String?
    /// The service providers that it knows.
    package var serviceProviders: [ServiceProvider]
    /// Whether a request for sign-on is refused without a signature (SAML 2.0 Metadata section 2.4.3, `WantAuthnRequestsSigned`).
    package var wantsSignedRequests: Bool
    /// Whether the metadata document is signed.
    package var signsMetadata: Bool

    package init(
        entityID: String?, serviceProviders: [ServiceProvider], wantsSignedRequests: Bool = false, signsMetadata: Bool = false
    ) {
        self.entityID = entityID
        self.serviceProviders = serviceProviders
        self.wantsSignedRequests = wantsSignedRequests
        self.signsMetadata = signsMetadata
    }

    /// The service provider of an entity ID, or `nil` if it is not known.
    package func serviceProvider(_ entityID: String) -> ServiceProvider? { serviceProviders.first { $0.entityID == entityID } }
}
