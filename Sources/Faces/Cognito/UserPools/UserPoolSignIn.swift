import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// The sign-in of a person to an app: the flows and challenges of `InitiateAuth` and of the calls of administrators.
/// (Amazon Cognito Developer Guide, "User pool authentication flow".)
struct UserPoolSignIn: Sendable {
    let http: Call
    let pool: UserPool
    let client: UserPoolClient
    /// Whether an administrator calls.
    var isAdmin = false
    /// How the functions of triggers are called.
    let functions: UserPoolFunctions
    /// The member `ClientMetadata` of a call that continues or refreshes a login.
    var metadata: JSONObject = [:]
    /// The key of the device that the client names; `nil` for none.
    var deviceKey: String?
    /// The browser that the sessions of challenges are bound to, on hosted pages. The API has sessions without a browser.
    var browser: String?

    /// How far a sign-in has come.
    enum Outcome: Sendable {
        /// A challenge with its session, as the API returns it.
        case challenge(JSONValue)
        /// The person has proven everything. The source is why tokens are issued, for the function that changes them.
        case signedIn(UserPoolUser, source: String = "Authentication")
    }

    var cloud: Cloud { http.cloud }
    var logins: UserPoolLoginStore { UserPoolLoginStore(cloud: http.cloud) }
    var triggers: UserPoolTriggers {
        UserPoolTriggers(http: http, functions: functions, pool: pool, client: client, metadata: metadata)
    }

    /// The flows. (Service model, `AuthFlowType`.)
    static let flows = [
        "USER_SRP_AUTH", "REFRESH_TOKEN_AUTH", "REFRESH_TOKEN", "CUSTOM_AUTH", "ADMIN_NO_SRP_AUTH", "USER_PASSWORD_AUTH",
        "ADMIN_USER_PASSWORD_AUTH", "USER_AUTH",
    ]

    /// Starts a flow.
    /// - Parameter validation: the member `ClientMetadata` of the call, which functions before the sign-in receive.
    func start(_ flow: String, _ parameters: TextDictionary<String>, validation: JSONObject) async throws -> JSONValue {
        switch flow {
        case "USER_PASSWORD_AUTH":
            guard client.allows(flow) else { throw UserPoolError.invalidParameter("USER_PASSWORD_AUTH flow not enabled for this client") }
            return try await answer(try await signIn(byPassword: parameters, validation))
        case "ADMIN_USER_PASSWORD_AUTH", "ADMIN_NO_SRP_AUTH":
            guard isAdmin else { throw UserPoolError.invalidParameter("Initiate Auth method not supported.") }
            guard client.allows("ADMIN_USER_PASSWORD_AUTH") else {
                throw UserPoolError.invalidParameter("Auth flow not enabled for this client")
            }
            return try await answer(try await signIn(byPassword: parameters, validation))
        case "USER_SRP_AUTH":
            guard client.allows(flow) else { throw UserPoolError.invalidParameter("USER_SRP_AUTH is not enabled for the client.") }
            return try await passwordVerifier(parameters, validation)
        case "CUSTOM_AUTH":
            guard client.allows(flow) else { throw UserPoolError.invalidParameter("CUSTOM_AUTH is not enabled for the client.") }
            return try await answer(try await startCustom(parameters, validation))
        case "REFRESH_TOKEN_AUTH", "REFRESH_TOKEN":
            guard client.allows("REFRESH_TOKEN_AUTH"), client.rotationGrace == nil else {
                throw UserPoolError.invalidParameter("Auth flow not enabled for this client")
            }
            return try await refresh(parameters)
        default: throw UserPoolError.unsupported("the flow \(flow)")
        }
    }

    /// Returns a parameter of a flow or an answer to a challenge.
    static func required(_ name: String, in parameters: TextDictionary<String>) throws(UserPoolError) -> String {
        guard let value = parameters[name], !value.isEmpty else { throw .invalidParameter("Missing required parameter \(name)") }
        return value
    }

    /// Returns the person with a name; the error for an unknown one depends on the client. One that hides unknown people gets it as late as that
    /// of a wrong password.
    private func user(_ name: String, presenting password: String) throws -> UserPoolUser {
        if let user = cloud.directory.userPools.user(signingInAs: name, in: pool) { return user }
        guard client.hidesUnknownUsers else { throw UserPoolError.unknownUser }
        _ = try SecureRemotePassword.verifier(identity: pool.shortName + name, password: password, salt: Array(repeating: 1, count: 16))
        throw UserPoolError.wrongPassword
    }

