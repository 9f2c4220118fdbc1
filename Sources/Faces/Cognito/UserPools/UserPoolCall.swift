import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Policy
import WireFormats

/// One operation of user pools.
enum UserPoolOperation: Sendable {
    /// For clients without credentials, with the access token, the client's identifier or a session.
    case open(@Sendable (inout UserPoolCall) async throws -> JSONValue?)
    /// For callers that sign.
    case signed(@Sendable (inout SignedUserPoolCall) async throws -> JSONValue?)
}

/// A call of a client without credentials.
struct UserPoolCall: Sendable {
    let http: Call
    let functions: UserPoolFunctions
    let operation: String
    var input: UserPoolInput

    var cloud: Cloud { http.cloud }
    var pools: UserPools { http.cloud.directory.userPools }
    var logins: UserPoolLoginStore { UserPoolLoginStore(cloud: http.cloud) }

    /// Returns the triggers of a pool.
    /// - Parameter metadata: the member `ClientMetadata`, where functions receive it.
    func triggers(of pool: UserPool, by client: UserPoolClient, _ metadata: JSONObject = [:]) -> UserPoolTriggers {
        UserPoolTriggers(http: http, functions: functions, pool: pool, client: client, metadata: metadata)
    }

    /// Reads the client's identifier.
    mutating func clientID() throws(UserPoolError) -> String {
        try input.requiredText("ClientId", length: 1...128, pattern: .client, isSecret: true)
    }

    /// Reads a name of a person.
    mutating func username() throws(UserPoolError) -> String {
        try input.requiredText("Username", length: 1...128, pattern: .name, isSecret: true)
    }

    /// Reads the hash over the client's secret.
    mutating func secretHash() throws(UserPoolError) -> String? {
        try input.text("SecretHash", length: 1...128, pattern: .secretHash, isSecret: true)
    }

    /// Reads an access token.
    mutating func accessToken() throws(UserPoolError) -> String {
        try input.requiredText("AccessToken", length: 0...20_000, pattern: .token, isSecret: true)
    }

    /// Returns the client with an identifier, and its pool.
    func client(_ id: String) throws(UserPoolError) -> (client: UserPoolClient, pool: UserPool) {
        guard let client = pools.client(id), let pool = pools.pool(client.pool) else {
            throw .notFound("User pool client \(id) does not exist.")
        }
        return (client, pool)
    }

    /// Returns the person, the pool and the client of an access token, if its login continues.
    func holder(ofAccessToken text: String) async throws -> TokenHolder {
        let token = try await VerifiedUserPoolToken(text, use: .access, in: cloud)
        // A function can remove the scope, and apps that use hosted pages need not ask for it.
        guard token.scopes.contains(UserPoolScope.selfService) else {
            throw UserPoolError.notAuthorized("Access Token does not have required scopes")
        }
        let user = try token.currentUser(in: cloud)
        guard let client = pools.client(token.client) else { throw UserPoolTokenFault.revoked }
        http.note(caller: "\(token.pool.arn)/\(user.username)")
        guard let login = token.claims["origin_jti"]?.stringValue else { throw UserPoolTokenFault.invalid }
        return TokenHolder(pool: token.pool, client: client, user: user, login: login)
    }

    /// The person whose access token a call has.
    struct TokenHolder: Sendable {
        let pool: UserPool
        let client: UserPoolClient
        let user: UserPoolUser
        /// The identifier of the login.
        let login: String
    }

    /// Changes a person.
    @discardableResult
    func change(_ user: UserPoolUser, _ change: @escaping @Sendable (inout UserPoolUser) -> Void) async throws -> UserPoolUser {
        try await cloud.change(user, change)
    }
}

extension Cloud {
    /// Changes a person of a user pool.
    @discardableResult
    func change(_ user: UserPoolUser, _ change: @escaping @Sendable (inout UserPoolUser) -> Void) async throws -> UserPoolUser {
        let now = clock.now
        return try await edit { directory in try directory.changeUser(sub: user.sub, in: user.pool, at: now, change) }
    }
}

extension UserPoolClient {
    /// Returns the hash over the client's secret for calls about a person; `nil` for a public client.
    func secretHash(of username: String) -> String? {
        secret.map { hmacSHA256(key: Array($0.utf8), username + id).base64 }
    }

    /// Checks the hash that proves that the caller knows the client's secret.
    func check(secretHash: String?, of username: String) throws(UserPoolError) {
        guard let expected = self.secretHash(of: username) else {
            guard secretHash == nil else { throw .notAuthorized("Unable to verify secret hash for client \(id)") }
            return
        }
        guard let secretHash else {
            throw .notAuthorized("Client \(id) is configured with secret but SECRET_HASH was not received")
        }
        guard constantTimeEquals(expected, secretHash) else { throw .notAuthorized("Unable to verify secret hash for client \(id)") }
    }
}

/// A signed call.
struct SignedUserPoolCall: Sendable {
    let http: Call
    let functions: UserPoolFunctions
    let operation: String
    var input: UserPoolInput
    let caller: Caller
    /// The caller's account.
    let account: String
    let region: String

    var cloud: Cloud { http.cloud }
    var pools: UserPools { http.cloud.directory.userPools }
    var logins: UserPoolLoginStore { UserPoolLoginStore(cloud: http.cloud) }

    /// Returns the triggers of a pool.
    func triggers(of pool: UserPool, _ metadata: JSONObject) -> UserPoolTriggers {
        UserPoolTriggers(http: http, functions: functions, pool: pool, client: nil, metadata: metadata)
    }

    /// Reads the identifier of a pool.
    mutating func poolID() throws(UserPoolError) -> String {
        try input.requiredText("UserPoolId", length: 1...55, pattern: .pool)
    }

    /// Reads a name of a person.
    mutating func username() throws(UserPoolError) -> String {
        try input.requiredText("Username", length: 1...128, pattern: .name, isSecret: true)
    }

    /// Rejects the call unless the caller may perform its action on a resource.
    func authorize(on resource: String) throws(UserPoolError) {
        try authorize("\(UserPoolsFace.service):\(operation)", on: resource)
    }

    /// Rejects the call unless the caller may pass a role to the service.
    func authorize(passing role: String?) throws(UserPoolError) {
        if let role { try authorize("iam:PassRole", on: role) }
    }

    private func authorize(_ action: String, on resource: String) throws(UserPoolError) {
        let verdict = http.authorize(caller, action, on: resource, ownedBy: account, region: region)
        guard let message = verdict.decision.message(for: verdict.context) else { return }
        throw UserPoolError("AccessDeniedException", message)
    }

    /// Checks the members that were read, and authorizes the caller on a pool.
    /// - Returns: the pool.
    func pool(_ id: String) throws(UserPoolError) -> UserPool {
        try input.check()
        try authorize(on: "arn:aws:cognito-idp:\(region):\(account):userpool/\(id)")
        guard let pool = pools.pool(id), pool.account == account, pool.region == region else {
            throw .notFound("User pool \(id) does not exist.")
        }
        return pool
    }

    /// Returns a person of a pool by username, `sub` or alias.
    func user(_ name: String, of pool: UserPool) throws(UserPoolError) -> UserPoolUser {
        guard let user = pools.user(signingInAs: name, in: pool) else { throw .unknownUser }
        return user
    }

    /// Returns a client of a pool.
    func client(_ id: String, of pool: UserPool) throws(UserPoolError) -> UserPoolClient {
        guard let client = pools.client(id), client.pool == pool.id else {
            throw .notFound("User pool client \(id) does not exist in user pool \(pool.id).")
        }
        return client
    }
}
