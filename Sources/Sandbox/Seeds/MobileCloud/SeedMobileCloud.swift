import Cryptography
package import Directory
import WireFormats

/// `mobileCloud`: the environment, its realms, backends and custom APIs.
package struct SeedMobileCloud: Sendable {
    /// The environment.
    package var environment = MobileEnvironment()
    /// The realms.
    package var realms: [Realm] = []
    /// The backends.
    package var backends: [MobileBackend] = []
    /// The custom APIs.
    package var customAPIs: [CustomAPI] = []

    package init() {}

    /// Mobile clouds in seeds. Identifiers and keys that a seed omits are derived from names, so that they are the same after every start.
    package static let record = SeedRecord<SeedMobileCloud>(
        "Mobile cloud", blank: SeedMobileCloud(),
        fields: [
            .defaulted("roles", \.environment.roles, Codec.texts, "Names of mobile user roles."),
            .defaulted("policies", \.policies, policiesCodec, "Environment policies; null removes a default."),
            .defaulted(
                "certificates", \.environment.certificates, Codec.list(TokenCertificate.record), "Certificates of token issuers."),
            .defaulted("samlIssuers", \.environment.samlIssuers, Codec.list(SAMLTokenIssuer.record), "Issuers of SAML tokens."),
            .defaulted("collections", \.environment.collections, Codec.list(StorageCollection.record), "Storage collections."),
            .defaulted("locations", \.environment.locations, Codec.record(MobileLocations.record), "What the Location API knows."),
            .defaulted(
                "teamMembers", \.environment.teamMembers, Codec.list(MobileTeamMember.record), "Members of the team, who manage tables."),
            .defaulted("realms", \.realms, Codec.list(Realm.record), "Realms with their users."),
            .defaulted("backends", \.backends, Codec.list(MobileBackend.record), "Backends."),
            .defaulted(
                "customAPIs", \.customAPIs, Codec.list(CustomAPI.record), "Custom APIs with fixed, templated or forwarded responses."),
        ]
    ) { cloud, _ in
        for index in cloud.realms.indices { cloud.realms[index].deriveIDs() }
        for index in cloud.backends.indices { cloud.backends[index].deriveKeys() }
    }

    private static let policiesCodec: FieldCodec<JSONObject> = Codec.checked(.map(.anything), expecting: "policies with names") {
        !$0.names.contains("")
    } write: {
        JSONValue.object($0)
    }

    /// The policies that differ from the defaults; null for those that were removed. Lists and objects in the seed are stored as JSON on
    /// one line.
    private var policies: JSONObject {
        get {
            let defaults = EnvironmentPolicies.defaults
            var policies = JSONObject()
            for policy in environment.policies.all where defaults[policy.name] != policy.value {
                policies[policy.name] = .string(policy.value)
            }
            for name in defaults.keys.sorted() where environment.policies[name] == nil { policies[name] = JSONValue.null }
            return policies
        }
        set {
            for (name, value) in newValue.members {
                environment.policies[name] = value == .null ? nil : value.stringValue ?? value.serialized()
            }
        }
    }

    /// Returns the records of all mobile clouds. Their environments are merged into one.
    static func records(of seeds: [SeedMobileCloud]) -> [DirectoryRecord] {
        guard var environment = seeds.first?.environment else { return [] }
        for seed in seeds.dropFirst() { environment.add(seed.environment) }
        var records = [MobileCloudRecord.environment(environment)]
        for seed in seeds {
            records += seed.realms.map { .realm($0) } + seed.backends.map { .backend($0) } + seed.customAPIs.map { .customAPI($0) }
        }
        return records.map { .mobile($0) }
    }
}

extension TokenCertificate {
    /// Certificates in PEM, or those of identity providers in the seeds.
    package static let record = SeedRecord<TokenCertificate>(
        "Token certificate", blank: TokenCertificate(alias: "", source: .pem("")),
        fields: [
            .required("alias", \.alias, Codec.nonempty("an alias"), "The alias."),
            .optional("pem", \.pem, pemCodec, "The certificate in PEM."),
            .optional(
                "identityProvider", \.identityProvider, Codec.nonempty("the name of an identity provider"),
                "The identity provider whose certificate it is, in place of pem."),
        ]
    ) { _, members in
        guard members.has("pem") != members.has("identityProvider") else {
            throw members.fault("pem", expecting: "either a certificate in PEM or identityProvider")
        }
    }

    private static let pemCodec = Codec.form(.text, expecting: "a certificate in PEM") { (try? X509Certificate(pem: $0)) != nil }

    private var pem: String? {
        get { if case .pem(let text) = source { text } else { nil } }
        set { if let newValue { source = .pem(newValue) } }
    }

    private var identityProvider: String? {
        get { if case .identityProvider(let name) = source { name } else { nil } }
        set { if let newValue { source = .identityProvider(newValue) } }
    }
}

