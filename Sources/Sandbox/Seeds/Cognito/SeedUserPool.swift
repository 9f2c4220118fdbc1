import Cryptography
package import Directory
import Policy
import WireFormats

/// A user pool of Amazon Cognito in a seed, with its clients, groups and people.
package struct SeedUserPool: Sendable {
    /// The pool. A seed does not have its account and times.
    package var pool: UserPool
    /// The prefix of its domain; `nil` for none.
    package var domain: String?
    /// Its domain with a host name of its own; `nil` for none.
    package var customDomain: String?
    /// The resource servers.
    package var resourceServers: [UserPoolResourceServer] = []
    /// The identity providers.
    package var identityProviders: [UserPoolIdentityProvider] = []
    /// The apps.
    package var clients: [UserPoolClient] = []
    /// The groups.
    package var groups: [UserPoolGroup] = []
    /// The people.
    package var people: [SeedUserPoolPerson] = []

    /// - Parameter pool: the pool itself.
    package init(_ pool: UserPool) { self.pool = pool }

    static let never = Timestamp(seconds: 0)

    /// User pools in seeds.
    package static let record = SeedRecord<SeedUserPool>(
        "User pool", blank: SeedUserPool(UserPool(id: "", account: "", name: "", created: never)),
        fields: [
            .required("id", \.pool.id, identifier, "The ID of the pool: a region, an underscore, letters and digits."),
            .required("name", \.pool.name, Codec.nonempty("the name of the pool"), "The name of the pool."),
            .defaulted(
                "usernameAttributes", \.pool.usernameAttributes, Codec.attributes(["email", "phone_number"]),
                "The attributes that people sign up with in place of a username: email, phone_number."),
            .defaulted(
                "aliasAttributes", \.pool.aliasAttributes, Codec.attributes(UserPools.aliases),
                "The attributes that people can also sign in with, once they are verified."),
            .defaulted(
                "autoVerifiedAttributes", \.pool.autoVerifiedAttributes, Codec.attributes(["email", "phone_number"]),
                "The attributes to which codes are sent at sign-up."),
            .defaulted("caseSensitive", \.pool.isCaseSensitive, Codec.flag, "Whether usernames are case-sensitive."),
            .defaulted("multiFactor", \.pool.multiFactor, Codec.word(UserPool.MultiFactor.self), "Whether a second factor is needed."),
            .defaulted(
                "softwareTokens", \.pool.acceptsSoftwareTokens, Codec.flag, "Whether time-based one-time passwords are a second factor."),
            .defaulted(
                "messageFactors", \.pool.messageFactorNames, Codec.attributes(messageFactors),
                "The second factors whose codes are sent: SMS_MFA, EMAIL_OTP."),
            .optional(
                "rememberDevices", \.pool.deviceWord,
                Codec.form(.words(SeedUserPool.deviceWords), expecting: SeedUserPool.deviceWords.joined(separator: " or ")) {
                    SeedUserPool.deviceWords.contains($0)
                },
                "Whether devices are remembered: ALWAYS, or ON_PROMPT if the person wants it; they are not by default."),
            .defaulted(
                "devicesReplaceFactors", \.pool.devicesReplaceFactors, Codec.flag,
                "Whether a remembered device takes the place of a second factor."),
            .defaulted(
                "onlyAdminsCreate", \.pool.allowsAdminCreateUserOnly, Codec.flag, "Whether people cannot sign up themselves."),
            .defaulted(
                "minimumPasswordLength", \.pool.passwordPolicy.minimumLength, Codec.integer(6...99, "characters"),
                "The minimum length of passwords."),
            .defaulted(
                "passwordsNeedUppercase", \.pool.passwordPolicy.requiresUppercase, Codec.flag,
                "Whether passwords need an upper-case letter."),
            .defaulted(
                "passwordsNeedLowercase", \.pool.passwordPolicy.requiresLowercase, Codec.flag,
                "Whether passwords need a lower-case letter."),
            .defaulted("passwordsNeedNumbers", \.pool.passwordPolicy.requiresNumbers, Codec.flag, "Whether passwords need a digit."),
            .defaulted("passwordsNeedSymbols", \.pool.passwordPolicy.requiresSymbols, Codec.flag, "Whether passwords need a symbol."),
            .defaulted(
                "customAttributes", \.pool.customNames, Codec.customAttributes, "The names of further attributes, without custom:."),
            .optional("domain", \.domain, SeedUserPool.prefix, "The prefix of the domain with the hosted pages; none by default."),
            .optional("customDomain", \.customDomain, SeedUserPool.hostName, "A host name with the hosted pages; none by default."),
            .defaulted(
                "resourceServers", \.resourceServers, Codec.list(UserPoolResourceServer.record), "The APIs that access tokens are for."),
            .defaulted(
                "identityProviders", \.identityProviders, Codec.list(UserPoolIdentityProvider.record),
                "The identity providers that people sign in with at the domain."),
            .defaulted(
                "triggers", \.pool.triggers, Codec.triggers,
                "The functions that the pool calls: the member of LambdaConfig to a URL, or to an ARN that eventTargets has."),
            .defaulted("clients", \.clients, Codec.list(UserPoolClient.record), "The apps."),
            .defaulted("groups", \.groups, Codec.list(UserPoolGroup.record), "The groups."),
            .defaulted("people", \.people, Codec.list(SeedUserPoolPerson.record), "The people."),
            .tags(\.pool.tags),
        ]
    ) { seeded, members in
        guard seeded.pool.usernameAttributes.isEmpty || seeded.pool.aliasAttributes.isEmpty else {
            throw members.fault("aliasAttributes", expecting: "either usernameAttributes or aliasAttributes")
        }
        if members.has("devicesReplaceFactors"), seeded.pool.devices == nil {
            throw members.fault("devicesReplaceFactors", expecting: "rememberDevices as well")
        }
        let groups = seeded.groups.map(\.name)
        for person in seeded.people where !person.user.groups.allSatisfy({ groups.contains($0) }) {
            throw members.fault("people", expecting: "groups of the pool for the person '\(person.user.username)'")
        }
        let scopes = UserPoolScope.all + seeded.resourceServers.flatMap(\.fullScopes)
        for client in seeded.clients {
            do throws(UserPoolClient.OAuth.Fault) {
                try client.oauthSettings.check(
                    in: seeded.pool.id, hasSecret: client.secret != nil, scopes: scopes, providers: seeded.identityProviders.map(\.name))
            } catch {
                throw members.fault("clients", expecting: "settings that the service accepts for '\(client.id)': \(error.message)")
            }
        }
    }

    /// Which devices are remembered.
    fileprivate static let deviceWords = ["ALWAYS", "ON_PROMPT"]
    /// The second factors whose codes are sent.
    fileprivate static let messageFactors = [UserPoolFactor.sms.rawValue, UserPoolFactor.mail.rawValue]

    private static let identifier = Codec.form(
        .pattern("^[a-z0-9-]+_[A-Za-z0-9]+$"), expecting: "a region, an underscore, and letters and digits"
    ) { UserPool.isIdentifier($0) }

    private static let prefix = Codec.form(
        .pattern("^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$"), expecting: "1 to 63 lower-case letters, digits and hyphens"
    ) { UserPoolDomain.isPrefix($0) }

    private static let hostName = Codec.form(
        .pattern("^[a-z0-9-]+([.][a-z0-9-]+){2,}$"), expecting: "a host name of at least three labels in lower case"
    ) { UserPoolDomain.isHostName($0) }

    /// Returns the records of the pool in an account.
    func records(in account: String, created: Timestamp) -> [DirectoryRecord] {
        var pool = pool
        (pool.account, pool.created, pool.modified) = (account, created, created)
        let owner = pool
        pool.triggers = owner.triggers.map { $0.placed(in: owner) }
        var records: [UserPoolRecord] = [.pool(pool)]
        for name in [domain, customDomain].compactMap(\.self) {
            records.append(.domain(UserPoolDomain(name: name, pool: pool.id, created: created)))
        }
        for var server in resourceServers {
            server.pool = pool.id
            records.append(.resourceServer(server))
        }
        for var provider in identityProviders {
            (provider.pool, provider.created, provider.modified) = (pool.id, created, created)
            records.append(.identityProvider(provider))
        }
        for var client in clients {
            (client.pool, client.created, client.modified) = (pool.id, created, created)
            records.append(.client(client))
        }
        for var group in groups {
            (group.pool, group.created, group.modified) = (pool.id, created, created)
            records.append(.group(group))
        }
        records += people.map { .user($0.placed(in: pool, created: created)) }
        return records.map { .userPool($0) }
    }
}

