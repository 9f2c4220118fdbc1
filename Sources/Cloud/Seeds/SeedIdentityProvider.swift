import WireFormats

struct SeedIdentityProvider: Sendable, Decodable {
    var provider: IdentityProvider

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, kind, issuer, clients, people, tokenLifetime }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let name: String = try container.decode(.name, expecting: "a provider name of letters, digits and -._") { name in
            !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
        }
        let kind: IdentityProvider.Kind = try container.decode(
            .kind, or: IdentityProvider.Kind(rawValue: name) ?? .openIDConnect)
        provider = IdentityProvider(
            name: name, kind: kind, issuer: nil,
            clients: try container.decode(.clients, or: [SeedClient]()).map(\.client),
            people: try container.decode(.people, or: [SeedPerson]()).map(\.person),
            tokenLifetime: try container.decode(.tokenLifetime, or: kind == .facebook ? 5400 : 3600))
        switch kind {
        case .openIDConnect:
            provider.issuer = try container.decode(.issuer, expecting: "an issuer URL that begins with https://") {
                $0.hasPrefix("https://")
            }
        case .google:
            provider.issuer = "https://accounts.google.com"
        case .facebook, .amazon:
            provider.issuer = nil
        }
    }
}

struct SeedClient: Sendable, Decodable {
    var client: Client

    private enum CodingKeys: String, CodingKey, CaseIterable { case id, secret, name, redirectURIs, applicationID }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let id: String = try container.decode(.id, expecting: "a client id", where: { !$0.isEmpty })
        client = Client(
            id: id, secret: try container.decodeIfPresent(String.self, forKey: .secret),
            name: try container.decode(.name, or: id), redirectURIs: try container.decode(.redirectURIs, or: []),
            applicationID: try container.decodeIfPresent(String.self, forKey: .applicationID))
    }
}

struct SeedPerson: Sendable, Decodable {
    var person: Person

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, subject, password, claims }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        person = Person(
            name: try container.decode(.name, expecting: "a user name", where: { !$0.isEmpty }),
            subject: try container.decode(.subject, expecting: "the person's identifier at the provider", where: { !$0.isEmpty }),
            password: try container.decode(.password, expecting: "a password", where: { !$0.isEmpty }), claims: [:])
        if let claims = try container.decodeIfPresent(JSONValue.self, forKey: .claims) {
            guard case .object(let members) = claims else {
                throw DecodingError.dataCorruptedError(forKey: .claims, in: container, debugDescription: "an object of claims")
            }
            person.claims = members
        }
    }
}