    /// Returns a challenge, or begins a login and returns its tokens. AWS does not say which of the functions it calls first.
    func answer(_ outcome: Outcome) async throws -> JSONValue {
        switch outcome {
        case .challenge(let document): return document
        case .signedIn(let user, let source):
            let isOnNewDevice = try isOnNewDevice(user)
            let admitted = try await conclude(user)
            let changes = try await triggers.tokenChanges(for: admitted, source, scopes: [UserPoolScope.selfService])
            let current = try present(user)
            let (login, refreshToken) = try await logins.begin(current, at: client, of: pool)
            let bound = try await bind(login, to: current)
            let device = logins.deviceKey(of: login, of: bound, in: pool)
            let tokens = try await logins.tokens(for: bound, at: client, of: pool, in: login, device: device, changes: changes)
            guard isOnNewDevice, let device else { return Self.result(tokens, refreshToken: refreshToken) }
            let group = logins.deviceGroup(of: bound, in: pool)
            return Self.result(
                tokens, refreshToken: refreshToken, newDevice: ["DeviceKey": .string(device), "DeviceGroupKey": .string(group)])
        }
    }

    /// Returns whether a person signs in without a device that the pool knows.
    private func isOnNewDevice(_ user: UserPoolUser) throws(UserPoolError) -> Bool {
        guard pool.devices != nil else { return false }
        return try knownDevice(of: user) == nil
    }

    /// Lets a function refuse a sign-in after its last challenge.
    /// - Returns: the person as of now.
    func conclude(_ user: UserPoolUser) async throws -> UserPoolUser {
        try await triggers.postAuthentication(user, onNewDevice: try isOnNewDevice(user))
        return try present(user)
    }

    /// Returns a person as of now. A function may have changed, disabled or deleted the person.
    func present(_ user: UserPoolUser) throws(UserPoolError) -> UserPoolUser {
        guard let present = cloud.directory.userPools.user(sub: user.sub, in: pool.id) else { throw .unknownUser }
        guard present.isEnabled else { throw .disabledUser }
        return present
    }

    /// Signs a person in with the parameters of a flow by password.
    func signIn(byPassword parameters: TextDictionary<String>, _ validation: JSONObject) async throws -> Outcome {
        let name = try Self.required("USERNAME", in: parameters)
        let password = try Self.required("PASSWORD", in: parameters)
        try client.check(secretHash: parameters["SECRET_HASH"], of: name)
        if cloud.directory.userPools.user(signingInAs: name, in: pool) == nil,
            let migrated = try await triggers.migrate(
                name, "Authentication", password: password, validation: validation, by: client)
        {
            return try await proceed(migrated)
        }
        try await admit(name, validation)
        let user = try user(name, presenting: password)
        guard try user.hasPassword(password, in: pool) else {
            try refuseReset(user)
            throw UserPoolError.wrongPassword
        }
        return try await proceed(user)
    }

    /// Lets a function refuse a sign-in before the password is checked. It does not learn of names that the app may know not to exist.
    func admit(_ name: String, _ validation: JSONObject) async throws {
        guard triggers.has(.preAuthentication) else { return }
        let user = cloud.directory.userPools.user(signingInAs: name, in: pool)
        guard user != nil || client.hidesUnknownUsers else { return }
        try await triggers.preAuthentication(user, named: name, validation: validation)
    }

    private func refuseReset(_ user: UserPoolUser) throws(UserPoolError) {
        guard user.status == .resetRequired else { return }
        throw UserPoolError("PasswordResetRequiredException", "Password reset required for the user")
    }

    /// Continues with a person whose password is proven.
    func proceed(_ user: UserPoolUser) async throws -> Outcome {
        http.note(caller: "\(pool.arn)/\(user.username)")
        guard user.isEnabled else { throw UserPoolError.disabledUser }
        try refuseReset(user)
        switch user.status {
        case .unconfirmed: throw UserPoolError.unconfirmedUser
        case .forceChangePassword:
            if let set = user.password?.set,
                cloud.clock.hasExpired(set + .seconds(86_400 * pool.passwordPolicy.temporaryValidityDays), issuedAt: set)
            {
                throw UserPoolError.notAuthorized("Temporary password has expired and must be reset by an administrator.")
            }
            return try newPasswordRequired(user)
        case .confirmed, .resetRequired: return try await proceedAfterPassword(user)
        // People of identity providers have no password.
        case .externalProvider: throw UserPoolError.wrongPassword
        }
    }

    private func newPasswordRequired(_ user: UserPoolUser) throws -> Outcome {
        let attributes = user.attributes.filter { $0.name != "sub" }.map { ($0.name, JSONValue.string($0.value)) }
        let required = pool.attributes.filter { $0.isRequired && $0.name != "sub" && user[attribute: $0.name] == nil }
        return try challenge(
            "NEW_PASSWORD_REQUIRED", user,
            [
                "USER_ID_FOR_SRP": .string(user.username),
                "requiredAttributes": .string(
                    JSONValue.array(required.map { .string("userAttributes.\($0.name)") }).serialized()),
                "userAttributes": .string(JSONValue.object(JSONObject(attributes)).serialized()),
            ])
    }

