import Directory
import WireFormats

/// An identity provider as the token debugger uses it: who can get a token, and for which receivers.
struct TokenSource: Sendable {
    var name: String
    var kind: IdentityProvider.Kind
    var people: [(name: String, fullName: String)]
    /// The client IDs.
    var clients: [String]
    /// The entity IDs of the SAML service providers.
    var serviceProviders: [String]

    /// - Parameter json: a provider as in seeds.
    init?(_ json: JSONValue) {
        guard let name = json["name"]?.stringValue else { return nil }
        self.name = name
        kind = IdentityProvider.Kind(of: json)
        people = (json["people"]?.arrayValue ?? []).prefix(200).compactMap { person in
            person["name"]?.stringValue.map { ($0, person["claims"]?["name"]?.stringValue ?? $0) }
        }
        clients = (json["clients"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        serviceProviders = (json["saml"]?["serviceProviders"]?.arrayValue ?? []).compactMap { $0["entityID"]?.stringValue }
    }

    /// Whether the provider issues opaque access tokens instead of ID tokens.
    var isOpaque: Bool { !kind.descriptor.signsIDTokens }

    /// The `ProviderId` of a call to STS with a token of this provider.
    var providerID: String? { kind.descriptor.providerID }

    /// Returns the providers of the cloud with people.
    static func all(_ client: ControlClient) async throws -> [TokenSource] {
        let answer = await client.get("/providers")
        if let refusal = answer.refusal { throw refusal }
        var sources: [TokenSource] = []
        for name in (answer.json["providers"]?.arrayValue ?? []).compactMap({ $0["name"]?.stringValue }) {
            let provider = await client.get("/providers/\(percentEncoded(name))")
            if provider.isSuccess, let source = TokenSource(provider.json), !source.people.isEmpty { sources.append(source) }
        }
        return sources
    }
}