extension SAMLTokenIssuer {
    /// Issuers of SAML tokens in seeds.
    package static let record = SeedRecord<SAMLTokenIssuer>(
        "Issuer of SAML tokens",
        blank: SAMLTokenIssuer(
            name: "", isEnabled: true, certificateSubjectNames: [], enablesVirtualUsers: false, userAttribute: nil, roleAttributes: [],
            roleMappings: [], defaultRoles: []),
        fields: [
            .required("name", \.name, Codec.nonempty("the issuer's name, as its tokens spell it"), "The issuer's name in tokens."),
            .defaulted("enabled", \.isEnabled, Codec.flag, "Whether it is accepted.", isAlwaysWritten: true),
            .required(
                "certificateSubjectNames", \.certificateSubjectNames, Codec.someTexts("one or more subject names"),
                "Subjects of its certificates."),
            .defaulted(
                "virtualUserEnabled", \.enablesVirtualUsers, Codec.flag, "Whether users need no record in a realm.", isAlwaysWritten: true),
            .optional("userAttribute", \.userAttribute, Codec.text, "The attribute with the user name."),
            .defaulted("roleAttributes", \.roleAttributes, Codec.texts, "Attributes with roles.", isAlwaysWritten: true),
            .defaulted(
                "roleMappings", \.roleMappings, Codec.list(RoleMapping.record), "Roles for the roles in tokens.", isAlwaysWritten: true),
            .defaulted("defaultRoles", \.defaultRoles, Codec.texts, "Roles of every user.", isAlwaysWritten: true),
        ])
}

extension RoleMapping {
    fileprivate static let record = SeedRecord<RoleMapping>(
        "Role mapping", blank: RoleMapping(tokenRole: "", mappedRoles: []),
        fields: [
            .required("tokenRole", \.tokenRole, Codec.nonempty("a role as tokens name it"), "The role in tokens."),
            .required("mappedRoles", \.mappedRoles, Codec.someTexts("one or more roles"), "Mobile user roles."),
        ])
}

extension StorageCollection {
    /// Storage collections in seeds.
    package static let record = SeedRecord<StorageCollection>(
        "Storage collection", blank: StorageCollection(id: "", description: "", isUserIsolated: false, bucket: "", permissions: [:]),
        fields: [
            .required("id", \.id, Codec.nonempty("the collection's name"), "The name."),
            .defaulted("description", \.description, Codec.text, "A description.", isAlwaysWritten: true),
            .defaulted(
                "userIsolated", \.isUserIsolated, Codec.flag, "Whether each user has objects of their own.", isAlwaysWritten: true),
            .required("bucket", \.bucket, Codec.nonempty("the name of a bucket of a seed"), "The bucket that holds the objects."),
            .defaulted(
                "permissions", \.permissions, permissionsCodec, "Roles by READ, READ_WRITE, READ_ALL and READ_WRITE_ALL.",
                isAlwaysWritten: true),
        ])

    private static let permissionsCodec = FieldCodec<[Permission: [String]]>(
        shape: .map(Codec.texts.shape), expected: nil,
        read: { members, key in
            guard let names: [String: [String]] = try members.decode(ifThere: key) else { return nil }
            var permissions: [Permission: [String]] = [:]
            for (name, roles) in names {
                guard let permission = Permission(rawValue: name) else {
                    let known = Permission.allCases.map(\.rawValue).joined(separator: ", ")
                    throw members.fault(key.stringValue, expecting: "roles by some of \(known)")
                }
                permissions[permission] = roles
            }
            return permissions
        },
        write: { permissions in
            let sorted = permissions.sorted { $0.key.rawValue < $1.key.rawValue }
            return JSONValue.object(JSONObject(try sorted.map { ($0.key.rawValue, try Codec.texts.write($0.value)) }))
        })
}

extension MobileLocations {
    /// What the Location API knows, in seeds.
    package static let record = SeedRecord<MobileLocations>(
        "Locations", blank: MobileLocations(),
        fields: [
            .defaulted("devices", \.devices, entries, "Location devices.", isAlwaysWritten: true),
            .defaulted("places", \.places, entries, "Places.", isAlwaysWritten: true),
            .defaulted("assets", \.assets, entries, "Assets.", isAlwaysWritten: true),
        ])

    private static let entries: FieldCodec<[JSONObject]> = Codec.elements(
        .map(.anything), read: { try JSONObject(from: $0) }, write: { JSONValue.object($0) })
}

extension MobileTeamMember {
    /// Members of the team in seeds.
    package static let record = SeedRecord<MobileTeamMember>(
        "Team member", blank: MobileTeamMember(name: "", password: "", roles: []),
        fields: [
            .required("name", \.name, nameCodec, "The name, without a colon."),
            .required("password", \.password, Codec.nonempty("a password"), "The password."),
            .defaulted("roles", \.roles, rolesCodec, "Roles of the team, such as Mobile_DbMgmt.", isAlwaysWritten: true),
        ])

    private static let nameCodec = Codec.form(.pattern("^[^:]+$"), expecting: "the member's name, without a colon") {
        !$0.isEmpty && !$0.contains(":")
    }

    private static let rolesCodec: FieldCodec<[String]> = Codec.checked(
        .list(.pattern("^Mobile")), expecting: "roles of team members, such as \(databaseManagement)"
    ) { roles in
        roles.allSatisfy { $0.hasPrefix("Mobile") }
    } write: { roles in
        JSONValue.array(roles.map { JSONValue.string($0) })
    }
}
