package import Directory
import Policy
import WireFormats

extension IdentityPool {
    /// Identity pools of Amazon Cognito in seeds.
    package static let record = SeedRecord<IdentityPool>(
        "Identity pool", blank: IdentityPool(account: "", id: "", name: ""),
        fields: [
            .required("id", \.id, identifier, "The ID of the pool: a region and a UUID."),
            .required("name", \.name, Codec.nonempty("the name of the pool"), "The name of the pool."),
            .defaulted("allowGuests", \.allowsGuests, Codec.flag, "Whether identities without a login get credentials."),
            .optional(
                "allowClassicFlow", \.allowsClassicFlow, Codec.flag,
                "Whether the pool issues tokens for AssumeRoleWithWebIdentity; it does by default."),
            .defaulted(
                "socialLogins", \.socialLogins, logins,
                "The IDs of applications of graph.facebook.com, www.amazon.com, accounts.google.com and appleid.apple.com."),
            .optional(
                "developerProvider", \.developerProvider, developerName, "The name of the logins that your own server authenticates."),
            .defaulted(
                "openIDConnectProviders", \.openIDConnectProviders, Codec.texts, "ARNs of OpenID Connect providers of an account."),
            .defaulted("samlProviders", \.samlProviders, Codec.texts, "ARNs of SAML providers of an account."),
            .defaulted("userPools", \.userPools, Codec.list(UserPoolClient.record), "Clients of user pools."),
            .optional("authenticatedRole", \.authenticatedRole, roleARN, "The ARN of the role of identities with logins."),
            .optional("guestRole", \.guestRole, roleARN, "The ARN of the role of guests."),
            .defaulted("roleMappings", \.roleMappings, Codec.list(PoolRoleMapping.record), "How roles are chosen from tokens."),
            .defaulted("principalTags", \.tagMaps, Codec.list(PrincipalTagMap.record), "Which claims become session tags."),
            .tags(\.tags),
        ])

    private static let identifier = Codec.form(
        .pattern("^[a-z0-9-]+:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"),
        expecting: "a region, a colon and a UUID in lower case"
    ) { id in
        let parts = id.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].utf8.count == 36
            && parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static let developerName = Codec.form(
        .pattern("^[A-Za-z0-9_.-]{1,128}$"), expecting: "1 to 128 letters, digits and _.-"
    ) { name in
        (1...128).contains(name.utf8.count) && name != ownProvider
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "_.-".utf8.contains(byte)
                }
            }
    }

    /// ARNs of roles.
    fileprivate static let roleARN = Codec.form(.pattern("^arn:aws:iam::[0-9]{12}:role/"), expecting: "the ARN of a role") {
        Directory.PrincipalName(arn: $0) != nil
    }

    private static let logins = FieldCodec<[SocialLogin]>(
        shape: .map(.text), expected: nil,
        read: { members, key in
            let values: [String: String]? = try members.decode(ifThere: key)
            return values.map { values in
                values.map { SocialLogin(provider: $0.key, application: $0.value) }.sorted { $0.provider < $1.provider }
            }
        },
        write: { logins in JSONValue.object(JSONObject(logins.map { ($0.provider, JSONValue.string($0.application)) })) })

    /// Returns the pool of a seed as a record of an account.
    func placed(in account: String) -> IdentityPool {
        var pool = self
        pool.account = account
        return pool
    }
}

extension IdentityPool.UserPoolClient {
    fileprivate static let record = SeedRecord<IdentityPool.UserPoolClient>(
        "Client of a user pool", blank: IdentityPool.UserPoolClient(provider: "", clientID: ""),
        fields: [
            .required(
                "provider", \.provider, Codec.nonempty("cognito-idp.<region>.amazonaws.com/<pool>"),
                "The name of the user pool: cognito-idp.<region>.amazonaws.com/<pool>."),
            .required("clientID", \.clientID, Codec.nonempty("the ID of the client"), "The ID of the client."),
            .optional(
                "serverSideTokenCheck", \.checksTokens, Codec.flag,
                "Whether the user must still exist and be enabled, and the token must not be revoked."),
        ])
}

extension PoolRoleMapping {
    fileprivate static let record = SeedRecord<PoolRoleMapping>(
        "Role mapping", blank: PoolRoleMapping(provider: "", kind: .token, resolution: .deny),
        fields: [
            .required(
                "provider", \.provider, Codec.nonempty("the name of a login"),
                "The key of logins, the ARN of a provider, or the name of a user pool, a colon and a client."),
            .required("type", \.kind, Codec.word(Kind.self), "Whether the token or rules name the role."),
            .optional(
                "ambiguousRoleResolution", \.resolution, Codec.word(Resolution.self), "What happens if no role is found; Deny by default."),
            .defaulted("rules", \.rules, Codec.list(Rule.record), "The rules. The first one that matches decides."),
        ]
    ) { mapping, members in
        if mapping.resolution == nil { mapping.resolution = .deny }
        if mapping.kind == .rules, mapping.rules.isEmpty { throw members.fault("rules", expecting: "one or more rules") }
    }
}

extension PoolRoleMapping.Rule {
    fileprivate static let record = SeedRecord<PoolRoleMapping.Rule>(
        "Rule", blank: PoolRoleMapping.Rule(claim: "", comparison: .equals, value: "", role: ""),
        fields: [
            .required("claim", \.claim, Codec.nonempty("the name of a claim"), "The name of the claim."),
            .defaulted("matchType", \.comparison, Codec.word(Comparison.self), "How the claim is compared; Equals by default."),
            .required("value", \.value, Codec.nonempty("a value"), "The value that the claim is compared with."),
            .required("role", \.role, IdentityPool.roleARN, "The ARN of the role."),
        ])
}

extension PrincipalTagMap {
    fileprivate static let record = SeedRecord<PrincipalTagMap>(
        "Principal tags", blank: PrincipalTagMap(provider: "", usesDefaults: false, claims: []),
        fields: [
            .required("provider", \.provider, Codec.nonempty("the name of a login"), "The key of logins, or the ARN of a SAML provider."),
            .defaulted("useDefaults", \.usesDefaults, Codec.flag, "Whether the tags are client (aud) and username (sub)."),
            .defaulted("claims", \.claims, Codec.tags, "Keys of tags, each with the name of its claim."),
        ]
    ) { map, _ in
        if map.usesDefaults { map.claims = PrincipalTagMap.defaults }
    }
}
