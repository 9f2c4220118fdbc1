import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// What the owner of a pool does with its identities.
extension IdentityPoolsCall {
    mutating func listIdentities() throws(ServiceError) -> JSONValue? {
        let id = members.requiredText("IdentityPoolId", .identifier)
        let most = members.requiredInteger("MaxResults", 1...60)
        let token = members.text("NextToken", .pageToken)
        let hidesDisabled = members.flag("HideDisabled") ?? false
        try members.check()
        try authorize(pool: id)
        let pool = try pool(id)
        var page: [PoolIdentity] = []
        for identity in directory.identityPools.identities(of: pool.id, after: token ?? "") where !hidesDisabled || !identity.isDisabled {
            page.append(identity)
            if page.count > most { break }
        }
        let hasMore = page.count > most
        if hasMore { page.removeLast() }
        var json: JSONObject = ["IdentityPoolId": .string(pool.id), "Identities": .array(page.map { $0.document(cloud.clock) })]
        if hasMore, let last = page.last { json["NextToken"] = .string(last.id) }
        return .object(json)
    }

    mutating func describeIdentity() throws(ServiceError) -> JSONValue? {
        let id = members.requiredText("IdentityId", .identifier)
        try members.check()
        try authorize(pool: directory.identityPools.identity(id)?.pool)
        return try identity(id).identity.document(cloud.clock)
    }

    mutating func deleteIdentities() async throws -> JSONValue? {
        members.require("IdentityIdsToDelete")
        let ids = (members.texts("IdentityIdsToDelete", counts: 1...60, .identifier) ?? []).uniqued()
        try members.check()
        try authorize(pool: nil)
        let account = account
        let region = region
        let refused = try await edit { (directory: inout Directory) throws(IdentityPoolRefusal) -> [String] in
            var refused: [String] = []
            for id in ids {
                // An identity that is gone already is deleted.
                guard let identity = directory.identityPools.identity(id) else { continue }
                guard let pool = directory.identityPools.pool(identity.pool), pool.account == account, pool.region == region else {
                    refused.append(id)
                    continue
                }
                directory.removeIdentity(id)
            }
            return refused
        }
        let unprocessed = refused.map { id -> JSONValue in ["IdentityId": .string(id), "ErrorCode": "AccessDenied"] }
        return ["UnprocessedIdentityIds": .array(unprocessed)]
    }

    // MARK: Identities that the developer's own server authenticates

    /// GetOpenIdTokenForDeveloperIdentity. (API Reference; Developer Guide, "Developer authenticated identities".)
    mutating func developerToken() async throws -> JSONValue? {
        let poolID = members.requiredText("IdentityPoolId", .identifier)
        let id = members.text("IdentityId", .identifier)
        members.require("Logins")
        let logins = members.map("Logins", most: 10, keys: .providerName, values: .token, areSecret: true) ?? []
        let tags = members.tags("PrincipalTags") ?? []
        let lifetime = members.integer("TokenDuration", PoolToken.developerLifetimes) ?? PoolToken.usualDeveloperLifetime
        try members.check()
        try authorize(pool: poolID)
        let pool = try pool(poolID)
        guard let provider = pool.developerProvider, logins.contains(where: { $0.key == provider }) else {
            throw ServiceError(IdentityPoolRefusal.unknownDeveloperProvider)
        }
        let verifier = face.verifier(of: pool, http)
        var verified: [PoolLogin] = []
        for (key, value) in logins {
            if key == provider {
                verified.append(PoolLogin(developerUser: value, of: key, in: pool))
            } else {
                verified.append(try await face.verify(key, value, with: verifier, http))
            }
        }
        let identity = try await face.identity(id, presenting: verified, in: pool, byDeveloper: true, http)
        let token = try await PoolToken.sign(
            for: identity.id, in: pool, methods: PoolToken.methods(of: verified), tags: tags, lifetime: lifetime, cloud: cloud)
        return ["IdentityId": .string(identity.id), "Token": .string(token)]
    }

