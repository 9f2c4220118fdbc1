package import Directory
import WireFormats

extension MobileBackend {
    /// Backends in seeds. The ID and the keys may be omitted, and are empty then.
    package static let record = SeedRecord<MobileBackend>(
        "Backend",
        blank: MobileBackend(
            name: "", version: mobileVersion, id: "", anonymousUser: "", anonymousPassword: "", clientID: "", clientSecret: "",
            realm: "Default(1.0)"),
        fields: [
            .mobileName(\.name),
            .mobileVersion(\.version),
            .defaulted("id", \.id, keyCodec, "The backend ID.", isAlwaysWritten: true),
            .defaulted("anonymousUser", \.anonymousUser, keyCodec, "The user name of anonymous calls.", isAlwaysWritten: true),
            .defaulted("anonymousPassword", \.anonymousPassword, keyCodec, "The password of anonymous calls.", isAlwaysWritten: true),
            anonymousKeyField,
            .defaulted("clientID", \.clientID, keyCodec, "The client ID.", isAlwaysWritten: true),
            .defaulted("clientSecret", \.clientSecret, keyCodec, "The client secret.", isAlwaysWritten: true),
            .defaulted("realm", \.realm, Codec.text, "The realm; Default(1.0) by default.", isAlwaysWritten: true),
            .defaulted("oauth", \.allowsOAuth, Codec.flag, "Whether OAuth is enabled.", isAlwaysWritten: true),
            .defaulted("basic", \.allowsBasic, Codec.flag, "Whether basic authentication is enabled.", isAlwaysWritten: true),
            .defaulted("sso", \.allowsSingleSignOn, Codec.flag, "Whether single sign-on is enabled.", isAlwaysWritten: true),
            .optional("facebook", \.facebook, Codec.record(FacebookLogin.record), "Login with Facebook."),
            .defaulted("appPolicies", \.appPolicies, Codec.object, "App policies.", isAlwaysWritten: true),
            .defaulted("apis", \.apis, apisCodec, "Custom APIs of the backend, or all.", isAlwaysWritten: true),
        ]
    ) { backend, members in try backend.check(members) }

    private static let keyCodec = Codec.nonempty("a text that is not empty")

    /// The anonymous key: the user name and password in base 64, as apps have them.
    private static let anonymousKeyField = SeedField<MobileBackend>(
        name: "anonymousKey", shape: .text, sentence: "Both in base 64, as apps have them.", isRequired: false, isOmittedAtDefault: false,
        read: { members, backend in try backend.readAnonymousKey(members) }, write: { JSONValue.string($0.anonymousKey) })

    private mutating func readAnonymousKey(_ members: SeedMembers) throws {
        guard let text: String = try members.decode(ifThere: FieldName("anonymousKey")) else { return }
        let bytes = [UInt8](base64: text) ?? []
        let parts = String(validating: bytes, as: UTF8.self)?.split(separator: ":", maxSplits: 1).map(String.init) ?? []
        guard parts.count == 2 else {
            throw members.fault("anonymousKey", expecting: "a user, a colon and a password in base 64")
        }
        let given = [("anonymousUser", parts[0], anonymousUser), ("anonymousPassword", parts[1], anonymousPassword)]
        for (name, part, own) in given where members.has(name) && own != part {
            try members.refuse(FieldName(name), expecting: "the same value as in anonymousKey")
        }
        (anonymousUser, anonymousPassword) = (parts[0], parts[1])
    }

    /// Custom APIs: `"all"` or a list of names.
    private static let apisCodec = FieldCodec<APISelection>(
        shape: .either([.words(["all"]), Codec.texts.shape]), expected: nil,
        read: { members, key in
            guard let word = try? members.decode(String.self, forKey: key) else {
                return try Codec.texts.read(members, key).map { .listed($0) }
            }
            guard word == "all" else {
                throw members.fault(key.stringValue, expecting: "\"all\", or a list such as [\"orders\", \"orders(1.0)\"]")
            }
            return .all
        },
        write: { selection in
            switch selection {
            case .all: "all"
            case .listed(let names): try Codec.texts.write(names)
            }
        })

    private func check(_ members: SeedMembers) throws {
        guard !allowsSingleSignOn || allowsOAuth else { throw members.fault("sso", expecting: "false, because oauth is off") }
        guard facebook == nil || allowsBasic else { throw members.fault("facebook", expecting: "no facebook, because basic is off") }
        guard !anonymousUser.contains(":") else {
            throw members.fault("anonymousUser", expecting: "a user name without a colon")
        }
        // The ID is sent in a header.
        guard id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw members.fault("id", expecting: "visible ASCII characters")
        }
    }

    /// Derives the keys that the seed omits from the name.
    mutating func deriveKeys() {
        let (key, name) = (key, name)
        fill(\.id, with: MobileIdentifier.of("backend \(key)"))
        fill(\.anonymousUser, with: Self.anonymousUser(of: name))
        fill(\.anonymousPassword, with: MobileIdentifier.of("anonymous \(key)"))
        fill(\.clientID, with: MobileIdentifier.of("client \(key)"))
        fill(\.clientSecret, with: MobileIdentifier.of("secret \(key)"))
    }

    /// Takes the keys that are omitted from the existing backend, or generates them if there is none.
    /// - Throws: an error of the random number generator.
    mutating func keepKeys(of existing: MobileBackend?) throws {
        let name = name
        try fill(\.id, with: existing?.id ?? MobileIdentifier.random())
        fill(\.anonymousUser, with: existing?.anonymousUser ?? Self.anonymousUser(of: name))
        try fill(\.anonymousPassword, with: existing?.anonymousPassword ?? MobileIdentifier.random())
        try fill(\.clientID, with: existing?.clientID ?? MobileIdentifier.random())
        try fill(\.clientSecret, with: existing?.clientSecret ?? MobileIdentifier.random())
    }

    private mutating func fill(_ path: WritableKeyPath<MobileBackend, String>, with text: @autoclosure () throws -> String) rethrows {
        if self[keyPath: path].isEmpty { self[keyPath: path] = try text() }
    }

    private static func anonymousUser(of name: String) -> String { "VIRGA_\(name.uppercased())_MOBILE_ANONYMOUS_APPID" }
}

extension MobileBackend.FacebookLogin {
    fileprivate static let record = SeedRecord<MobileBackend.FacebookLogin>(
        "Facebook login", blank: MobileBackend.FacebookLogin(appID: "", appSecret: ""),
        fields: [
            .required("appID", \.appID, Codec.nonempty("the app's id at Facebook"), "The app's ID at Facebook."),
            .required("appSecret", \.appSecret, Codec.nonempty("the app's secret at Facebook"), "The app's secret at Facebook."),
        ])
}
