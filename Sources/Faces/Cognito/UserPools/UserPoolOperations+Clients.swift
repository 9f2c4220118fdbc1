import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// The settings of a client that a call gives; those that it omits have their defaults.
private struct UserPoolClientSettings: Sendable {
    var flows: [String]
    var access: Int?
    var identity: Int?
    var refresh: Int?
    var units: (access: Unit, identity: Unit, refresh: Unit) = (.hours, .hours, .days)
    var sessionMinutes: Int
    var hidesUnknownUsers: Bool
    var allowsRevocation: Bool
    var rotationGrace: Int?
    var readable: [String]?
    var writable: [String]?
    var oauth: UserPoolClient.OAuth

    typealias Unit = UserPoolClient.Validity.Unit

    init(_ input: inout UserPoolInput) throws(UserPoolError) {
        flows = try input.texts("ExplicitAuthFlows", of: UserPoolClient.flowNames) ?? []
        access = try input.integer("AccessTokenValidity", range: 1...86_400)
        identity = try input.integer("IdTokenValidity", range: 1...86_400)
        refresh = try input.integer("RefreshTokenValidity", range: 0...315_360_000)
        if var given = try input.object("TokenValidityUnits") {
            let names = Unit.allCases.map(\.rawValue)
            units.access = Unit(rawValue: try given.choice("AccessToken", of: names) ?? "hours") ?? .hours
            units.identity = Unit(rawValue: try given.choice("IdToken", of: names) ?? "hours") ?? .hours
            units.refresh = Unit(rawValue: try given.choice("RefreshToken", of: names) ?? "days") ?? .days
            try given.check()
        }
        sessionMinutes = try input.integer("AuthSessionValidity", range: 3...15) ?? 3
        hidesUnknownUsers = try input.choice("PreventUserExistenceErrors", of: ["LEGACY", "ENABLED"]) == "ENABLED"
        allowsRevocation = try input.flag("EnableTokenRevocation") ?? true
        if var rotation = try input.object("RefreshTokenRotation") {
            let isOn = try rotation.requiredChoice("Feature", of: ["ENABLED", "DISABLED"]) == "ENABLED"
            let grace = try rotation.integer("RetryGracePeriodSeconds", range: 0...60) ?? 0
            rotationGrace = isOn ? grace : nil
            try rotation.check()
        }
        // Terraform's provider sends empty lists for what a configuration omits.
        readable = try input.texts("ReadAttributes").flatMap { $0.isEmpty ? nil : $0 }
        writable = try input.texts("WriteAttributes").flatMap { $0.isEmpty ? nil : $0 }
        oauth = try UserPoolClient.OAuth(&input)
        guard try input.flag("EnablePropagateAdditionalUserContextData") != true else {
            throw .unsupported("EnablePropagateAdditionalUserContextData")
        }
    }

    /// Replaces the settings of a client.
    func apply(to client: inout UserPoolClient, of pool: UserPool, _ pools: UserPools) throws(UserPoolError) {
        do throws(UserPoolClient.OAuth.Fault) {
            try oauth.check(
                in: pool.id, hasSecret: client.secret != nil, scopes: pools.scopes(of: pool.id),
                providers: pools.identityProviders(of: pool.id).map(\.name))
        } catch {
            throw UserPoolError(error)
        }
        client.oauthSettings = oauth
        client.flows = flows
        client.accessTokenValidity = access.map { UserPoolClient.Validity($0, units.access) }
        client.idTokenValidity = identity.map { UserPoolClient.Validity($0, units.identity) }
        client.refreshTokenValidity = refresh.flatMap { $0 == 0 ? nil : UserPoolClient.Validity($0, units.refresh) } ?? .init(30, .days)
        client.sessionMinutes = sessionMinutes
        client.hidesUnknownUsers = hidesUnknownUsers
        client.allowsRevocation = allowsRevocation
        client.rotationGrace = rotationGrace
        client.readable = readable
        client.writable = writable
        // (Amazon Cognito Developer Guide, "Quotas in Amazon Cognito".)
        for (validity, name) in [(client.accessTokenValidity, "Access"), (client.idTokenValidity, "Id")] {
            guard let validity else { continue }
            guard (300...86_400).contains(validity.count * validity.unit.seconds) else {
                throw .invalidParameter("Invalid range for token validity. \(name)TokenValidity must be between 5 minutes and 1 day.")
            }
        }
        let seconds = client.refreshTokenValidity.count * client.refreshTokenValidity.unit.seconds
        guard (3600...315_360_000).contains(seconds) else {
            throw .invalidParameter("Invalid range for token validity. RefreshTokenValidity must be between 1 hour and 3650 days.")
        }
    }
}

