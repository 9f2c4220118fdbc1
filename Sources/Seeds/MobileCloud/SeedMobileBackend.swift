import Directory
import WireFormats

/// A backend of the mobile cloud. Keys that the seed omits are derived from its name, so that they are the same after every start.
struct SeedMobileBackend: Sendable, Decodable {
    var backend: MobileBackend
    /// The keys that the seed omits.
    private var omitted: Set<CodingKeys> = []

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, version, id, anonymousUser, anonymousPassword, anonymousKey, clientID, clientSecret, realm, oauth, basic, sso, facebook
        case appPolicies, apis
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let name: String = try container.decode(.name, expecting: mobileNameForm, where: isMobileName)
        let version: String = try container.versionOfMobile(.version)
        let key = "\(name)(\(version))"
        let anonymous = try Self.anonymousKey(in: container)
        func text(_ member: CodingKeys, or fallback: String) throws -> String {
            guard container.contains(member) else { return fallback }
            return try container.decode(member, expecting: "a text that is not empty") { !$0.isEmpty }
        }
        backend = MobileBackend(
            name: name, version: version, id: try text(.id, or: MobileIdentifier.of("backend \(key)")),
            anonymousUser: try anonymous?.user ?? text(.anonymousUser, or: Self.anonymousUser(of: name)),
            anonymousPassword: try anonymous?.password ?? text(.anonymousPassword, or: MobileIdentifier.of("anonymous \(key)")),
            clientID: try text(.clientID, or: MobileIdentifier.of("client \(key)")),
            clientSecret: try text(.clientSecret, or: MobileIdentifier.of("secret \(key)")),
            realm: try container.decode(.realm, or: "Default(1.0)"), allowsOAuth: try container.decode(.oauth, or: true),
            allowsBasic: try container.decode(.basic, or: true), allowsSingleSignOn: try container.decode(.sso, or: false),
            facebook: try container.decode(ifThere: .facebook).map { (login: SeedFacebookLogin) in login.login },
            appPolicies: try container.decode(.appPolicies, or: [:]), apis: try Self.apis(in: container))
        guard !backend.allowsSingleSignOn || backend.allowsOAuth else {
            throw DecodingError.dataCorruptedError(forKey: .sso, in: container, debugDescription: "false, because oauth is off")
        }
        guard backend.facebook == nil || backend.allowsBasic else {
            throw DecodingError.dataCorruptedError(forKey: .facebook, in: container, debugDescription: "no facebook, because basic is off")
        }
        guard !backend.anonymousUser.contains(":") else {
            throw DecodingError.dataCorruptedError(forKey: .anonymousUser, in: container, debugDescription: "a user name without a colon")
        }
        // The ID is sent in a header.
        guard backend.id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw DecodingError.dataCorruptedError(forKey: .id, in: container, debugDescription: "visible ASCII characters")
        }
        omitted = Set(CodingKeys.allCases.filter { !container.contains($0) })
        if anonymous != nil { omitted.subtract([.anonymousUser, .anonymousPassword]) }
    }

    /// Decodes `"all"` or a list of custom APIs; an empty list if the key is absent.
    private static func apis(in container: KeyedDecodingContainer<CodingKeys>) throws -> MobileBackend.APISelection {
        guard container.contains(.apis) else { return .listed([]) }
        if let word = try? container.decode(String.self, forKey: .apis) {
            guard word == "all" else {
                throw DecodingError.dataCorruptedError(
                    forKey: .apis, in: container, debugDescription: "\"all\", or a list such as [\"orders\", \"orders(1.0)\"]")
            }
            return .all
        }
        return .listed(try container.decode(.apis, or: []))
    }

    static func anonymousUser(of name: String) -> String { "VIRGA_\(name.uppercased())_MOBILE_ANONYMOUS_APPID" }

    /// Decodes the anonymous key, if there is one: the user name and password in base 64, as in apps.
    private static func anonymousKey(
        in container: KeyedDecodingContainer<CodingKeys>
    ) throws -> (user: String, password: String)? {
        guard container.contains(.anonymousKey) else { return nil }
        let bytes = [UInt8](base64: try container.decode(String.self, forKey: .anonymousKey)) ?? []
        let parts = String(validating: bytes, as: UTF8.self)?.split(separator: ":", maxSplits: 1).map(String.init) ?? []
        guard parts.count == 2 else {
            throw DecodingError.dataCorruptedError(
                forKey: .anonymousKey, in: container, debugDescription: "a user, a colon and a password in base 64")
        }
        for (key, part) in [(CodingKeys.anonymousUser, parts[0]), (.anonymousPassword, parts[1])] where container.contains(key) {
            _ = try container.decode(key, expecting: "the same value as in anonymousKey") { $0 == part }
        }
        return (parts[0], parts[1])
    }

    /// Returns the backend with the keys of the existing one where the seed omits them, or with random keys if there is none.
    func backend(keeping existing: MobileBackend?) throws -> MobileBackend {
        func key(_ member: CodingKeys, _ path: WritableKeyPath<MobileBackend, String>, in backend: inout MobileBackend) throws {
            guard omitted.contains(member) else { return }
            backend[keyPath: path] = try existing?[keyPath: path] ?? MobileIdentifier.random()
        }
        var made = backend
        try key(.id, \.id, in: &made)
        try key(.anonymousPassword, \.anonymousPassword, in: &made)
        try key(.clientID, \.clientID, in: &made)
        try key(.clientSecret, \.clientSecret, in: &made)
        if omitted.contains(.anonymousUser), let existing { made.anonymousUser = existing.anonymousUser }
        return made
    }
}

