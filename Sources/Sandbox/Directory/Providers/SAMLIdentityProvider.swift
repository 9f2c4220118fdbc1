import WireFormats

/// The settings of an issuer of this server as a SAML 2.0 identity provider.
package struct SAMLIdentityProvider: Hashable, Sendable, Codable {
    /// The entity ID in metadata and assertions; `nil` for the metadata's URL with the host of the request.
    package var entityID: String?
    /// The registered service providers.
    package var serviceProviders: [ServiceProvider]
    /// Whether unsigned sign-on requests are rejected (SAML 2.0 Metadata section 2.4.3, `WantAuthnRequestsSigned`).
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

    /// Returns the service provider with an entity ID, or `nil` if it is not registered.
    package func serviceProvider(_ entityID: String) -> ServiceProvider? { serviceProviders.first { $0.entityID == entityID } }
}