extension UserPoolClient {
    fileprivate var document: JSONValue {
        var members: JSONObject = [
            "UserPoolId": .string(pool), "ClientName": .string(name), "ClientId": .string(id), "LastModifiedDate": modified.userPoolTime,
            "CreationDate": created.userPoolTime, "RefreshTokenValidity": .integer(Int64(refreshTokenValidity.count)),
            "PreventUserExistenceErrors": hidesUnknownUsers ? "ENABLED" : "LEGACY",
            "EnableTokenRevocation": .bool(allowsRevocation), "EnablePropagateAdditionalUserContextData": false,
            "AuthSessionValidity": .integer(Int64(sessionMinutes)),
        ]
        for (name, value) in oauthSettings.members.members { members[name] = value }
        if let secret { members["ClientSecret"] = .string(secret) }
        if let accessTokenValidity { members["AccessTokenValidity"] = .integer(Int64(accessTokenValidity.count)) }
        if let idTokenValidity { members["IdTokenValidity"] = .integer(Int64(idTokenValidity.count)) }
        var units: JSONObject = [:]
        if let accessTokenValidity { units["AccessToken"] = .string(accessTokenValidity.unit.rawValue) }
        if let idTokenValidity { units["IdToken"] = .string(idTokenValidity.unit.rawValue) }
        if !units.isEmpty || refreshTokenValidity.unit != .days { units["RefreshToken"] = .string(refreshTokenValidity.unit.rawValue) }
        if !units.isEmpty { members["TokenValidityUnits"] = .object(units) }
        if !flows.isEmpty { members["ExplicitAuthFlows"] = .array(flows.map { .string($0) }) }
        if let rotationGrace {
            members["RefreshTokenRotation"] = ["Feature": "ENABLED", "RetryGracePeriodSeconds": .integer(Int64(rotationGrace))]
        }
        if let readable { members["ReadAttributes"] = .array(readable.map { .string($0) }) }
        if let writable { members["WriteAttributes"] = .array(writable.map { .string($0) }) }
        return .object(members)
    }
}

extension SignedUserPoolCall {
    private mutating func givenClientID() throws(UserPoolError) -> String {
        try input.requiredText("ClientId", length: 1...128, pattern: .client, isSecret: true)
    }

    /// CreateUserPoolClient.
    mutating func createUserPoolClient() async throws -> JSONValue? {
        let id = try poolID()
        let name = try input.requiredText("ClientName", length: 1...128, pattern: .title)
        let hasSecret = try input.flag("GenerateSecret") ?? false
        let settings = try UserPoolClientSettings(&input)
        let pool = try pool(id)
        var client = UserPoolClient(
            id: try UserPoolIdentifier.newClient(), pool: pool.id, name: name,
            secret: hasSecret ? try UserPoolIdentifier.newSecret() : nil, created: cloud.clock.now)
        try settings.apply(to: &client, of: pool, pools)
        let made = client
        try await cloud.edit { directory in directory.put(inUserPools: .client(made)) }
        return ["UserPoolClient": made.document]
    }

    /// DescribeUserPoolClient.
    mutating func describeUserPoolClient() async throws -> JSONValue? {
        let (id, clientID) = (try poolID(), try givenClientID())
        let pool = try pool(id)
        guard let client = pools.client(clientID), client.pool == pool.id else {
            throw UserPoolError.notFound("User pool client does not exist.")
        }
        return ["UserPoolClient": client.document]
    }

    /// UpdateUserPoolClient. Settings that the call omits return to their defaults.
    mutating func updateUserPoolClient() async throws -> JSONValue? {
        let (id, clientID) = (try poolID(), try givenClientID())
        let name = try input.text("ClientName", length: 1...128, pattern: .title)
        let settings = try UserPoolClientSettings(&input)
        let pool = try pool(id)
        var client = try client(clientID, of: pool)
        client.name = name ?? client.name
        client.modified = cloud.clock.now
        try settings.apply(to: &client, of: pool, pools)
        let changed = client
        try await cloud.edit { directory in directory.put(inUserPools: .client(changed)) }
        return ["UserPoolClient": changed.document]
    }

    /// DeleteUserPoolClient.
    mutating func deleteUserPoolClient() async throws -> JSONValue? {
        let (id, clientID) = (try poolID(), try givenClientID())
        let pool = try pool(id)
        try await cloud.edit { directory in try directory.deleteUserPoolClient(clientID, of: pool.id) }
        return nil
    }

    /// ListUserPoolClients.
    mutating func listUserPoolClients() async throws -> JSONValue? {
        let id = try poolID()
        let most = try input.integer("MaxResults", range: 1...60) ?? 60
        let token = try input.text("NextToken", length: 1...131_072, pattern: .visible)
        let all = pools.clients(of: try pool(id).id)
        let rest = all.drop { client in token.map { client.id <= $0 } ?? false }
        let page = rest.prefix(most)
        var result: JSONObject = [
            "UserPoolClients": .array(
                page.map { client in
                    ["ClientId": .string(client.id), "UserPoolId": .string(client.pool), "ClientName": .string(client.name)]
                })
        ]
        if page.count < rest.count, let last = page.last { result["NextToken"] = .string(last.id) }
        return .object(result)
    }
}
