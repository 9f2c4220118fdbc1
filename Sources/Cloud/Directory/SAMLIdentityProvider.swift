/// What an issuer of ours does as a SAML 2.0 identity provider.
package struct SAMLIdentityProvider: Hashable, Sendable, Codable {
    /// The entity identifier that metadata and assertions carry; absent for the metadata's own URL as the asker spells it.
    package var entityID: String?
    package var serviceProviders: [ServiceProvider]

    package init(entityID: String?, serviceProviders: [ServiceProvider]) {
        self.entityID = entityID
        self.serviceProviders = serviceProviders
    }

    package func serviceProvider(_ entityID: String) -> ServiceProvider? { serviceProviders.first { $0.entityID == entityID } }
}

/// An application that relies on our assertions.
package struct ServiceProvider: Hashable, Sendable, Codable {
    package var entityID: String
    /// What the login page calls it.
    package var name: String
    /// Where responses are sent, the first by default.
    package var assertionConsumerServices: [String]

    package init(entityID: String, name: String, assertionConsumerServices: [String]) {
        self.entityID = entityID
        self.name = name
        self.assertionConsumerServices = assertionConsumerServices
    }
}
