import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The pools themselves, their roles, tags and principal tag maps.
extension IdentityPoolsCall {
    mutating func createPool() async throws -> JSONValue? {
        let settings = PoolSettings(&members)
        try members.check()
        try authorize(pool: nil)
        var pool = IdentityPool(account: account, id: "\(region):\(RequestID().uuid)", name: settings.name)
        settings.apply(to: &pool)
        try pool.checkProviders()
        try await edit { [pool] (directory: inout Directory) throws(IdentityPoolRefusal) in try directory.createIdentityPool(pool) }
        return pool.document
    }

    mutating func updatePool() async throws -> JSONValue? {
        let id = members.requiredText("IdentityPoolId", .identifier)
        let settings = PoolSettings(&members)
        try members.check()
        try authorize(pool: id)
        var checked = try pool(id)
        settings.apply(to: &checked)
        try checked.checkProviders()
        let account = account
        let updated = try await edit { (directory: inout Directory) throws(IdentityPoolRefusal) -> IdentityPool in
            try directory.updateIdentityPool(id, in: account) { settings.apply(to: &$0) }
        }
        return updated.document
    }

    mutating func describePool() throws(ServiceError) -> JSONValue? { try requiredPool().document }

    mutating func deletePool() async throws -> JSONValue? {
        let pool = try requiredPool()
        try await edit { (directory: inout Directory) throws(IdentityPoolRefusal) in
            try directory.deleteIdentityPool(pool.id, in: pool.account)
        }
        return Optional.none
    }

    mutating func listPools() throws(ServiceError) -> JSONValue? {
        let most = members.requiredInteger("MaxResults", 1...60)
        let token = members.text("NextToken", .pageToken)
        try members.check()
        try authorize(pool: nil)
        let pools = directory.identityPools.pools.filter { $0.account == account && $0.region == region }
        let rest = pools.drop { pool in token.map { !$0.utf8.lexicographicallyPrecedes(pool.id.utf8) } ?? false }
        let page = rest.prefix(most)
        let documents = page.map { pool -> JSONValue in
            ["IdentityPoolId": .string(pool.id), "IdentityPoolName": .string(pool.name)]
        }
        var json: JSONObject = ["IdentityPools": .array(documents)]
        if page.count < rest.count, let last = page.last { json["NextToken"] = .string(last.id) }
        return .object(json)
    }

    // MARK: Roles

    mutating func roles() throws(ServiceError) -> JSONValue? { try requiredPool().rolesDocument }

    mutating func setRoles() async throws -> JSONValue? {
        let id = members.requiredText("IdentityPoolId", .identifier)
        members.require("Roles")
        let roles = members.map("Roles", most: 2, keys: .init(1...128, .roleKind), values: .roleARN) ?? []
        let mappings = members.roleMappings()
        try members.check()
        try authorize(pool: id)
        let pool = try pool(id)
        for mapping in mappings where !pool.accepts(mappingOf: mapping.provider, in: directory) {
            throw ServiceError.invalidPoolParameter(
                "(\(mapping.provider)) is not a valid RoleMapping ProviderName or is not a configured provider.")
        }
        // (Developer Guide, "Role-based access control": at most 25 rules; the texts are Virga's.)
        for mapping in mappings {
            guard mapping.kind == .token || !mapping.rules.isEmpty else {
                throw ServiceError.invalidPoolParameter("A role mapping of the type Rules needs RulesConfiguration.")
            }
            guard mapping.resolution != nil else {
                throw ServiceError.invalidPoolParameter("A role mapping needs AmbiguousRoleResolution.")
            }
            guard mapping.rules.count <= 25 else {
                throw ServiceError("LimitExceededException", .badRequest, "A provider can have at most 25 rules.")
            }
        }
        try authorize(passing: roles.map(\.value) + mappings.flatMap(\.rules).map(\.role))
        let account = account
        let authenticated = roles.first { $0.key == "authenticated" }?.value
        let guests = roles.first { $0.key == "unauthenticated" }?.value
        _ = try await edit { (directory: inout Directory) throws(IdentityPoolRefusal) -> IdentityPool in
            try directory.updateIdentityPool(id, in: account) { pool in
                pool.authenticatedRole = authenticated
                pool.guestRole = guests
                pool.roleMappings = mappings
            }
        }
        return Optional.none
    }

    // MARK: Principal tag maps

    mutating func tagMap() throws(ServiceError) -> JSONValue? {
        let id = members.requiredText("IdentityPoolId", .identifier)
        let provider = members.requiredText("IdentityProviderName", .providerName)
        try members.check()
        try authorize(pool: id)
        let pool = try pool(id)
        guard let map = pool.tagMap(of: provider) else {
            // Virga's wording.
            throw ServiceError("ResourceNotFoundException", .badRequest, "The provider '\(provider)' has no principal tag map.")
        }
        return pool.document(of: map)
    }

