import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension UserPoolIdentityProvider {
    fileprivate var document: JSONValue {
        var mapped = JSONObject(mapping.map { ($0.name, JSONValue.string($0.value)) })
        // The service adds the claim that usernames are made of.
        if mapped["username"] == nil { mapped["username"] = .string(kind.subjectClaim) }
        return [
            "UserPoolId": .string(pool), "ProviderName": .string(name), "ProviderType": .string(kind.rawValue),
            "ProviderDetails": .object(JSONObject(details.map { ($0.name, JSONValue.string($0.value)) })),
            "AttributeMapping": .object(mapped), "IdpIdentifiers": .array(identifiers.map { .string($0) }),
            "LastModifiedDate": modified.userPoolTime, "CreationDate": created.userPoolTime,
        ]
    }

    /// Checks the settings, and that the mapping has attributes of the pool.
    fileprivate func check(in pool: UserPool, _ directory: Directory, names: HostNames) throws(UserPoolError) {
        if let issuer = self["oidc_issuer"], kind == .openIDConnect, directory.provider(issuer: issuer, names: names) == nil {
            throw .unsupported("an oidc_issuer that is not an identity provider of the sandbox")
        }
        do throws(Fault) {
            try check()
        } catch {
            throw error.isOfVirga ? UserPoolError.unsupported(error.message) : UserPoolError.invalidParameter(error.message)
        }
        for attribute in mapping where attribute.name != "username" {
            guard let known = pool.attribute(attribute.name), known.name != "sub" else {
                throw .invalidParameter("Attribute mapping: \(attribute.name) is not an attribute of the user pool.")
            }
        }
    }
}

extension SignedUserPoolCall {
    private mutating func providerName() throws(UserPoolError) -> String {
        try input.requiredText("ProviderName", length: 1...32, pattern: .providerName)
    }

    private mutating func texts(of name: String) throws(UserPoolError) -> [UserPoolUser.Attribute] {
        let map = try input.map(name)
        return map.keys.sorted().map { UserPoolUser.Attribute($0, map[$0] ?? "") }
    }

    private func provider(_ name: String, of pool: UserPool) throws(UserPoolError) -> UserPoolIdentityProvider {
        guard let provider = pools.identityProvider(name, in: pool.id) else {
            throw UserPoolError(UserPoolRefusal.noSuchProvider(name))
        }
        return provider
    }

