import Directory
import WireFormats

extension ResourceServer {
    /// APIs of identity providers in seeds.
    static let record = SeedRecord<ResourceServer>(
        "API", blank: ResourceServer(identifier: ""),
        fields: [
            .required(
                "identifier", \.identifier, Codec.nonempty("an API's identifier, such as https://orders.company.example"),
                "The audience of access tokens, and the value of resource and audience in requests."),
            .defaulted(
                "scopes", \.scopes, scopesCodec, "The scopes: a list of names, or an object of names and texts for the consent page."),
            .optional("clients", \.clients, Codec.texts, "The IDs of the clients that may ask for the API; all clients without it."),
            .optional(
                "tokenFormat", \.tokenFormat, Codec.word(IdentityProvider.AccessTokenFormat.self, expecting: "opaque or jwt"),
                "The format of access tokens; that of the provider without it."),
            .optional(
                "tokenLifetime", \.tokenLifetime, Codec.integer(1...315_360_000, "seconds"),
                "Seconds that access tokens live; those of the provider without it."),
            .defaulted(
                "claims", \.claims, ClaimMapping.codec,
                "Claims of access tokens: a list of attributes of people, or an object of names and sources."),
        ])

    private static let scopesForm =
        "a list of scopes, or an object of scopes and texts; scopes are \(SeedScope.form), and not those of OpenID Connect"

    private static let scopesCodec = FieldCodec<[Scope]>(
        shape: .either([.list(.text), .map(.text)]), expected: nil,
        read: { members, key in
            guard let json: JSONValue = try members.decode(ifThere: key) else { return nil }
            guard let scopes = parsed(json), scopes.allSatisfy({ isOwnScope($0.name) }) else {
                throw members.fault(key.stringValue, expecting: scopesForm)
            }
            return scopes
        },
        write: { scopes in
            guard scopes.contains(where: { $0.text != nil }) else { return JSONValue.array(scopes.map { JSONValue.string($0.name) }) }
            return JSONValue.object(JSONObject(scopes.map { ($0.name, JSONValue.string($0.text ?? "")) }))
        })

    private static func parsed(_ json: JSONValue) -> [Scope]? {
        if let members = json.objectValue?.members {
            let scopes = members.compactMap { name, value in
                value.stringValue.map { Scope(name, text: $0.isEmpty ? nil : $0) }
            }
            return scopes.count == members.count ? scopes : nil
        }
        guard let elements = json.arrayValue else { return nil }
        let names = elements.compactMap(\.stringValue)
        return names.count == elements.count ? names.map { Scope($0) } : nil
    }

    /// Returns whether a text can be a scope of an API. The scopes of OpenID Connect belong to the provider.
    private static func isOwnScope(_ name: String) -> Bool {
        let usual = IdentityProvider.Kind.openIDConnect.descriptor.scopes + ["offline_access"]
        return SeedScope.isScope(name) && !usual.contains(name)
    }
}

/// Scopes in seeds.
enum SeedScope {
    /// What a scope is.
    static let form = "visible ASCII characters except quotation marks and backslashes"

    /// Returns whether a text is a scope (RFC 6749 section 3.3).
    static func isScope(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    /// Lists of scopes.
    static let list: FieldCodec<[String]> = Codec.checked(
        .list(.text, atLeast: 1), expecting: "at least one scope of \(form)",
        where: { scopes in !scopes.isEmpty && scopes.allSatisfy { isScope($0) } },
        write: { JSONValue.array($0.map { JSONValue.string($0) }) })
}