    mutating func setTagMap() async throws -> JSONValue? {
        let id = members.requiredText("IdentityPoolId", .identifier)
        let provider = members.requiredText("IdentityProviderName", .providerName)
        let usesDefaults = members.flag("UseDefaults") ?? false
        let claims = (members.map("PrincipalTags", most: 50, keys: .tagKey, values: .init(1...256)) ?? [])
            .map { Tag(key: $0.key, value: $0.value) }
        try members.check()
        try authorize(pool: id)
        let pool = try pool(id)
        guard pool.accepts(mappingOf: provider, in: directory) else {
            // Virga's wording.
            throw ServiceError.invalidPoolParameter("(\(provider)) is not a configured provider.")
        }
        let map = PrincipalTagMap(
            provider: provider, usesDefaults: usesDefaults, claims: usesDefaults ? PrincipalTagMap.defaults : claims)
        let account = account
        _ = try await edit { (directory: inout Directory) throws(IdentityPoolRefusal) -> IdentityPool in
            try directory.updateIdentityPool(id, in: account) { pool in
                pool.tagMaps.removeAll { $0.provider == provider }
                // An empty map is none. (Recorded answers of AWS.)
                if !map.claims.isEmpty { pool.tagMaps.append(map) }
            }
        }
        return pool.document(of: map)
    }

    // MARK: Tags

    mutating func tag() async throws -> JSONValue? {
        let arn = members.requiredText("ResourceArn", .roleARN)
        members.require("Tags")
        let tags = members.tags("Tags") ?? []
        let pool = try taggedPool(arn)
        do throws(TagRefusal) { try tags.check(.aws()) } catch { throw ServiceError(tags: error) }
        let account = account
        try await cloud.edit(saying: { (refusal: TagRefusal) in ServiceError(tags: refusal) }) {
            (directory: inout Directory) throws(TagRefusal) in
            try directory.tag(IdentityPool.self, pool.arn, in: account, with: tags, .aws())
        }
        return .object(JSONObject())
    }

    mutating func untag() async throws -> JSONValue? {
        let arn = members.requiredText("ResourceArn", .roleARN)
        members.require("TagKeys")
        let keys = members.texts("TagKeys", counts: 0...Int.max, .tagKey) ?? []
        let pool = try taggedPool(arn)
        let account = account
        try await cloud.edit(saying: { (refusal: TagRefusal) in ServiceError(tags: refusal) }) {
            (directory: inout Directory) throws(TagRefusal) in
            try directory.untag(IdentityPool.self, pool.arn, in: account, keys: keys, .aws())
        }
        return .object(JSONObject())
    }

    mutating func listTags() throws(ServiceError) -> JSONValue? {
        let arn = members.requiredText("ResourceArn", .roleARN)
        let pool = try taggedPool(arn)
        return ["Tags": .object(JSONObject(pool.tags.map { ($0.key, JSONValue.string($0.value)) }))]
    }

    private func taggedPool(_ arn: String) throws(ServiceError) -> IdentityPool {
        try members.check()
        let marker = ":identitypool/"
        let id = arn.firstRange(of: marker).map { String(arn[$0.upperBound...]) }
        try authorize(pool: id ?? "")
        guard let pool = IdentityPool.find(arn, in: directory, account: account), pool.region == region else {
            throw ServiceError(IdentityPoolRefusal.noSuchPool(id ?? arn))
        }
        return pool
    }

    /// Reads the only member of an operation, and authorizes the caller for the pool.
    private mutating func requiredPool() throws(ServiceError) -> IdentityPool {
        let id = members.requiredText("IdentityPoolId", .identifier)
        try members.check()
        try authorize(pool: id)
        return try pool(id)
    }
}

extension IdentityPool {
    /// Rejects providers that cannot be: ARNs that are not those of providers, and the keys that are taken. (Virga's wordings.)
    fileprivate func checkProviders() throws(ServiceError) {
        for (arns, kind) in [(openIDConnectProviders, ":oidc-provider/"), (samlProviders, ":saml-provider/")] {
            for arn in arns {
                guard arn.hasPrefix("arn:"), arn.contains(kind) else { throw .invalidPoolParameter("\(arn) is not the ARN of a provider.") }
            }
        }
        if let developerProvider, developerProvider == Self.ownProvider {
            throw .invalidPoolParameter("The developer provider name \(developerProvider) is reserved.")
        }
    }

    fileprivate func document(of map: PrincipalTagMap) -> JSONValue {
        var json: JSONObject = [
            "IdentityPoolId": .string(id), "IdentityProviderName": .string(map.provider), "UseDefaults": .bool(map.usesDefaults),
        ]
        if !map.claims.isEmpty { json["PrincipalTags"] = .object(JSONObject(map.claims.map { ($0.key, JSONValue.string($0.value)) })) }
        return .object(json)
    }
}

extension ServiceError {
    /// The error of tags that a pool cannot have. (Virga's wordings.)
    fileprivate init(tags refusal: TagRefusal) {
        self =
            switch refusal {
            case .noSuchResource(let arn): ServiceError(IdentityPoolRefusal.noSuchPool(arn))
            case .duplicateKeys: .invalidPoolParameter("A tag key occurs more than once.")
            case .reservedKey: .invalidPoolParameter("Tag keys must not begin with aws:.")
            case .limitExceeded(let limit): .invalidPoolParameter("An identity pool can have at most \(limit) tags.")
            }
    }
}

extension QueryParameters.Pattern {
    /// The two kinds of roles.
    fileprivate static let roleKind = Self(
        text: "(un)?authenticated", accepts: { _ in true }, frame: { ["authenticated", "unauthenticated"].contains($0) })
}
