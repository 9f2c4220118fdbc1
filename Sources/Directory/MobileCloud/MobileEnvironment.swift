package import WireFormats

/// What all backends of the mobile cloud share: the environment, which has one base URL.
package struct MobileEnvironment: Hashable, Sendable, Codable {
    /// The names of the mobile user roles that there are.
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
    /// Those who develop.
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

    /// Puts what another has beside what is here; its policies go before.
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

/// A certificate with which an issuer signs tokens. (Using Oracle Mobile Cloud Service, "Keys & Certificates".)
package struct TokenCertificate: Hashable, Sendable, Codable {
    /// The name.
    package var alias: String
    /// Where the certificate is from.
    package var source: Source

    /// Where a certificate is from.
    package enum Source: Hashable, Sendable, Codable {
        /// The certificate itself.
        case pem(String)
        /// Those of an identity provider of ours, by its name, as they are at the moment: its keys are made when they are first needed, so
        /// that no certificate of theirs can be written down before. Their subject is `CN=` and that name.
        case identityProvider(String)
    }

    package init(alias: String, source: Source) {
        self.alias = alias
        self.source = source
    }
}

/// An issuer of SAML tokens (and of JWTs that are handed in as they are), with its rules.
package struct SAMLTokenIssuer: Hashable, Sendable, Codable {
    /// As the tokens spell it.
    package var name: String
    /// Whether its tokens are accepted.
    package var isEnabled: Bool
    /// The subjects of the certificates that it signs with, as RFC 4514 spells them.
    package var certificateSubjectNames: [String]
    /// Whether people who are no users of the realm are accepted.
    package var enablesVirtualUsers: Bool
    /// The attribute that names the user (the *User Mapping* rule); absent for the subject.
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

/// Makes mobile user roles of a role that a token names.
package struct RoleMapping: Hashable, Sendable, Codable {
    /// The role in the token.
    package var tokenRole: String
    /// The roles that its holder gets.
    package var mappedRoles: [String]

    package init(tokenRole: String, mappedRoles: [String]) {
        self.tokenRole = tokenRole
        self.mappedRoles = mappedRoles
    }
}

/// A collection of objects, which lie in a bucket of the object store.
package struct StorageCollection: Hashable, Sendable, Codable {
    /// The identifier, as in paths.
    package var id: String
    package var description: String
    /// Whether each user has objects of their own under the same names.
    package var isUserIsolated: Bool
    /// The bucket that the objects lie in.
    package var bucket: String
    /// The roles with each permission.
    package var permissions: [Permission: [String]]

    /// What a role may do with objects.
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

/// What the Location API knows; each entry as it is answered.
package struct MobileLocations: Hashable, Sendable, Codable {
    /// Location devices, as the API shows them.
    package var devices: [JSONObject] = []
    /// Places, as the API shows them.
    package var places: [JSONObject] = []
    /// Assets, as the API shows them.
    package var assets: [JSONObject] = []

    package init() {}
}
