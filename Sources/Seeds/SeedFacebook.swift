import Directory

/// `facebook` of a client: the settings of the app.
struct SeedFacebookApp: Sendable, Decodable {
    var app = FacebookApp()

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case requireAppSecret, appScopedIDs, version, clientToken, deauthorizeCallbackURL
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        app.requiresAppSecretProof = try container.decode(.requireAppSecret, or: false)
        app.hasScopedIDs = try container.decode(.appScopedIDs, or: false)
        app.version = try container.decode(.version, named: { GraphVersion($0) }, expecting: "a version of the Graph API, such as v2.5")
        app.clientToken = try container.decode(ifThere: .clientToken)
        app.deauthorizeCallbackURL = try container.decode(ifThere: .deauthorizeCallbackURL)
    }
}

/// `facebook` of a person.
struct SeedFacebookAccount: Sendable, Decodable {
    var account = FacebookAccount()

    private enum CodingKeys: String, CodingKey, CaseIterable { case block, testUserOf }

    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self, renamed: ["hindrance": "block"])
        account.block = try container.decode(
            .block, named: FacebookAccount.Block.init(rawValue:),
            expecting: "one of \(FacebookAccount.Block.allCases.map(\.rawValue).joined(separator: ", "))")
        account.testUserOf = try container.decode(ifThere: .testUserOf)
    }
}
