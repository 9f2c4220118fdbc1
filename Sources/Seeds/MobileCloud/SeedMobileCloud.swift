import Cryptography
import Directory
import WireFormats

/// `mobileCloud`: the environment, its realms, backends and custom APIs.
struct SeedMobileCloud: Sendable, Decodable {
    var environment = MobileEnvironment()
    var realms: [Realm]
    var backends: [MobileBackend]
    var customAPIs: [CustomAPI]

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case roles, policies, certificates, samlIssuers, collections, locations, teamMembers, realms, backends, customAPIs
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        environment.roles = try container.decode(.roles, or: [])
        if container.contains(.policies) {
            // Lists and objects in the seed are stored in the policy as JSON on one line.
            let policies: JSONObject = try container.decode(.policies, expecting: "policies with names") { !$0.names.contains("") }
            for (name, value) in policies.members {
                environment.policies[name] = value == .null ? nil : value.stringValue ?? value.serialized()
            }
        }
        environment.certificates = try container.decode(.certificates, or: [SeedTokenCertificate]()).map(\.certificate)
        environment.samlIssuers = try container.decode(.samlIssuers, or: [SeedSAMLTokenIssuer]()).map(\.issuer)
        environment.collections = try container.decode(.collections, or: [SeedStorageCollection]()).map(\.collection)
        environment.locations = try container.decode(.locations, or: SeedMobileLocations()).locations
        environment.teamMembers = try container.decode(.teamMembers, or: [SeedMobileTeamMember]()).map(\.member)
        realms = try container.decode(.realms, or: [SeedRealm]()).map(\.realm)
        backends = try container.decode(.backends, or: [SeedMobileBackend]()).map(\.backend)
        customAPIs = try container.decode(.customAPIs, or: [SeedCustomAPI]()).map(\.api)
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

/// A certificate in PEM, or that of an identity provider in the seeds.
struct SeedTokenCertificate: Sendable, Decodable {
    var certificate: TokenCertificate

    private enum CodingKeys: String, CodingKey, CaseIterable { case alias, pem, identityProvider }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        guard container.contains(.pem) != container.contains(.identityProvider) else {
            throw DecodingError.dataCorruptedError(
                forKey: .pem, in: container, debugDescription: "either a certificate in PEM or identityProvider")
        }
        certificate = TokenCertificate(
            alias: try container.decode(.alias, expecting: "an alias", where: { !$0.isEmpty }),
            source: container.contains(.pem)
                ? .pem(try container.decode(.pem, expecting: "a certificate in PEM") { (try? X509Certificate(pem: $0)) != nil })
                : .identityProvider(
                    try container.decode(.identityProvider, expecting: "the name of an identity provider", where: { !$0.isEmpty })))
    }
}

struct SeedSAMLTokenIssuer: Sendable, Decodable {
    var issuer: SAMLTokenIssuer

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, enabled, certificateSubjectNames, virtualUserEnabled, userAttribute, roleAttributes, roleMappings, defaultRoles
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        issuer = SAMLTokenIssuer(
            name: try container.decode(.name, expecting: "the issuer's name, as its tokens spell it", where: { !$0.isEmpty }),
            isEnabled: try container.decode(.enabled, or: true),
            certificateSubjectNames: try container.decode(.certificateSubjectNames, expecting: "one or more subject names") {
                !$0.isEmpty
            },
            enablesVirtualUsers: try container.decode(.virtualUserEnabled, or: false),
            userAttribute: try container.decode(ifThere: .userAttribute), roleAttributes: try container.decode(.roleAttributes, or: []),
            roleMappings: try container.decode(.roleMappings, or: [SeedRoleMapping]()).map(\.mapping),
            defaultRoles: try container.decode(.defaultRoles, or: []))
    }
}

private struct SeedRoleMapping: Sendable, Decodable {
    var mapping: RoleMapping

    private enum CodingKeys: String, CodingKey, CaseIterable { case tokenRole, mappedRoles }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        mapping = RoleMapping(
            tokenRole: try container.decode(.tokenRole, expecting: "a role as tokens name it", where: { !$0.isEmpty }),
            mappedRoles: try container.decode(.mappedRoles, expecting: "one or more roles", where: { !$0.isEmpty }))
    }
}

struct SeedStorageCollection: Sendable, Decodable {
    var collection: StorageCollection

    private enum CodingKeys: String, CodingKey, CaseIterable { case id, description, userIsolated, bucket, permissions }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let names = try container.decode(.permissions, or: [String: [String]]())
        var permissions: [StorageCollection.Permission: [String]] = [:]
        for (name, roles) in names {
            guard let permission = StorageCollection.Permission(rawValue: name) else {
                let known = StorageCollection.Permission.allCases.map(\.rawValue).joined(separator: ", ")
                throw DecodingError.dataCorruptedError(
                    forKey: .permissions, in: container, debugDescription: "roles by some of \(known)")
            }
            permissions[permission] = roles
        }
        collection = StorageCollection(
            id: try container.decode(.id, expecting: "the collection's name", where: { !$0.isEmpty }),
            description: try container.decode(.description, or: ""), isUserIsolated: try container.decode(.userIsolated, or: false),
            bucket: try container.decode(.bucket, expecting: "the name of a bucket of a seed", where: { !$0.isEmpty }),
            permissions: permissions)
    }
}

struct SeedMobileLocations: Sendable, Decodable {
    var locations = MobileLocations()

    private enum CodingKeys: String, CodingKey, CaseIterable { case devices, places, assets }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        locations.devices = try container.decode(.devices, or: [])
        locations.places = try container.decode(.places, or: [])
        locations.assets = try container.decode(.assets, or: [])
    }
}

struct SeedMobileTeamMember: Sendable, Decodable {
    var member: MobileTeamMember

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, password, roles }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        member = MobileTeamMember(
            name: try container.decode(.name, expecting: "the member's name, without a colon") { !$0.isEmpty && !$0.contains(":") },
            password: try container.decode(.password, expecting: "a password", where: { !$0.isEmpty }),
            roles: try container.contains(.roles)
                ? container.decode(.roles, expecting: "roles of team members, such as \(MobileTeamMember.databaseManagement)") { roles in
                    roles.allSatisfy { $0.hasPrefix("Mobile") }
                } : [])
    }
}
