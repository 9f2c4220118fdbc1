package import Cloud
import Cryptography
package import Directory
import Tokens
package import WireFormats

/// One sign-in of a person to an app, which its refresh token continues.
///
/// The refresh token is the sealed login. The sandbox stores one grant for each login: the login is revoked when it is gone. Access tokens and
/// refresh tokens of a revoked login are refused, although access tokens still have a valid signature.
package struct UserPoolLogin: Sendable {
    /// The identifier of the pool.
    package var pool: String
    /// The identifier of the client.
    package var client: String
    /// The `sub` of the person.
    package var sub: String
    /// The identifier of the login, the claim `origin_jti`.
    package var id: String
    /// The identifier of the request, the claim `event_id`.
    package var event: String
    /// When the person signed in.
    package var authenticated: Timestamp
    /// When the login began.
    package var time: Timestamp
    /// When the refresh token expires.
    package var expires: Timestamp
    /// The scopes of the login's access tokens; `nil` for a login by the API.
    package var scopes: [String]?

    /// The purpose of the sealed record.
    fileprivate static let context = Array("user pool login".utf8)

    fileprivate var record: [UInt8] {
        let members: [JSONValue] = [
            .string(pool), .string(client), .string(sub), .string(id), .string(event), .integer(time.milliseconds),
            .integer(expires.milliseconds), scopes.map { JSONValue.string($0.joined(separator: " ")) } ?? .null,
            .integer(authenticated.milliseconds),
        ]
        return JSONValue.array(members).serializedBytes()
    }

    fileprivate init(
        pool: String, client: String, sub: String, id: String, event: String, authenticated: Timestamp, time: Timestamp,
        expires: Timestamp, scopes: [String]?
    ) {
        (self.pool, self.client, self.sub, self.id, self.event) = (pool, client, sub, id, event)
        (self.authenticated, self.time, self.expires, self.scopes) = (authenticated, time, expires, scopes)
    }

    fileprivate init?(_ record: [UInt8]) {
        guard let members = (try? JSONValue(parsing: record))?.arrayValue, members.count == 9, let pool = members[0].stringValue,
            let client = members[1].stringValue, let sub = members[2].stringValue, let id = members[3].stringValue,
            let event = members[4].stringValue, let time = members[5].integerValue, let expires = members[6].integerValue,
            let authenticated = members[8].integerValue
        else { return nil }
        self.init(
            pool: pool, client: client, sub: sub, id: id, event: event, authenticated: Timestamp(stored: authenticated),
            time: Timestamp(stored: time), expires: Timestamp(stored: expires),
            scopes: members[7].stringValue.map { $0.split(separator: " ").map(String.init) })
    }
}