private struct SeedFacebookLogin: Sendable, Decodable {
    var login: MobileBackend.FacebookLogin

    private enum CodingKeys: String, CodingKey, CaseIterable { case appID, appSecret }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        login = MobileBackend.FacebookLogin(
            appID: try container.decode(.appID, expecting: "the app's id at Facebook", where: { !$0.isEmpty }),
            appSecret: try container.decode(.appSecret, expecting: "the app's secret at Facebook", where: { !$0.isEmpty }))
    }
}

struct SeedRealm: Sendable, Decodable {
    var realm: Realm
    /// The indices of users without an ID in the seed. Their IDs are derived from their names.
    var unidentified: [Int] = []

    private enum CodingKeys: String, CodingKey, CaseIterable { case name, version, properties, users, signOn }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        let name: String = try container.decode(.name, expecting: mobileNameForm, where: isMobileName)
        realm = Realm(
            name: name, version: try container.versionOfMobile(.version), properties: try container.decode(.properties, or: []))
        let fixed: Set = ["", "id", "username", "password", "email", "firstName", "lastName", "links", "roles", "properties"]
        guard !realm.properties.contains(where: fixed.contains) else {
            throw DecodingError.dataCorruptedError(
                forKey: .properties, in: container, debugDescription: "names of properties beside those that every user has")
        }
        realm.users = try container.decode(.users, or: [SeedMobileUser]()).map(\.user)
        for index in realm.users.indices where realm.users[index].id.isEmpty {
            realm.users[index].id = MobileIdentifier.of("user \(realm.key) \(realm.users[index].username)")
            unidentified.append(index)
        }
        for (index, user) in realm.users.enumerated() {
            if let unknown = realm.unknownProperty(of: user) {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: container.codingPath + [CodingKeys.users, Index(index), SeedMobileUser.CodingKeys.properties],
                        debugDescription: "only properties that the realm defines, without \(unknown)"))
            }
        }
        realm.signOn = try container.decode(ifThere: .signOn).map { (seed: SeedSignOnProvider) in seed.provider }
    }

    private struct Index: CodingKey {
        var intValue: Int?
        var stringValue: String

        init(_ index: Int) {
            intValue = index
            stringValue = String(index)
        }

        init?(intValue: Int) { self.init(intValue) }

        init?(stringValue: String) { nil }
    }
}