    /// Returns a challenge with a session.
    func challenge(_ name: String, _ user: UserPoolUser, _ parameters: JSONObject) throws -> Outcome {
        let session = try UserPoolSession(challenge: name, client: client, sub: user.sub, issued: cloud.clock.now, browser: browser)
        return .challenge([
            "ChallengeName": .string(name), "Session": .string(try session.text(in: cloud)), "ChallengeParameters": .object(parameters),
        ])
    }

    /// Returns the end of a sign-in.
    /// - Parameter newDevice: the keys of a device that can be confirmed; `nil` for none.
    static func result(_ tokens: UserPoolTokens, refreshToken: String?, newDevice: JSONValue? = nil) -> JSONValue {
        var result: JSONObject = [
            "AccessToken": .string(tokens.accessToken), "ExpiresIn": .integer(Int64(tokens.lifetime)), "TokenType": "Bearer",
        ]
        if let idToken = tokens.idToken { result["IdToken"] = .string(idToken) }
        if let refreshToken { result["RefreshToken"] = .string(refreshToken) }
        if let newDevice { result["NewDeviceMetadata"] = newDevice }
        return ["ChallengeParameters": [:], "AuthenticationResult": .object(result)]
    }

    private func refresh(_ parameters: TextDictionary<String>) async throws -> JSONValue {
        let token = try Self.required("REFRESH_TOKEN", in: parameters)
        let (user, login) = try continued(token)
        // The hash is over the real username; apps that know only the `sub` use that.
        if let hash = parameters["SECRET_HASH"], (try? client.check(secretHash: hash, of: user.sub)) == nil {
            try client.check(secretHash: hash, of: user.username)
        } else if parameters["SECRET_HASH"] == nil {
            try client.check(secretHash: nil, of: user.username)
        }
        return Self.result(try await refreshed(user, login), refreshToken: nil)
    }

    /// Returns new tokens of a login.
    func refreshed(_ user: UserPoolUser, _ login: UserPoolLogin) async throws -> UserPoolTokens {
        let changes = try await triggers.tokenChanges(for: user, "RefreshTokens", scopes: login.scopes ?? [UserPoolScope.selfService])
        let current = try present(user)
        let device = logins.deviceKey(of: login, of: current, in: pool)
        return try await logins.tokens(for: current, at: client, of: pool, in: login, device: device, changes: changes)
    }

    /// Returns the person and the login of a refresh token that is accepted.
    func continued(_ token: String) throws -> (user: UserPoolUser, login: UserPoolLogin) {
        guard let login = logins.login(ofRefreshToken: token), login.pool == pool.id else {
            throw UserPoolError.notAuthorized("Invalid Refresh Token")
        }
        guard login.client == client.id else { throw UserPoolError.notAuthorized("Refresh Token has different Client") }
        guard !logins.hasExpired(login) else { throw UserPoolError.notAuthorized("Refresh Token has expired") }
        let revoked = UserPoolError.notAuthorized("Refresh Token has been revoked")
        guard let user = cloud.directory.userPools.user(sub: login.sub, in: pool.id) else { throw revoked }
        guard user.isEnabled else { throw UserPoolError.disabledUser }
        guard try logins.isLive(login.id, of: pool) else { throw revoked }
        // The refresh token of a confirmed device is accepted from that one only.
        if let device = user.device(ofLogin: login.id), deviceKey != device.key {
            throw UserPoolError.notAuthorized("Invalid Refresh Token")
        }
        http.note(caller: "\(pool.arn)/\(user.username)")
        return (user, login)
    }
}

extension UserPoolUser {
    /// Returns whether a text is the person's password.
    func hasPassword(_ text: String, in pool: UserPool) throws(CryptographyError) -> Bool {
        guard let password else { return false }
        let verifier = try SecureRemotePassword.verifier(identity: pool.shortName + username, password: text, salt: password.salt)
        return constantTimeEquals(verifier, password.verifier)
    }

    /// Returns what verifies a new password, which must conform to the policy of the pool.
    func newPassword(_ text: String, in pool: UserPool, at time: Timestamp) throws -> Password {
        if let fault = pool.passwordPolicy.fault(of: text) {
            throw UserPoolError("InvalidPasswordException", "Password does not conform to policy: \(fault)")
        }
        return try verifier(of: text, in: pool, at: time)
    }

    /// Returns what verifies a password.
    func verifier(of text: String, in pool: UserPool, at time: Timestamp) throws(CryptographyError) -> Password {
        let salt = try SecureRemotePassword.newSalt()
        let verifier = try SecureRemotePassword.verifier(identity: pool.shortName + username, password: text, salt: salt)
        return Password(salt: salt, verifier: verifier, set: time)
    }
}