/// A person of a user pool in a seed.
package struct SeedUserPoolPerson: Sendable {
    /// The person. A seed does not have the pool, the times and what verifies the password.
    package var user: UserPoolUser
    /// The password; `nil` for none.
    package var password: String?

    /// - Parameter user: the person itself.
    package init(_ user: UserPoolUser) { self.user = user }

    /// People of user pools in seeds.
    static let record = SeedRecord<SeedUserPoolPerson>(
        "Person of a user pool",
        blank: SeedUserPoolPerson(UserPoolUser(pool: "", sub: "", username: "", status: .confirmed, created: SeedUserPool.never)),
        fields: [
            .required(
                "username", \.user.username, Codec.nonempty("the username, or the address to sign up with"),
                "The username, or the address in pools with usernameAttributes."),
            .optional("sub", \.user.givenSub, Codec.nonempty("a UUID"), "The permanent ID; derived from pool and username by default."),
            .optional("password", \.password, Codec.nonempty("a password"), "The password."),
            .defaulted("attributes", \.user.attributes, Codec.userAttributes, "Attributes: name to value."),
            .defaulted("groups", \.user.groups, Codec.texts, "The names of the person's groups."),
            .defaulted("status", \.user.status, statusCodec, "The state; CONFIRMED by default."),
            .defaulted("enabled", \.user.isEnabled, Codec.flag, "Whether the person can sign in."),
            .optional(
                "preferredFactor", \.user.preferredMessageFactor,
                Codec.form(.words(SeedUserPool.messageFactors), expecting: "SMS_MFA or EMAIL_OTP") {
                    SeedUserPool.messageFactors.contains($0)
                },
                "The second factor that the person prefers: SMS_MFA or EMAIL_OTP."),
        ])

    /// The states of people with a password.
    private static let statusCodec: FieldCodec<UserPoolUser.Status> = {
        let states = UserPoolUser.Status.allCases.filter { $0 != .externalProvider }
        let words = states.map(\.rawValue)
        return Codec.named(
            .words(words), expecting: "one of \(words.joined(separator: ", "))", make: { word in states.first { $0.rawValue == word } },
            text: { $0.rawValue })
    }()

    /// Returns the person as a record of a pool.
    func placed(in pool: UserPool, created: Timestamp) -> UserPoolUser {
        var user = user
        (user.pool, user.created, user.modified) = (pool.id, created, created)
        if user.sub.isEmpty { user.sub = Self.sub(of: user.username, in: pool) }
        if !pool.usernameAttributes.isEmpty {
            let attribute = user.username.contains("@") ? "email" : "phone_number"
            if user[attribute: attribute] == nil, user.username != user.sub { user[attribute: attribute] = user.username }
            user.username = user.sub
        }
        if let password, let salt = try? SecureRemotePassword.newSalt(),
            let verifier = try? SecureRemotePassword.verifier(
                identity: pool.shortName + user.username, password: password, salt: salt)
        {
            user.password = UserPoolUser.Password(salt: salt, verifier: verifier, set: created)
        }
        return user
    }

    /// Returns the UUID of a person, which is the same after each reset.
    private static func sub(of name: String, in pool: UserPool) -> String {
        var bytes = Array(SHA256.hash("\(pool.id)/\(name)").prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = Array(bytes.hex.utf8)
        let parts = [hex[..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20...]]
        return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
    }
}

extension UserPool {
    /// The names of the attributes that the pool adds.
    fileprivate var customNames: [String] {
        get { customAttributes.map { String($0.name.dropFirst(UserPoolAttribute.customPrefix.count)) } }
        set { customAttributes = newValue.map { UserPoolAttribute(name: UserPoolAttribute.customPrefix + $0) } }
    }
}

extension UserPool {
    /// The names of the second factors whose codes are sent.
    fileprivate var messageFactorNames: [String] {
        get { messageFactors.map(\.rawValue) }
        set { messageFactors = newValue.compactMap { UserPoolFactor(rawValue: $0) } }
    }
}

extension UserPool {
    /// Which devices are remembered.
    fileprivate var deviceWord: String? {
        get { devices.map { SeedUserPool.deviceWords[$0.isOnPrompt ? 1 : 0] } }
        set { devices = newValue.map { DeviceSettings(isOnPrompt: $0 == SeedUserPool.deviceWords[1]) } }
    }

    /// Whether a remembered device takes the place of a second factor.
    fileprivate var devicesReplaceFactors: Bool {
        get { devices?.replacesFactor ?? false }
        set { devices?.replacesFactor = newValue }
    }
}

extension UserPoolUser {
    /// The name of the second factor that the person prefers, if its codes are sent.
    fileprivate var preferredMessageFactor: String? {
        get {
            let factors: [UserPoolFactor] = [.sms, .mail]
            return factors.first { self[choice: $0]?.isPreferred ?? false }?.rawValue
        }
        set {
            guard let factor = newValue.flatMap({ UserPoolFactor(rawValue: $0) }) else { return }
            self[choice: factor] = FactorChoice(isEnabled: true, isPreferred: true)
        }
    }

    /// The permanent identifier, unless it follows from the username.
    fileprivate var givenSub: String? {
        get { sub.isEmpty ? nil : sub }
        set { sub = newValue ?? "" }
    }
}

extension UserPoolGroup {
    /// Groups of user pools in seeds.
    fileprivate static let record = SeedRecord<UserPoolGroup>(
        "Group of a user pool", blank: UserPoolGroup(pool: "", name: "", created: SeedUserPool.never),
        fields: [
            .required("name", \.name, Codec.nonempty("the name of the group"), "The name of the group."),
            .optional("description", \.description, Codec.text, "The description."),
            .optional("role", \.role, Codec.nonempty("the ARN of a role"), "The ARN of the role of its members."),
            .optional(
                "precedence", \.precedence, Codec.integer(0...Int(Int32.max), "a precedence"), "The group with the lowest value wins."),
        ])
}

extension Codec {
    /// Lists of some words.
    static func attributes(_ names: [String]) -> FieldCodec<[String]> {
        checked(.list(.words(names)), expecting: "some of \(names.joined(separator: ", "))") { (values: [String]) in
            values.allSatisfy { names.contains($0) }
        } write: {
            JSONValue.array($0.map { JSONValue.string($0) })
        }
    }

    /// The names of further attributes.
    fileprivate static let customAttributes = checked(
        .list(.pattern("^[^:]{1,20}$")), expecting: "names of 1 to 20 characters without custom:"
    ) { (values: [String]) in
        values.allSatisfy { (1...20).contains($0.utf8.count) && !$0.contains(":") }
    } write: {
        JSONValue.array($0.map { JSONValue.string($0) })
    }

    /// Attributes with their values.
    static let userAttributes = FieldCodec<[UserPoolUser.Attribute]>(
        shape: .map(.text), expected: nil,
        read: { members, key in
            let values: [String: String]? = try members.decode(ifThere: key)
            return values.map { values in
                values.map { UserPoolUser.Attribute($0.key, $0.value) }.sorted { $0.name < $1.name }
            }
        },
        write: { attributes in JSONValue.object(JSONObject(attributes.map { ($0.name, JSONValue.string($0.value)) })) })
}
