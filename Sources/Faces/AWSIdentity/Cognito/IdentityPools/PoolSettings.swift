import Directory
import HTTPTypes
import Policy
import WireFormats

/// The members of CreateIdentityPool, UpdateIdentityPool and SetIdentityPoolRoles, and their documents.
/// (Amazon Cognito Federated Identities API Reference, constraints as in the service model.)
struct PoolSettings: Sendable {
    let name: String
    let allowsGuests: Bool
    let allowsClassicFlow: Bool?
    let socialLogins: [IdentityPool.SocialLogin]
    /// `nil` if the call does not change it.
    let developerProvider: String?
    let openIDConnectProviders: [String]
    let samlProviders: [String]
    let userPools: [IdentityPool.UserPoolClient]
    /// `nil` if the call does not change them.
    let tags: [Tag]?

    init(_ members: inout JSONMembers) {
        name = members.requiredText("IdentityPoolName", .poolName)
        allowsGuests = members.requiredFlag("AllowUnauthenticatedIdentities")
        allowsClassicFlow = members.flag("AllowClassicFlow")
        socialLogins = (members.map("SupportedLoginProviders", most: 10, keys: .providerName, values: .init(1...128, .application)) ?? [])
            .map { IdentityPool.SocialLogin(provider: $0.key, application: $0.value) }
        developerProvider = members.text("DeveloperProviderName", .developerProvider)
        openIDConnectProviders = members.texts("OpenIdConnectProviderARNs", counts: 0...Int.max, .roleARN) ?? []
        samlProviders = members.texts("SamlProviderARNs", counts: 0...Int.max, .roleARN) ?? []
        userPools =
            members.structures("CognitoIdentityProviders", counts: 0...Int.max) { (client: inout JSONMembers) in
                IdentityPool.UserPoolClient(
                    provider: client.requiredText("ProviderName", .init(1...128, .userPool)),
                    clientID: client.requiredText("ClientId", .init(1...128, .word)), checksTokens: client.flag("ServerSideTokenCheck"))
            } ?? []
        tags = members.tags("IdentityPoolTags")
    }

    /// Sets what the call sets; members that are absent get their defaults. The developer provider and the tags stay: AWS keeps the former when
    /// a pool is renamed without it. (hashicorp/terraform-provider-aws#49985, measured against AWS.)
    func apply(to pool: inout IdentityPool) {
        pool.name = name
        pool.allowsGuests = allowsGuests
        pool.allowsClassicFlow = allowsClassicFlow
        pool.socialLogins = socialLogins
        if let developerProvider { pool.developerProvider = developerProvider }
        pool.openIDConnectProviders = openIDConnectProviders
        pool.samlProviders = samlProviders
        pool.userPools = userPools
        if let tags { pool.tags = tags }
    }
}

extension JSONMembers {
    /// Returns optional tags as a map.
    mutating func tags(_ name: String) -> [Tag]? {
        map(name, most: 50, keys: .tagKey, values: .tagValue).map { entries in entries.map { Tag(key: $0.key, value: $0.value) } }
    }

    /// Returns the role mappings of SetIdentityPoolRoles.
    mutating func roleMappings() -> [PoolRoleMapping] {
        let entries = mapOfStructures("RoleMappings", most: 10, keys: .providerName) { (mapping: inout JSONMembers) -> PoolRoleMapping in
            mapping.require("Type")
            let kind = mapping.choice("Type", of: PoolRoleMapping.Kind.self)
            let resolution = mapping.choice("AmbiguousRoleResolution", of: PoolRoleMapping.Resolution.self)
            let rules = mapping.structure("RulesConfiguration") { (configuration: inout JSONMembers) -> [PoolRoleMapping.Rule] in
                configuration.require("Rules")
                return configuration.structures("Rules", counts: 1...400) { (rule: inout JSONMembers) -> PoolRoleMapping.Rule in
                    rule.require("MatchType")
                    return PoolRoleMapping.Rule(
                        claim: rule.requiredText("Claim", .init(1...64, .claim)),
                        comparison: rule.choice("MatchType", of: PoolRoleMapping.Rule.Comparison.self) ?? .equals,
                        value: rule.requiredText("Value", .init(1...128)), role: rule.requiredText("RoleARN", .roleARN))
                } ?? []
            }
            return PoolRoleMapping(provider: "", kind: kind ?? .token, resolution: resolution, rules: rules ?? [])
        }
        return (entries ?? []).map { entry in
            var mapping = entry.value
            mapping.provider = entry.key
            return mapping
        }
    }
}