/// The logins of a sandbox's user pools.
package struct UserPoolLoginStore: Sendable {
    let cloud: Cloud

    /// - Parameter cloud: the sandbox.
    package init(cloud: Cloud) { self.cloud = cloud }

    /// The name under which the grant of a login is stored.
    static func name(_ login: String) -> String { "user pool login \(login)" }

    private static func digest(_ token: String) -> JSONValue { .string(SHA256.hash(token).hex) }

    /// Begins a login by the API.
    /// - Returns: the login and its refresh token.
    /// - Throws: `GrantRefusal`, or an error of the database.
    package func begin(
        _ user: UserPoolUser, at client: UserPoolClient, of pool: UserPool
    ) async throws -> (login: UserPoolLogin, refreshToken: String) {
        let (login, token, grant) = try newLogin(user, at: client, of: pool, authenticated: cloud.clock.now, scopes: nil)
        try await cloud.grantIssuer.keep(grant, under: Self.name(login.id))
        return (login, token)
    }

    /// Begins a login at the hosted pages.
    /// - Parameters:
    ///   - authenticated: when the person signed in.
    ///   - scopes: the scopes of its access tokens.
    ///   - code: the authorization code that the client redeems; `nil` if there is none.
    /// - Returns: the login and its refresh token; `nil` if the code was redeemed before.
    /// - Throws: `GrantRefusal`, or an error of the database.
    package func begin(
        _ user: UserPoolUser, at client: UserPoolClient, of pool: UserPool, authenticated: Timestamp, scopes: [String],
        spending code: String?
    ) async throws -> (login: UserPoolLogin, refreshToken: String)? {
        let (login, token, grant) = try newLogin(user, at: client, of: pool, authenticated: authenticated, scopes: scopes)
        let issued = IssuedGrant(grant, token: Self.name(login.id))
        guard try await cloud.grantIssuer.keep([issued], spending: code) else { return nil }
        return (login, token)
    }

    private func newLogin(
        _ user: UserPoolUser, at client: UserPoolClient, of pool: UserPool, authenticated: Timestamp, scopes: [String]?
    ) throws -> (login: UserPoolLogin, token: String, grant: Grant) {
        let now = cloud.clock.now
        let login = UserPoolLogin(
            pool: pool.id, client: client.id, sub: user.sub, id: try UserPoolIdentifier.newUUID(), event: try UserPoolIdentifier.newUUID(),
            authenticated: authenticated, time: now, expires: now + client.refreshTokenValidity.duration, scopes: scopes)
        let token = try seal(login)
        // The last access token of the login outlives its refresh token.
        let grant = Grant(
            kind: .consent, provider: pool.grantName, client: client.id, person: user.sub, issued: now,
            expires: login.expires + client.accessTokenDuration, details: ["current": Self.digest(token)])
        return (login, token, grant)
    }

    private func seal(_ login: UserPoolLogin) throws -> String {
        try SealedRecord.sealedBytes(login.record, key: cloud.sealingKey, context: UserPoolLogin.context).base64url
    }

    /// Returns the login of a refresh token, even if it has expired or is revoked; `nil` for a text that this sandbox did not issue.
    package func login(ofRefreshToken token: String) -> UserPoolLogin? {
        guard let bytes = [UInt8](base64url: token),
            let record = try? SealedRecord.open(bytes, key: cloud.sealingKey, context: UserPoolLogin.context)
        else { return nil }
        return UserPoolLogin(record)
    }

    /// Returns whether a login is not revoked.
    /// - Throws: an error of the database.
    package func isLive(_ login: String, of pool: UserPool) throws -> Bool {
        try cloud.grants.find(Self.name(login), kind: .consent, at: pool.grantName) != nil
    }

    /// Returns whether a refresh token has expired.
    package func hasExpired(_ login: UserPoolLogin) -> Bool { cloud.clock.hasExpired(login.expires, issuedAt: login.time) }

    /// Replaces a refresh token. The replaced one is accepted until the grace has passed since it was first replaced; another use then
    /// replaces the newer one.
    /// - Returns: the new token; `nil` for a token that was replaced earlier.
    /// - Throws: `GrantRefusal`, or an error of the database.
    package func rotate(_ token: String, of login: UserPoolLogin, in pool: UserPool, grace: Int) async throws -> String? {
        let new = try seal(login)
        let (old, replacement) = (Self.digest(token), Self.digest(new))
        let now = cloud.clock.now
        let deadline = (now + .seconds(grace)).milliseconds
        let grant = try await cloud.grantIssuer.amend(Self.name(login.id), kind: .consent, at: pool.grantName) { grant in
            if grant.details["current"] == old {
                grant.details["previous"] = old
                grant.details["deadline"] = .integer(deadline)
            } else {
                guard grant.details["previous"] == old, let end = grant.details["deadline"]?.integerValue, now.milliseconds < end
                else { return }
            }
            grant.details["current"] = replacement
        }
        return grant?.details["current"] == replacement ? new : nil
    }

    /// Revokes a login.
    /// - Throws: an error of the database.
    package func end(_ login: UserPoolLogin) async throws { try await cloud.grants.revoke(Self.name(login.id)) }

    /// Revokes all logins of a person.
    /// - Throws: an error of the database.
    package func endAll(of user: UserPoolUser, in pool: UserPool) async throws {
        let clients = cloud.directory.userPools.clients(of: pool.id).map(\.id)
        try await cloud.grants.revokeAll(provider: pool.grantName, clients: clients, person: user.sub)
    }
}
