import Cryptography
package import Directory
import Policy
import WireFormats

/// A user pool of Amazon Cognito in a seed, with its clients, groups and people.
package struct SeedUserPool: Sendable {
    /// The pool. A seed does not have its account and times.
    package var pool: UserPool
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
    }

    /// Which devices are remembered.
    fileprivate static let deviceWords = ["ALWAYS", "ON_PROMPT"]
    /// The second factors whose codes are sent.
    fileprivate static let messageFactors = [UserPoolFactor.sms.rawValue, UserPoolFactor.mail.rawValue]

    private static let identifier = Codec.form(
        .pattern("^[a-z0-9-]+_[A-Za-z0-9]+$"), expecting: "a region, an underscore, and letters and digits"
    ) { UserPool.isIdentifier($0) }

    /// Returns the records of the pool in an account.
    func records(in account: String, created: Timestamp) -> [DirectoryRecord] {
        var pool = pool
        (pool.account, pool.created, pool.modified) = (account, created, created)
        let owner = pool
        pool.triggers = owner.triggers.map { $0.placed(in: owner) }
        var records: [UserPoolRecord] = [.pool(pool)]
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
            .defaulted("status", \.user.status, Codec.word(UserPoolUser.Status.self), "The state; CONFIRMED by default."),
            .defaulted("enabled", \.user.isEnabled, Codec.flag, "Whether the person can sign in."),
            .optional(
                "preferredFactor", \.user.preferredMessageFactor,
                Codec.form(.words(SeedUserPool.messageFactors), expecting: "SMS_MFA or EMAIL_OTP") {
                    SeedUserPool.messageFactors.contains($0)
                },
                "The second factor that the person prefers: SMS_MFA or EMAIL_OTP."),
        ])

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

extension UserPoolClient {
    /// Apps of user pools in seeds.
    fileprivate static let record = SeedRecord<UserPoolClient>(
        "App of a user pool", blank: UserPoolClient(id: "", pool: "", name: "", created: SeedUserPool.never),
        fields: [
            .required("id", \.id, identifier, "The ID of the app."),
            .required("name", \.name, Codec.nonempty("the name of the app"), "The name of the app."),
            .optional("secret", \.secret, Codec.nonempty("the secret"), "The secret; none by default."),
            .defaulted("flows", \.flows, Codec.attributes(flowNames), "The values of ExplicitAuthFlows."),
            .defaulted(
                "hideUnknownUsers", \.hidesUnknownUsers, Codec.flag, "Whether unknown users and wrong passwords get the same error."),
            .optional(
                "rotationGrace", \.rotationGrace, Codec.integer(0...60, "seconds"),
                "The seconds for which a rotated refresh token is accepted; without it, they are not rotated."),
            .defaulted(
                "sessionMinutes", \.sessionMinutes, Codec.integer(3...15, "minutes"),
                "The minutes that a client has to respond to a challenge."),
            .optional("readAttributes", \.readable, Codec.texts, "The attributes that the app can read; all by default."),
            .optional("writeAttributes", \.writable, Codec.texts, "The attributes that the app can write; all by default."),
        ])

    private static let identifier = Codec.form(.pattern("^[A-Za-z0-9_+]{1,128}$"), expecting: "1 to 128 letters, digits, _ or +") { id in
        (1...128).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "_+".utf8.contains(byte)
                }
            }
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
    fileprivate static func attributes(_ names: [String]) -> FieldCodec<[String]> {
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
    fileprivate static let userAttributes = FieldCodec<[UserPoolUser.Attribute]>(
        shape: .map(.text), expected: nil,
        read: { members, key in
            let values: [String: String]? = try members.decode(ifThere: key)
            return values.map { values in
                values.map { UserPoolUser.Attribute($0.key, $0.value) }.sorted { $0.name < $1.name }
            }
        },
        write: { attributes in JSONValue.object(JSONObject(attributes.map { ($0.name, JSONValue.string($0.value)) })) })
}
