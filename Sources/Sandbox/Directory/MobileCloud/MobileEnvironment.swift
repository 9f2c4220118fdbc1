package import WireFormats

/// The settings that all backends of the mobile cloud share: the environment, which has one base URL.
package struct MobileEnvironment: Hashable, Sendable, Codable {
    /// The names of the mobile user roles.
    package var roles: [String]
    /// The settings of the environment.
    package var policies: EnvironmentPolicies
    /// The certificates of token issuers.
    package var certificates: [TokenCertificate]
    /// The issuers of SAML tokens that are trusted.
    package var samlIssuers: [SAMLTokenIssuer]
    /// The storage collections.
    package var collections: [StorageCollection]
    /// Places, devices and assets.
    package var locations: MobileLocations
    /// The members of the development team.
    @Filled package var teamMembers: [MobileTeamMember]

    package init() {
        roles = []
        policies = EnvironmentPolicies()
        certificates = []
        samlIssuers = []
        collections = []
        locations = MobileLocations()
        teamMembers = []
    }

    /// Adds the contents of another environment. Its policies take precedence.
    package mutating func add(_ other: MobileEnvironment) {
        roles += other.roles.filter { !roles.contains($0) }
        policies.add(other.policies)
        certificates += other.certificates
        samlIssuers += other.samlIssuers
        collections += other.collections
        locations.devices += other.locations.devices
        locations.places += other.locations.places
        locations.assets += other.locations.assets
        teamMembers += other.teamMembers
    }
}

/// A certificate that verifies tokens of an issuer. (Using Oracle Mobile Cloud Service, "Keys & Certificates".)
package struct TokenCertificate: Hashable, Sendable, Codable {
    /// The name.
    package var alias: String
    /// The source of the certificate.
    package var source: Source

    /// The source of a certificate.
    package enum Source: Hashable, Sendable, Codable {
        /// The certificate itself.
        case pem(String)
        /// The current certificates of an identity provider of this server, by its name. Their subject is `CN=` and that name.
        /// The keys are created when they are first needed, so a seed cannot contain the certificates.
        case identityProvider(String)
    }

    package init(alias: String, source: Source) {
        self.alias = alias
        self.source = source
    }
}

/// A trusted issuer of SAML tokens, or of JWTs that are sent without an exchange, with its rules.
package struct SAMLTokenIssuer: Hashable, Sendable, Codable {
    /// The issuer, as tokens spell it.
    package var name: String
    /// Whether its tokens are accepted.
    package var isEnabled: Bool
    /// The subjects of its signing certificates, in the form of RFC 4514.
    package var certificateSubjectNames: [String]
    /// Whether users that the realm does not have are accepted.
    package var enablesVirtualUsers: Bool
    /// The attribute that names the user (the *User Mapping* rule); `nil` for the subject.
    package var userAttribute: String?
    /// The *Role Attribute* rule.
    package var roleAttributes: [String]
    /// The *Role Mapping* rules.
    package var roleMappings: [RoleMapping]
    /// The *Default Role* rule.
    package var defaultRoles: [String]

    package init(
        name: String, isEnabled: Bool = true, certificateSubjectNames: [String], enablesVirtualUsers: Bool = false,
        userAttribute: String? = nil, roleAttributes: [String] = [], roleMappings: [RoleMapping] = [], defaultRoles: [String] = []
    ) {
        self.name = name
        self.isEnabled = isEnabled
        self.certificateSubjectNames = certificateSubjectNames
        self.enablesVirtualUsers = enablesVirtualUsers
        self.userAttribute = userAttribute
        self.roleAttributes = roleAttributes
        self.roleMappings = roleMappings
        self.defaultRoles = defaultRoles
    }
}

/// Maps a role in a token to mobile user roles.
package struct RoleMapping: Hashable, Sendable, Codable {
    /// The role in the token.
    package var tokenRole: String
    /// The mobile user roles that the user gets.
    package var mappedRoles: [String]

    package init(tokenRole: String, mappedRoles: [String]) {
        self.tokenRole = tokenRole
        self.mappedRoles = mappedRoles
    }
}

/// A storage collection. Its objects are stored in a bucket of the object store.
package struct StorageCollection: Hashable, Sendable, Codable {
    /// The identifier, as it appears in paths.
    package var id: String
    package var description: String
    /// Whether each user has separate objects, so that two users can use the same name.
    package var isUserIsolated: Bool
    /// The bucket that stores the objects.
    package var bucket: String
    /// The roles that have each permission.
    package var permissions: [Permission: [String]]

    /// A permission on the objects of a collection.
    package enum Permission: String, Hashable, Sendable, Codable, CodingKeyRepresentable, CaseIterable {
        case read = "READ"
        case readWrite = "READ_WRITE"
        case readAll = "READ_ALL"
        case readWriteAll = "READ_WRITE_ALL"
    }

    package init(id: String, description: String, isUserIsolated: Bool, bucket: String, permissions: [Permission: [String]]) {
        self.id = id
        self.description = description
        self.isUserIsolated = isUserIsolated
        self.bucket = bucket
        self.permissions = permissions
    }
}

/// The data of the Location API. Each entry is returned as it is stored.
package struct MobileLocations: Hashable, Sendable, Codable {
    /// Location devices, as the API shows them.
    package var devices: [JSONObject] = []
    /// Places, as the API shows them.
    package var places: [JSONObject] = []
    /// Assets, as the API shows them.
    package var assets: [JSONObject] = []

    package init() {}
}