extension IdentityPool {
    /// The document of the pool; what is not set is absent.
    var document: JSONValue {
        var json: JSONObject = ["IdentityPoolId": .string(id), "IdentityPoolName": .string(name)]
        json["AllowUnauthenticatedIdentities"] = .bool(allowsGuests)
        if let allowsClassicFlow { json["AllowClassicFlow"] = .bool(allowsClassicFlow) }
        if !socialLogins.isEmpty {
            json["SupportedLoginProviders"] = .object(JSONObject(socialLogins.map { ($0.provider, JSONValue.string($0.application)) }))
        }
        if let developerProvider { json["DeveloperProviderName"] = .string(developerProvider) }
        if !openIDConnectProviders.isEmpty { json["OpenIdConnectProviderARNs"] = Self.texts(openIDConnectProviders) }
        if !userPools.isEmpty { json["CognitoIdentityProviders"] = .array(userPools.map(\.document)) }
        if !samlProviders.isEmpty { json["SamlProviderARNs"] = Self.texts(samlProviders) }
        if !tags.isEmpty { json["IdentityPoolTags"] = .object(JSONObject(tags.map { ($0.key, JSONValue.string($0.value)) })) }
        return .object(json)
    }

    /// The document of the pool's roles.
    var rolesDocument: JSONValue {
        var roles = JSONObject()
        if let authenticatedRole { roles["authenticated"] = .string(authenticatedRole) }
        if let guestRole { roles["unauthenticated"] = .string(guestRole) }
        var json: JSONObject = ["IdentityPoolId": .string(id)]
        if !roles.isEmpty { json["Roles"] = .object(roles) }
        if !roleMappings.isEmpty { json["RoleMappings"] = .object(JSONObject(roleMappings.map { ($0.provider, $0.document) })) }
        return .object(json)
    }

    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { JSONValue.string($0) }) }

    /// Returns whether a role mapping or a principal tag map can be for a provider: one that the pool accepts.
    func accepts(mappingOf provider: String, in directory: Directory) -> Bool {
        if application(of: provider) != nil || samlProviders.contains(provider) || openIDConnectProviders.contains(provider) { return true }
        if let developerProvider, developerProvider == provider { return true }
        if userPools.contains(where: { $0.provider == provider || "\($0.provider):\($0.clientID)" == provider }) { return true }
        return openIDConnectProviders.contains { directory.trusts[$0]?.hostAndPath == provider }
    }
}

extension IdentityPool.UserPoolClient {
    fileprivate var document: JSONValue {
        var json: JSONObject = ["ProviderName": .string(provider), "ClientId": .string(clientID)]
        if let checksTokens { json["ServerSideTokenCheck"] = .bool(checksTokens) }
        return .object(json)
    }
}

extension PoolRoleMapping {
    fileprivate var document: JSONValue {
        var json: JSONObject = ["Type": .string(kind.rawValue)]
        if let resolution { json["AmbiguousRoleResolution"] = .string(resolution.rawValue) }
        if kind == .rules { json["RulesConfiguration"] = ["Rules": .array(rules.map(\.document))] }
        return .object(json)
    }
}

extension PoolRoleMapping.Rule {
    fileprivate var document: JSONValue {
        [
            "Claim": .string(claim), "MatchType": .string(comparison.rawValue), "Value": .string(value), "RoleARN": .string(role),
        ]
    }
}