struct SeedMobileUser: Sendable, Decodable {
    /// The user. Its ID is empty if the seed omits it.
    var user: MobileUser

    enum CodingKeys: String, CodingKey, CaseIterable { case id, username, password, email, firstName, lastName, properties, roles }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        user = MobileUser(
            id: try container.decode(.id, or: ""),
            username: try container.decode(.username, expecting: "a user name without a colon, and not one of ~, me, login") {
                !$0.isEmpty && !$0.contains(":") && !["~", "me", "login"].contains($0)
            },
            password: container.contains(.password)
                ? try container.decode(.password, expecting: "a password", where: { !$0.isEmpty }) : nil,
            email: try container.decode(ifThere: .email),
            firstName: try container.decode(ifThere: .firstName), lastName: try container.decode(ifThere: .lastName),
            properties: try container.decode(.properties, or: [:]), roles: try container.decode(.roles, or: []))
    }
}

private struct SeedSignOnProvider: Sendable, Decodable {
    var provider: SignOnProvider

    private enum CodingKeys: String, CodingKey, CaseIterable { case saml, openIDConnect }

    private enum SAMLKeys: String, CodingKey, CaseIterable { case identityProvider, metadata, usernameAttribute, userMappingAttribute }

    private enum OpenIDConnectKeys: String, CodingKey, CaseIterable {
        case issuer, clientID, clientSecret, scopes, usernameAttribute, userMappingAttribute
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        guard container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(.init(codingPath: container.codingPath, debugDescription: "either saml or openIDConnect"))
        }
        if container.contains(.saml) {
            let saml = try container.superDecoder(forKey: .saml).strictContainer(keyedBy: SAMLKeys.self)
            let (own, metadata): (String?, String?) = (
                try saml.decode(ifThere: .identityProvider), try saml.decode(ifThere: .metadata)
            )
            guard (own == nil) != (metadata == nil) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .identityProvider, in: saml, debugDescription: "either identityProvider or metadata")
            }
            provider = .saml(
                .init(
                    identityProvider: own, metadata: metadata, usernameAttribute: try saml.decode(ifThere: .usernameAttribute),
                    mapping: try saml.mapping(.userMappingAttribute)))
        } else {
            let client = try container.superDecoder(forKey: .openIDConnect).strictContainer(keyedBy: OpenIDConnectKeys.self)
            provider = .openIDConnect(
                .init(
                    issuer: try client.decode(.issuer, expecting: "the issuer's URL") {
                        $0.hasPrefix("https://") || $0.hasPrefix("http://")
                    },
                    clientID: try client.decode(.clientID, expecting: "the client id at the issuer", where: { !$0.isEmpty }),
                    clientSecret: try client.decode(ifThere: .clientSecret),
                    scopes: try client.decode(.scopes, or: ["openid", "profile", "email"]),
                    usernameAttribute: try client.decode(ifThere: .usernameAttribute), mapping: try client.mapping(.userMappingAttribute)))
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func mapping(_ key: Key) throws -> SignOnProvider.UserMapping {
        try decode(
            key, named: SignOnProvider.UserMapping.init(rawValue:),
            expecting: SignOnProvider.UserMapping.allCases.map(\.rawValue).joined(separator: " or ")) ?? .uid
    }

    /// Decodes a version; `1.0` if the key is absent.
    func versionOfMobile(_ key: Key) throws -> String {
        guard contains(key) else { return "1.0" }
        return try decode(key, expecting: "a version such as 1.0") { (text: String) in
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count >= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        }
    }
}

/// A description of what ``isMobileName(_:)`` accepts.
let mobileNameForm = "a name of 1 to 100 letters, digits and _-"

/// Returns whether a text is a valid name for backends, realms and custom APIs.
func isMobileName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count)
        && name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
}
