import Directory
import WireFormats

extension UserPoolClient {
    /// Apps of user pools in seeds.
    static let record = SeedRecord<UserPoolClient>(
        "App of a user pool", blank: UserPoolClient(id: "", pool: "", name: "", created: SeedUserPool.never),
        fields: [
            .required("id", \.id, identifier, "The ID of the app."),
            .required("name", \.name, Codec.nonempty("the name of the app"), "The name of the app."),
            .optional("secret", \.secret, Codec.nonempty("the secret"), "The secret; none by default."),
            .defaulted("flows", \.flows, Codec.attributes(flowNames), "The values of ExplicitAuthFlows."),
            .defaulted(
                "hideUnknownUsers", \.hidesUnknownUsers, Codec.flag, "Whether unknown users and wrong passwords get the same error."),
            .optional(
                "rotationGrace", \.rotationGrace, Codec.integer(0...60, "seconds"),
                "The seconds for which a rotated refresh token is accepted; without it, they are not rotated."),
            .defaulted(
                "sessionMinutes", \.sessionMinutes, Codec.integer(3...15, "minutes"),
                "The minutes that a client has to respond to a challenge."),
            .optional("readAttributes", \.readable, Codec.texts, "The attributes that the app can read; all by default."),
            .optional("writeAttributes", \.writable, Codec.texts, "The attributes that the app can write; all by default."),
            .defaulted(
                "oauthFlows", \.grantNames, Codec.attributes(OAuth.Flow.allCases.map(\.rawValue)),
                "The grants that the app can use at the pool's domain."),
            .defaulted("oauthScopes", \.oauthSettings.scopes, Codec.texts, "The scopes that the app can ask for at the pool's domain."),
            .defaulted("callbackURLs", \.oauthSettings.callbackURLs, Codec.texts, "The URLs that receive codes and tokens."),
            .defaulted("logoutURLs", \.oauthSettings.logoutURLs, Codec.texts, "The URLs to which the logout redirects."),
            .optional(
                "defaultRedirectURI", \.oauthSettings.defaultRedirectURI, Codec.nonempty("a callback URL"),
                "The callback URL of requests that name none."),
            .defaulted(
                "identityProviders", \.oauthSettings.providers, Codec.texts,
                "What people sign in with at the pool's domain; COGNITO means the pool's own users."),
        ])

    /// The grants by name. In seeds, an app with any of them can use them.
    fileprivate var grantNames: [String] {
        get { oauthSettings.isEnabled ? oauthSettings.flows.map(\.rawValue) : [] }
        set {
            oauthSettings.flows = newValue.compactMap { OAuth.Flow(rawValue: $0) }
            oauthSettings.isEnabled = !newValue.isEmpty
        }
    }

    private static let identifier = Codec.form(.pattern("^[A-Za-z0-9_+]{1,128}$"), expecting: "1 to 128 letters, digits, _ or +") { id in
        (1...128).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "_+".utf8.contains(byte)
                }
            }
    }
}

extension UserPoolResourceServer {
    /// Resource servers of user pools in seeds.
    static let record = SeedRecord<UserPoolResourceServer>(
        "Resource server of a user pool", blank: UserPoolResourceServer(pool: "", identifier: "", name: ""),
        fields: [
            .required("identifier", \.identifier, identifierCodec, "The identifier, which precedes the scopes in tokens."),
            .optional("name", \.givenName, Codec.nonempty("the name"), "The name; the identifier by default."),
            .defaulted("scopes", \.scopes, scopesCodec, "The scopes: name to description."),
        ])

    private static let identifierCodec = Codec.form(.nonempty, expecting: SeedScope.form) { SeedScope.isScope($0) }

    /// The name, unless it is the identifier.
    private var givenName: String? {
        get { name == identifier || name.isEmpty ? nil : name }
        set { name = newValue ?? identifier }
    }

    private static let scopesCodec = FieldCodec<[Scope]>(
        shape: .map(.text), expected: nil,
        read: { members, key in
            let values: [String: String]? = try members.decode(ifThere: key)
            guard let values else { return nil }
            guard values.keys.allSatisfy({ SeedScope.isScope($0) && !$0.contains("/") }) else {
                throw members.fault(
                    key.stringValue, expecting: "an object of scopes and descriptions; scopes are \(SeedScope.form), and no /")
            }
            return values.map { Scope($0.key, description: $0.value) }.sorted { $0.name < $1.name }
        },
        write: { scopes in JSONValue.object(JSONObject(scopes.map { ($0.name, JSONValue.string($0.description)) })) })
}
