package import Directory
import WireFormats

extension Client {
    /// Clients of identity providers in seeds.
    package static let record = SeedRecord<Client>(
        "Client", blank: Client(id: "", secret: nil, name: "", redirectURIs: [], applicationID: nil),
        fields: [
            .required("id", \.id, Codec.nonempty("a client id"), "The client ID."),
            .optional("secret", \.secret, Codec.text, "The client secret."),
            .optional("formerSecret", \.formerSecret, Codec.text, "An older secret that still works, as after a rotation."),
            .optional("name", \.givenName, Codec.text, "The name on the login page."),
            .defaulted("redirectURIs", \.redirectURIs, Codec.texts, "Redirect URIs."),
            .optional("applicationID", \.applicationID, Codec.text, "The application ID of Login with Amazon."),
            .defaulted("grants", \.grants, grantsCodec, "Grants beside authorization_code and refresh_token."),
            .defaulted("metadata", \.metadata, metadataCodec, "Client metadata of OpenID Connect Dynamic Client Registration."),
            .optional("scopes", \.givenScopes, SeedScope.list, "The scopes that the client may ask for, as scope in metadata."),
            .optional(
                "claims", \.claims, ClaimMapping.codec,
                "Claims of tokens for the client: names and sources such as attribute:department, groups, template:${email} or =gold."),
            .optional("attributes", \.attributes, Codec.object, "Claims of the client itself, for tokens of client_credentials."),
            .optional("facebook", \.facebook, Codec.record(FacebookApp.record), "Settings of the app at Facebook."),
            .optional(
                "tokenParameter", \.tokenParameter, Codec.nonempty("the name of a query parameter"),
                "The query parameter that carries tokens."),
            .optional(
                "openRegistration", \.isOpen, Codec.flag,
                "Whether the client registered itself without an initial access token; if so, it exchanges tokens only for itself."),
            .optional("keycloak", \.keycloak, Codec.record(KeycloakClient.record), "Settings of the client of a Keycloak realm."),
            .optional(
                "consentRequired", \.requiresConsent, Codec.flag,
                "Whether users must agree to the client's scopes; by default true at /idp/, and false at Keycloak's paths."),
            .optional(
                "webOrigins", \.webOrigins, Codec.texts,
                "Origins whose pages may read responses at Keycloak's paths; * for all, + for those of the redirect URIs, by default +."),
        ]
    ) { client, members in
        guard client.metadata.subjectType != .pairwise || client.sector != nil else {
            throw members.fault(
                "metadata", expecting: "redirect URIs of one host, or a sector_identifier_uri, for pairwise subjects")
        }
        if let missing = client.sharedSecretFault { throw members.fault("metadata", expecting: missing) }
        if members.has("scopes"), let metadata: JSONObject = try members.decode(ifThere: FieldName("metadata")), metadata["scope"] != nil {
            throw members.fault("scopes", expecting: "no scopes beside the scope of metadata")
        }
        if let name = client.attributes?.names.first(where: { !ClaimMapping.maySet($0) }) {
            throw members.fault("attributes", expecting: "claims that tokens do not set themselves in place of '\(name)'")
        }
        guard !members.has("grants") || !client.isPublic || !client.mayUse(.clientCredentials) else {
            throw members.fault("grants", expecting: grantForm)
        }
        guard client.isOpen == true else { return }
        var closed = client
        closed.isOpen = nil
        guard !closed.mayUse(.jwtBearer) else {
            throw members.fault("openRegistration", expecting: "false, since the client may use the grant jwt-bearer")
        }
    }

    /// The name, unless it is the ID.
    private var givenName: String? {
        get { name == id ? nil : name }
        set { name = newValue ?? id }
    }

    /// The scopes of the metadata as a list. Exports have them in the metadata.
    private var givenScopes: [String]? {
        get { nil }
        set { if let newValue { metadata.scope = newValue.joined(separator: " ") } }
    }

    private var grants: [FurtherGrant] {
        get { furtherGrants ?? [] }
        set { furtherGrants = newValue }
    }

    /// Whether the client registered itself without a token; `nil` if not.
    private var isOpen: Bool? {
        get { isOpenlyRegistered }
        set { isOpenlyRegistered = newValue == true ? true : nil }
    }

    private static var grantForm: String {
        "some of \(FurtherGrant.allCases.map(\.rawValue)); for the first, a client needs a secret or keys"
    }

    private static let grantsCodec = FieldCodec<[FurtherGrant]>(
        shape: .list(.words(FurtherGrant.allCases.map(\.rawValue))), expected: nil,
        read: { members, key in
            guard let names = try Codec.texts.read(members, key) else { return nil }
            let grants = names.compactMap { FurtherGrant(rawValue: $0) }
            guard grants.count == names.count else { throw members.fault(key.stringValue, expecting: grantForm) }
            return grants
        },
        write: { grants in JSONValue.array(grants.map { JSONValue.string($0.rawValue) }) })

    /// The metadata of a client. Unknown members are rejected here, but ignored in client registration.
    private static let metadataCodec = FieldCodec<ClientMetadata>(
        shape: .object(
            "Client metadata",
            ClientMetadata.CodingKeys.allCases.map { SeedKey($0.rawValue, .anything, "As registered by OpenID Connect.") }),
        expected: nil,
        read: { members, key in
            try members.decode(ifThere: key) { decoder in
                let given = try decoder.members(named: ClientMetadata.CodingKeys.allCases.map(\.rawValue))
                let metadata = try ClientMetadata(from: decoder)
                if let fault = metadata.algorithmFault { throw given.fault(fault.member.rawValue, expecting: fault.expected) }
                return metadata
            }
        },
        write: { metadata in JSONValue.object(try metadata.json) })
}

extension Person {
    /// People of identity providers in seeds.
    package static let record = SeedRecord<Person>(
        "User of an identity provider", blank: Person(name: "", subject: "", password: "", claims: [:]),
        fields: [
            .required("name", \.name, Codec.nonempty("a user name"), "The name on the login page."),
            .required(
                "subject", \.subject, Codec.nonempty("the person's identifier at the provider"), "The identifier in tokens."),
            .defaulted("password", \.password, passwordCodec, "The password."),
            .optional(
                "passwordHash", \.passwordHash, Codec.record(PasswordHash.record), "The hash of the password, instead of the password."),
            .defaulted("claims", \.claims, claimsCodec, "Claims."),
            .defaulted("enabled", \.isEnabled, Codec.flag, "Whether the person can log in; true without it."),
            .optional("facebook", \.facebook, Codec.record(FacebookAccount.record), "Settings of the account at Facebook."),
            .optional("keycloak", \.keycloak, Codec.record(KeycloakAccount.record), "The state of the account in a Keycloak realm."),
        ]
    ) { person, members in
        guard !members.has("password") || !members.has("passwordHash") else {
            throw members.fault("passwordHash", expecting: "nothing, since the person has a password")
        }
        // Keycloak has users without a password, who cannot log in with one.
        guard !members.has("password"), !members.has("passwordHash"), person.keycloak == nil else { return }
        try members.reportMissing(FieldName("password"), expecting: passwordCodec.expected)
    }

    private static let passwordCodec = Codec.nonempty("a password")

    private static let claimsCodec = FieldCodec<JSONObject>(
        shape: .map(.anything), expected: nil,
        read: { members, key in
            let value: JSONValue? = try members.decode(ifThere: key)
            guard let value else { return nil }
            guard let claims = value.objectValue else { throw members.fault(key.stringValue, expecting: "an object of claims") }
            return claims
        },
        write: { JSONValue.object($0) })
}