    /// CreateIdentityProvider.
    mutating func createIdentityProvider() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try providerName())
        let kinds = UserPoolIdentityProvider.Kind.allCases.map(\.rawValue)
        let kind = UserPoolIdentityProvider.Kind(rawValue: try input.requiredChoice("ProviderType", of: kinds)) ?? .openIDConnect
        let (details, mapping) = (try texts(of: "ProviderDetails"), try texts(of: "AttributeMapping"))
        let identifiers = try input.texts("IdpIdentifiers") ?? []
        let pool = try pool(id)
        let provider = UserPoolIdentityProvider(
            pool: pool.id, name: name, kind: kind, details: details, mapping: mapping, identifiers: identifiers, created: cloud.clock.now)
        try provider.check(in: pool, cloud.directory, names: http.names)
        try await cloud.edit { directory in try directory.addIdentityProvider(provider) }
        return ["IdentityProvider": provider.document]
    }

    /// DescribeIdentityProvider.
    mutating func describeIdentityProvider() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try providerName())
        return ["IdentityProvider": try provider(name, of: try pool(id)).document]
    }

    /// GetIdentityProviderByIdentifier.
    mutating func getIdentityProviderByIdentifier() async throws -> JSONValue? {
        let id = try poolID()
        let identifier = try input.requiredText("IdpIdentifier", length: 1...40)
        let pool = try pool(id)
        guard let provider = pools.identityProviders(of: pool.id).first(where: { $0.identifiers.contains(identifier) }) else {
            throw UserPoolError(UserPoolRefusal.noSuchProvider(identifier))
        }
        return ["IdentityProvider": provider.document]
    }

    /// UpdateIdentityProvider. Members that the call omits keep their values.
    mutating func updateIdentityProvider() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try providerName())
        let (details, mapping) = (try texts(of: "ProviderDetails"), try texts(of: "AttributeMapping"))
        let identifiers = try input.texts("IdpIdentifiers")
        let pool = try pool(id)
        var provider = try provider(name, of: pool)
        if !details.isEmpty { provider.details = details }
        if !mapping.isEmpty { provider.mapping = mapping }
        provider.identifiers = identifiers ?? provider.identifiers
        provider.modified = cloud.clock.now
        try provider.check(in: pool, cloud.directory, names: http.names)
        let changed = provider
        try await cloud.edit { directory in directory.put(inUserPools: .identityProvider(changed)) }
        return ["IdentityProvider": changed.document]
    }

    /// DeleteIdentityProvider.
    mutating func deleteIdentityProvider() async throws -> JSONValue? {
        let (id, name) = (try poolID(), try providerName())
        let pool = try pool(id)
        try await cloud.edit { directory in try directory.deleteIdentityProvider(name, of: pool.id) }
        return nil
    }

    /// ListIdentityProviders.
    mutating func listIdentityProviders() async throws -> JSONValue? {
        let id = try poolID()
        let most = try input.integer("MaxResults", range: 0...60) ?? 60
        let token = try input.text("NextToken", length: 1...131_072)
        let all = pools.identityProviders(of: try pool(id).id)
        let rest = all.drop { provider in token.map { TextKey(provider.name) <= TextKey($0) } ?? false }
        let page = rest.prefix(max(most, 1))
        var result: JSONObject = [
            "Providers": .array(
                page.map { provider in
                    [
                        "ProviderName": .string(provider.name), "ProviderType": .string(provider.kind.rawValue),
                        "LastModifiedDate": provider.modified.userPoolTime, "CreationDate": provider.created.userPoolTime,
                    ]
                })
        ]
        if page.count < rest.count, let last = page.last { result["NextToken"] = .string(last.name) }
        return .object(result)
    }

    /// A person as a call about links names one.
    private struct Named: Sendable {
        let provider: String
        let attribute: String?
        let value: String
    }

    private mutating func named(_ member: String) throws(UserPoolError) -> Named {
        guard var user = try input.object(member) else { throw .invalidParameter("\(member) is missing.") }
        let named = Named(
            provider: try user.requiredText("ProviderName", length: 1...32),
            attribute: try user.text("ProviderAttributeName", length: 0...131_072),
            value: try user.requiredText("ProviderAttributeValue", length: 0...131_072))
        try user.check()
        return named
    }

    /// The name of the attribute that is the identifier of a person at a provider.
    private static let subjectName = "Cognito_Subject"

    /// Reads the identifier of a person at a provider.
    private func subject(of named: Named, _ provider: UserPoolIdentityProvider) throws(UserPoolError) -> String {
        guard named.attribute == Self.subjectName else {
            throw .unsupported("a ProviderAttributeName other than \(Self.subjectName)")
        }
        return named.value
    }

    /// AdminLinkProviderForUser.
    mutating func adminLinkProviderForUser() async throws -> JSONValue? {
        let (id, destination, source) = (try poolID(), try named("DestinationUser"), try named("SourceUser"))
        let pool = try pool(id)
        guard destination.provider == "Cognito" else {
            throw UserPoolError.unsupported("a DestinationUser of another provider than Cognito")
        }
        let provider = try provider(source.provider, of: pool)
        let subject = try subject(of: source, provider)
        let user = try user(destination.value, of: pool)
        let now = cloud.clock.now
        try await cloud.edit { directory in
            // The person may have changed meanwhile.
            guard let present = directory.userPools.user(sub: user.sub, in: pool.id) else { throw UserPoolRefusal.noSuchUser }
            try directory.link(subject, at: provider, to: present, time: now)
        }
        return [:]
    }

    /// AdminDisableProviderForUser.
    mutating func adminDisableProviderForUser() async throws -> JSONValue? {
        let (id, named) = (try poolID(), try named("User"))
        let pool = try pool(id)
        let provider = try provider(named.provider, of: pool)
        let (subject, now) = (try subject(of: named, provider), cloud.clock.now)
        try await cloud.edit { directory in try directory.unlink(subject, at: provider.name, of: pool.id, time: now) }
        return [:]
    }
}
