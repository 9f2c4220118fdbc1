import Directory
import WireFormats

extension KeycloakAccount {
    /// The state of accounts of a Keycloak realm in seeds.
    static let record = SeedRecord<KeycloakAccount>(
        "Account of a Keycloak realm", blank: KeycloakAccount(),
        fields: [
            .defaulted("attributes", \.attributes, Codec.object, "Attributes: name to a list of strings."),
            .defaulted("groups", \.groups, Codec.texts, "Paths of groups, such as /staff/admins."),
            .defaulted("realmRoles", \.roles.ofRealm, Codec.texts, "Roles of the realm."),
            .defaulted("clientRoles", \.roles.ofClients, Codec.clientRoles, "Roles of clients: client ID to names."),
            .defaulted("requiredActions", \.requiredActions, Codec.texts, "Required actions; with one, the password grant is refused."),
        ])
}

extension KeycloakClient {
    /// Settings of the clients of a Keycloak realm in seeds.
    static let record = SeedRecord<KeycloakClient>(
        "Client of a Keycloak realm", blank: KeycloakClient(),
        fields: [
            .optional(
                "serviceAccount", \.serviceAccount, Codec.record(KeycloakAccount.record),
                "The account in whose name the client acts for itself."),
            .defaulted("mappers", \.mappers, Codec.list(KeycloakMapper.record), "Protocol mappers."),
            .defaulted("settings", \.settings, Codec.object, "Members of the client that the Admin API returns, without effect."),
        ])
}

extension KeycloakMapper {
    /// Protocol mappers of a Keycloak realm in seeds.
    static let record = SeedRecord<KeycloakMapper>(
        "Protocol mapper", blank: KeycloakMapper(id: "", name: "", kind: .hardcodedClaim, config: [:]),
        fields: [
            .required("name", \.name, Codec.nonempty("a name"), "The name."),
            .required("type", \.kind, Codec.word(Kind.self), "Keycloak's protocolMapper."),
            .defaulted("id", \.id, Codec.nonempty("an identifier"), "The identifier; it follows from the name."),
            .optional("scope", \.scope, Codec.nonempty("a scope"), "The scope that a request must name."),
            .defaulted("config", \.config, Codec.object, "Keycloak's config."),
        ]
    ) { mapper, _ in
        if mapper.id.isEmpty { mapper.id = KeycloakIdentifier.derived(from: "mapper", mapper.name) }
    }
}

extension PasswordHash {
    /// Hashes of passwords in seeds.
    static let record = SeedRecord<PasswordHash>(
        "Hash of a password", blank: PasswordHash(algorithm: .sha256, iterations: 1, salt: "", value: ""),
        fields: [
            .required("algorithm", \.algorithm, Codec.word(Algorithm.self), "PBKDF2 with SHA-1, SHA-256 or SHA-512."),
            .required("iterations", \.iterations, Codec.integer(PasswordHash.iterations, "iterations"), "The number of iterations."),
            .required("salt", \.salt, base64Codec, "The salt in Base64."),
            .required("value", \.value, keyCodec, "The derived key in Base64."),
        ])

    private static let keyCodec = Codec.form(
        .pattern("^[A-Za-z0-9+/]+=*$"),
        expecting: "\(PasswordHash.lengths.lowerBound) to \(PasswordHash.lengths.upperBound) bytes in Base64"
    ) { text in
        [UInt8](base64: text).map { PasswordHash.lengths.contains($0.count) } ?? false
    }

    private static let base64Codec = Codec.form(.pattern("^[A-Za-z0-9+/]+=*$"), expecting: "bytes in Base64") { text in
        [UInt8](base64: text).map { !$0.isEmpty } ?? false
    }
}
