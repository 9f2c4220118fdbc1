import WireFormats

struct SeedSAMLIdentityProvider: Sendable, Decodable {
    var settings: SAMLIdentityProvider

    private enum CodingKeys: String, CodingKey, CaseIterable { case entityID, serviceProviders }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        settings = SAMLIdentityProvider(
            entityID: try container.decode(ifThere: .entityID),
            serviceProviders: try container.decode(.serviceProviders, or: [SeedServiceProvider]()).map(\.provider))
    }
}

struct SeedServiceProvider: Sendable, Decodable {
    var provider: ServiceProvider

    private enum CodingKeys: String, CodingKey, CaseIterable { case entityID, name, assertionConsumerServices }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let entityID: String = try container.decode(.entityID, expecting: "an entity identifier", where: { !$0.isEmpty })
        provider = ServiceProvider(
            entityID: entityID, name: try container.decode(.name, or: entityID),
            assertionConsumerServices: try container.decode(.assertionConsumerServices, or: []))
    }
}
