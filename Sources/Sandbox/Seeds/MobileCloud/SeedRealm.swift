package import Directory
import WireFormats

extension Realm {
    /// Realms in seeds. The IDs of users may be omitted, and are empty then.
    package static let record = SeedRecord<Realm>(
        "Realm", blank: Realm(name: "", version: mobileVersion),
        fields: [
            .mobileName(\.name),
            .mobileVersion(\.version),
            .defaulted("properties", \.properties, Codec.texts, "Names of further user properties.", isAlwaysWritten: true),
            .defaulted("users", \.users, Codec.list(MobileUser.record), "Users.", isAlwaysWritten: true),
            .optional("signOn", \.signOn, Codec.record(SignOnProvider.record), "Who logs users in; saml or openIDConnect."),
        ]
    ) { realm, members in
        let fixed: Set = ["", "id", "username", "password", "email", "firstName", "lastName", "links", "roles", "properties"]
        guard !realm.properties.contains(where: fixed.contains) else {
            throw members.fault("properties", expecting: "names of properties beside those that every user has")
        }
        for (index, user) in realm.users.enumerated() {
            guard let unknown = realm.unknownProperty(of: user) else { continue }
            let path: [any CodingKey] = [FieldName("users"), FieldName(index: index), FieldName("properties")]
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: members.codingPath + path, debugDescription: "only properties that the realm defines, without \(unknown)"))
        }
    }

    /// Derives the IDs of users from their names where the seed omits them.
    mutating func deriveIDs() {
        for index in users.indices where users[index].id.isEmpty {
            users[index].id = MobileIdentifier.of("user \(key) \(users[index].username)")
        }
    }
}

extension MobileUser {
    /// Users of realms in seeds. The ID may be omitted, and is empty then.
    package static let record = SeedRecord<MobileUser>(
        "Mobile user", blank: MobileUser(id: "", username: ""),
        fields: [
            .defaulted("id", \.id, Codec.text, "The identifier; derived from the name by default.", isAlwaysWritten: true),
            .required("username", \.username, usernameCodec, "The user name."),
            .optional("password", \.password, Codec.nonempty("a password"), "The password."),
            .optional("email", \.email, Codec.text, "The mail address."),
            .optional("firstName", \.firstName, Codec.text, "The first name."),
            .optional("lastName", \.lastName, Codec.text, "The last name."),
            .defaulted("properties", \.properties, Codec.object, "Values of the realm's properties.", isAlwaysWritten: true),
            .defaulted("roles", \.roles, Codec.texts, "Mobile user roles.", isAlwaysWritten: true),
        ])

    private static let usernameCodec = Codec.form(
        .nonempty, expecting: "a user name without a colon, and not one of ~, me, login"
    ) {
        !$0.isEmpty && !$0.contains(":") && !["~", "me", "login"].contains($0)
    }
}

extension SignOnProvider {
    fileprivate static let record = SeedRecord<SignOnProvider>(
        "Single sign-on", blank: .saml(SAML(identityProvider: nil, metadata: nil)),
        fields: [
            .optional("saml", \.ofSAML, Codec.record(SAML.record), "A SAML identity provider."),
            .optional("openIDConnect", \.ofOpenIDConnect, Codec.record(OpenIDConnect.record), "An OpenID Connect issuer."),
        ]
    ) { _, members in
        guard members.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(.init(codingPath: members.codingPath, debugDescription: "either saml or openIDConnect"))
        }
    }

    private var ofSAML: SAML? {
        get { if case .saml(let provider) = self { provider } else { nil } }
        set { if let newValue { self = .saml(newValue) } }
    }

    private var ofOpenIDConnect: OpenIDConnect? {
        get { if case .openIDConnect(let provider) = self { provider } else { nil } }
        set { if let newValue { self = .openIDConnect(newValue) } }
    }
}

extension SignOnProvider.SAML {
    fileprivate static let record = SeedRecord<SignOnProvider.SAML>(
        "Sign-on with SAML", blank: SignOnProvider.SAML(identityProvider: nil, metadata: nil),
        fields: [
            .optional("identityProvider", \.identityProvider, Codec.text, "The name of an identity provider of the seeds."),
            .optional("metadata", \.metadata, Codec.text, "The identity provider's metadata, in place of its name."),
            .optional("usernameAttribute", \.usernameAttribute, Codec.text, "The attribute with the user name."),
            .userMapping(\.mapping),
        ]
    ) { provider, members in
        guard (provider.identityProvider == nil) != (provider.metadata == nil) else {
            throw members.fault("identityProvider", expecting: "either identityProvider or metadata")
        }
    }
}

extension SignOnProvider.OpenIDConnect {
    fileprivate static let record = SeedRecord<SignOnProvider.OpenIDConnect>(
        "Sign-on with OpenID Connect", blank: SignOnProvider.OpenIDConnect(issuer: "", clientID: "", clientSecret: nil),
        fields: [
            .required("issuer", \.issuer, issuerCodec, "The issuer's URL."),
            .required("clientID", \.clientID, Codec.nonempty("the client id at the issuer"), "The client ID at the issuer."),
            .optional("clientSecret", \.clientSecret, Codec.text, "The client secret."),
            .defaulted("scopes", \.scopes, Codec.texts, "Scopes.", isAlwaysWritten: true),
            .optional("usernameAttribute", \.usernameAttribute, Codec.text, "The claim with the user name."),
            .userMapping(\.mapping),
        ])

    private static let issuerCodec = Codec.form(.pattern("^https?://"), expecting: "the issuer's URL") {
        $0.hasPrefix("https://") || $0.hasPrefix("http://")
    }
}

extension SeedField {
    fileprivate static func userMapping(_ path: any WritableKeyPath<Record, SignOnProvider.UserMapping> & Sendable) -> SeedField {
        let codec: FieldCodec<SignOnProvider.UserMapping> = Codec.named(
            .text, expecting: SignOnProvider.UserMapping.allCases.map(\.rawValue).joined(separator: " or "),
            make: { SignOnProvider.UserMapping(rawValue: $0) }, text: { $0.rawValue })
        return defaulted("userMappingAttribute", path, codec, "How users are matched: uid or mail.", isAlwaysWritten: true)
    }

    /// The name of a backend, realm or custom API.
    static func mobileName(_ path: any WritableKeyPath<Record, String> & Sendable) -> SeedField {
        let codec = Codec.form(.pattern("^[A-Za-z0-9_-]{1,100}$"), expecting: "a name of 1 to 100 letters, digits and _-") {
            isMobileName($0)
        }
        return required("name", path, codec, "The name.")
    }

    /// The version of a backend, realm or custom API.
    static func mobileVersion(_ path: any WritableKeyPath<Record, String> & Sendable) -> SeedField {
        let codec = Codec.form(.pattern("^[0-9]+(\\.[0-9]+)+$"), expecting: "a version such as 1.0") { text in
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count >= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        }
        return defaulted("version", path, codec, "The version; 1.0 by default.", isAlwaysWritten: true)
    }
}

/// The version of backends, realms and custom APIs without another.
let mobileVersion = "1.0"

/// Returns whether a text is a valid name for backends, realms and custom APIs.
private func isMobileName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
}
