/// What an issuer of ours does as a SAML 2.0 identity provider.
package struct SAMLIdentityProvider: Hashable, Sendable, Codable {
    /// The entity identifier that metadata and assertions carry; absent for the metadata's own URL as the asker spells it.
    package var entityID: String?
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

    package func serviceProvider(_ entityID: String) -> ServiceProvider? { serviceProviders.first { $0.entityID == entityID } }
}

/// How messages travel through the browser (SAML 2.0 Bindings sections 3.4 and 3.5).
package enum SAMLBinding: String, Hashable, Sendable, Codable, CaseIterable {
    case post = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
    /// Deflated, in the query of a redirect. Profiles forbid it for responses, which grow too long for it; there are relays that
    /// read them from the URL all the same.
    case redirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
}

/// What kind of name an assertion gives to the person (SAML 2.0 Core section 8.3).
package enum NameIDFormat: String, Hashable, Sendable, Codable, CaseIterable {
    case unspecified = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
    case emailAddress = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
    case windowsDomainQualifiedName = "urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName"
    /// Of the person and the service provider: the same at each visit, another at every other service provider.
    case persistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
    /// New with every assertion.
    case transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
}
