package import WireFormats

/// A set of mobile users with their properties. (Using Oracle Mobile Cloud Service, "Mobile Users and Roles".)
package struct Realm: Hashable, Sendable, Codable {
    /// The name.
    package var name: String
    /// The version, such as `1.0`.
    package var version: String
    /// The names of the properties that users of the realm can have in addition to the fixed ones.
    package var properties: [String]
    /// The users.
    package var users: [MobileUser]
    /// The identity provider that browsers log in at; `nil` if the identity domain has no single sign-on.
    package var signOn: SignOnProvider?

    package init(name: String, version: String, properties: [String] = [], users: [MobileUser] = [], signOn: SignOnProvider? = nil) {
        self.name = name
        self.version = version
        self.properties = properties
        self.users = users
        self.signOn = signOn
    }

    /// The name and version, such as `Default(1.0)`.
    package var key: String { "\(name)(\(version))" }

    /// Returns the user with a user name, or `nil` if the realm has none.
    package func user(named name: String) -> MobileUser? { users.first { $0.username == name } }

    /// Returns the name of a property of a user that the realm does not define; `nil` if there is none.
    package func unknownProperty(of user: MobileUser) -> String? { user.properties.names.first { !properties.contains($0) } }

    /// Returns the user of the realm for a user name or mail address from an identity provider.
    package func user(_ name: String, by mapping: SignOnProvider.UserMapping) -> MobileUser? {
        switch mapping {
        case .uid: user(named: name)
        case .mail: user(mail: name)
        }
    }

    /// Returns the user with a mail address, without regard to case, or `nil` if the realm has none.
    package func user(mail address: String) -> MobileUser? { users.first { $0.email?.lowercased() == address.lowercased() } }
}

/// A user account in the realm.
package struct MobileUser: Hashable, Sendable, Codable {
    /// A UUID.
    package var id: String
    /// The user name.
    package var username: String
    /// The password; `nil` for users who log in only at an identity provider.
    package var password: String?
    /// The mail address.
    package var email: String?
    /// The first name.
    package var firstName: String?
    /// The last name.
    package var lastName: String?
    /// The values of the properties that the realm defines.
    package var properties: JSONObject
    /// The names of mobile user roles.
    package var roles: [String]

    package init(
        id: String, username: String, password: String? = nil, email: String? = nil, firstName: String? = nil, lastName: String? = nil,
        properties: JSONObject = [:], roles: [String] = []
    ) {
        self.id = id
        self.username = username
        self.password = password
        self.email = email
        self.firstName = firstName
        self.lastName = lastName
        self.properties = properties
        self.roles = roles
    }
}

/// The identity provider that browsers are redirected to. The relay is its service provider or its client.
package enum SignOnProvider: Hashable, Sendable, Codable {
    case saml(SAML)
    case openIDConnect(OpenIDConnect)

    /// How the name that the provider sends is mapped to a user of the realm.
    package enum UserMapping: String, Hashable, Sendable, Codable, CaseIterable {
        /// The name is the user name.
        case uid
        /// The name is the mail address.
        case mail
    }

    /// An identity provider that speaks SAML.
    package struct SAML: Hashable, Sendable, Codable {
        /// The name of an identity provider of this server, whose own metadata is used instead of ``metadata``.
        package var identityProvider: String?
        /// The metadata of an external provider, as XML.
        package var metadata: String?
        /// The attribute that names the user; `nil` for the subject.
        package var usernameAttribute: String?
        /// How the provider's name is mapped to a user of the realm.
        package var mapping: UserMapping

        package init(identityProvider: String?, metadata: String?, usernameAttribute: String? = nil, mapping: UserMapping = .uid) {
            self.identityProvider = identityProvider
            self.metadata = metadata
            self.usernameAttribute = usernameAttribute
            self.mapping = mapping
        }
    }

    /// An identity provider that speaks OpenID Connect.
    package struct OpenIDConnect: Hashable, Sendable, Codable {
        /// The issuer, as its discovery document spells it, or the canonical issuer of a provider of this server.
        package var issuer: String
        /// The client ID of the mobile cloud.
        package var clientID: String
        /// The client secret, or `nil` for a public client.
        package var clientSecret: String?
        /// The scopes of authorization requests.
        package var scopes: [String]
        /// The claim that names the user; `nil` for `sub`.
        package var usernameAttribute: String?
        /// How the provider's name is mapped to a user of the realm.
        package var mapping: UserMapping

        package init(
            issuer: String, clientID: String, clientSecret: String?, scopes: [String] = ["openid", "profile", "email"],
            usernameAttribute: String? = nil, mapping: UserMapping = .uid
        ) {
            self.issuer = issuer
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.scopes = scopes
            self.usernameAttribute = usernameAttribute
            self.mapping = mapping
        }
    }
}
