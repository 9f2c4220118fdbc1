package import WireFormats

/// Mobile users, and what is known of each of them. (Using Oracle Mobile Cloud Service, "Mobile Users and Roles".)
package struct Realm: Hashable, Sendable, Codable {
    /// The name.
    package var name: String
    /// `1.0`
    package var version: String
    /// The names of the properties that users of the realm can have beside the fixed ones.
    package var properties: [String]
    /// The users.
    package var users: [MobileUser]
    /// Where browsers log in; absent where the identity domain has no single sign-on.
    package var signOn: SignOnProvider?

    package init(name: String, version: String, properties: [String] = [], users: [MobileUser] = [], signOn: SignOnProvider? = nil) {
        self.name = name
        self.version = version
        self.properties = properties
        self.users = users
        self.signOn = signOn
    }

    /// `Default(1.0)`
    package var key: String { "\(name)(\(version))" }

    /// The user of a name or mail address, or `nil` if the realm has none.
    package func user(named name: String) -> MobileUser? { users.first { $0.username == name } }

    /// A property of a user that the realm does not have.
    package func unknownProperty(of user: MobileUser) -> String? { user.properties.names.first { !properties.contains($0) } }

    /// The user whom what an identity provider says of somebody leads to.
    package func user(_ name: String, by mapping: SignOnProvider.UserMapping) -> MobileUser? {
        switch mapping {
        case .uid: user(named: name)
        case .mail: user(mail: name)
        }
    }

    /// The user of a name or mail address, or `nil` if the realm has none.
    package func user(mail address: String) -> MobileUser? { users.first { $0.email?.lowercased() == address.lowercased() } }
}

/// Somebody with an account in the realm.
package struct MobileUser: Hashable, Sendable, Codable {
    /// A UUID.
    package var id: String
    /// The user name.
    package var username: String
    /// Absent for those who log in at an identity provider only.
    package var password: String?
    /// The mail address.
    package var email: String?
    /// The first name.
    package var firstName: String?
    /// The last name.
    package var lastName: String?
    /// Those of the realm.
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

/// The identity provider that browsers are sent to; the relay is its service provider or its client.
package enum SignOnProvider: Hashable, Sendable, Codable {
    case saml(SAML)
    case openIDConnect(OpenIDConnect)

    /// How what the provider says of somebody leads to a user of the realm.
    package enum UserMapping: String, Hashable, Sendable, Codable, CaseIterable {
        /// By user name.
        case uid
        /// By address of mail.
        case mail
    }

    /// An identity provider that speaks SAML.
    package struct SAML: Hashable, Sendable, Codable {
        /// A provider of ours; then ``metadata`` are its own.
        package var identityProvider: String?
        /// Those of a provider elsewhere, as XML.
        package var metadata: String?
        /// The attribute that names the user; absent for the subject.
        package var usernameAttribute: String?
        /// How the provider's name becomes a user of the realm.
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
        /// As its discovery document spells it, or the canonical name of an issuer of ours.
        package var issuer: String
        /// The client ID of the mobile cloud.
        package var clientID: String
        /// The client secret, or `nil` for a public client.
        package var clientSecret: String?
        /// The scopes to ask for.
        package var scopes: [String]
        /// The claim that names the user; absent for `sub`.
        package var usernameAttribute: String?
        /// How the provider's name becomes a user of the realm.
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