    mutating func lookUpDeveloperIdentity() throws(ServiceError) -> JSONValue? {
        let poolID = members.requiredText("IdentityPoolId", .identifier)
        let id = members.text("IdentityId", .identifier)
        let user = members.text("DeveloperUserIdentifier", .developerUser)
        let most = members.integer("MaxResults", 1...60) ?? 60
        let page = members.text("NextToken", .pageToken)
        try members.check()
        try authorize(pool: poolID)
        let pool = try pool(poolID)
        guard id != nil || user != nil else {
            // Virga's wording.
            throw ServiceError.invalidPoolParameter("Either IdentityId or DeveloperUserIdentifier is required.")
        }
        guard let provider = pool.developerProvider else { throw ServiceError(IdentityPoolRefusal.unknownDeveloperProvider) }
        let found = try identity(id, orOf: user, of: provider, in: pool)
        let users = found.logins.filter { $0.provider == provider }.map(\.subject).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let rest = users.drop { user in page.map { !$0.utf8.lexicographicallyPrecedes(user.utf8) } ?? false }
        let shown = Array(rest.prefix(most))
        var json: JSONObject = ["IdentityId": .string(found.id), "DeveloperUserIdentifierList": IdentityPool.texts(shown)]
        if shown.count < rest.count, let last = shown.last { json["NextToken"] = .string(last) }
        return .object(json)
    }

    /// Returns the identity with an identifier, of a user of the developer, or of both, which must belong together.
    private func identity(
        _ id: String?, orOf user: String?, of provider: String, in pool: IdentityPool
    ) throws(ServiceError) -> PoolIdentity {
        do throws(IdentityPoolRefusal) {
            let ofUser: PoolIdentity?
            if let user { ofUser = try directory.developerIdentity(user, of: provider, in: pool) } else { ofUser = nil }
            guard let id else {
                guard let ofUser else { throw .loginsDoNotMatch }
                return ofUser
            }
            guard let identity = directory.identityPools.identity(id), identity.pool == pool.id else { throw .noSuchIdentity(id) }
            if let ofUser, ofUser.id != id { throw .userOfAnotherIdentity }
            return identity
        } catch {
            throw ServiceError(error)
        }
    }

    mutating func mergeDeveloperIdentities() async throws -> JSONValue? {
        let source = members.requiredText("SourceUserIdentifier", .developerUser)
        let destination = members.requiredText("DestinationUserIdentifier", .developerUser)
        let provider = members.requiredText("DeveloperProviderName", .developerProvider)
        let poolID = members.requiredText("IdentityPoolId", .identifier)
        try members.check()
        try authorize(pool: poolID)
        let pool = try pool(poolID)
        let now = cloud.clock.now
        let identity = try await edit { (directory: inout Directory) throws(IdentityPoolRefusal) -> PoolIdentity in
            try directory.mergeDeveloperUsers(source, into: destination, of: provider, in: pool, now: now)
        }
        return ["IdentityId": .string(identity.id)]
    }

    mutating func unlinkDeveloperIdentity() async throws -> JSONValue? {
        let id = members.requiredText("IdentityId", .identifier)
        let poolID = members.requiredText("IdentityPoolId", .identifier)
        let provider = members.requiredText("DeveloperProviderName", .developerProvider)
        let user = members.requiredText("DeveloperUserIdentifier", .developerUser)
        try members.check()
        try authorize(pool: poolID)
        let pool = try pool(poolID)
        let now = cloud.clock.now
        try await edit { (directory: inout Directory) throws(IdentityPoolRefusal) in
            guard directory.identityPools.identity(id)?.pool == pool.id else { throw .noSuchIdentity(id) }
            let identity = try directory.developerIdentity(user, of: provider, in: pool)
            guard identity.id == id else { throw .userOfAnotherIdentity }
            directory.unlink(identity, now: now) { $0.provider == provider && $0.subject == user }
        }
        return Optional.none
    }
}

extension PoolIdentity {
    /// The document of the identity, with the keys of its logins. Times are numbers of seconds.
    func document(_ clock: SandboxClock) -> JSONValue {
        func seconds(_ time: Timestamp) -> JSONValue { .number(Double(clock.effective(time).milliseconds) / 1000) }
        var json: JSONObject = ["IdentityId": .string(id)]
        if !providers.isEmpty { json["Logins"] = IdentityPool.texts(providers) }
        json["CreationDate"] = seconds(created)
        json["LastModifiedDate"] = seconds(modified)
        return .object(json)
    }
}
