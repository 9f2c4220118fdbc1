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
    /// The browser that the sessions of challenges are bound to, on hosted pages. The API has sessions without a browser.
    var browser: String?

    /// How far a sign-in has come.
    enum Outcome: Sendable {
        /// A challenge with its session, as the API returns it.
        case challenge(JSONValue)
        /// The person has proven everything.
        case signedIn(UserPoolUser)
    }

    var cloud: Cloud { http.cloud }
    var logins: UserPoolLoginStore { UserPoolLoginStore(cloud: http.cloud) }

    /// The flows. (Service model, `AuthFlowType`.)
    static let flows = [
        "USER_SRP_AUTH", "REFRESH_TOKEN_AUTH", "REFRESH_TOKEN", "CUSTOM_AUTH", "ADMIN_NO_SRP_AUTH", "USER_PASSWORD_AUTH",
        "ADMIN_USER_PASSWORD_AUTH", "USER_AUTH",
    ]

    /// Starts a flow.
    func start(_ flow: String, _ parameters: TextDictionary<String>) async throws -> JSONValue {
        guard parameters["DEVICE_KEY"] == nil else { throw UserPoolError.unsupported("remembered devices (DEVICE_KEY)") }
        switch flow {
        case "USER_PASSWORD_AUTH":
            guard client.allows(flow) else { throw UserPoolError.invalidParameter("USER_PASSWORD_AUTH flow not enabled for this client") }
            return try await answer(try signIn(byPassword: parameters))
        case "ADMIN_USER_PASSWORD_AUTH", "ADMIN_NO_SRP_AUTH":
            guard isAdmin else { throw UserPoolError.invalidParameter("Initiate Auth method not supported.") }
            guard client.allows("ADMIN_USER_PASSWORD_AUTH") else {
                throw UserPoolError.invalidParameter("Auth flow not enabled for this client")
            }
            return try await answer(try signIn(byPassword: parameters))
        case "USER_SRP_AUTH":
            guard client.allows(flow) else { throw UserPoolError.invalidParameter("USER_SRP_AUTH is not enabled for the client.") }
            return try passwordVerifier(parameters)
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

    /// Returns a challenge, or begins a login and returns its tokens.
    func answer(_ outcome: Outcome) async throws -> JSONValue {
        switch outcome {
        case .challenge(let document): return document
        case .signedIn(let user):
            let (login, refreshToken) = try await logins.begin(user, at: client, of: pool)
            let tokens = try await logins.tokens(for: user, at: client, of: pool, in: login)
            return Self.result(tokens, refreshToken: refreshToken)
        }
    }

    /// Signs a person in with the parameters of a flow by password.
    func signIn(byPassword parameters: TextDictionary<String>) throws -> Outcome {
        let name = try Self.required("USERNAME", in: parameters)
        let password = try Self.required("PASSWORD", in: parameters)
        try client.check(secretHash: parameters["SECRET_HASH"], of: name)
        let user = try user(name, presenting: password)
        guard try user.hasPassword(password, in: pool) else {
            try refuseReset(user)
            throw UserPoolError.wrongPassword
        }
        return try proceed(user)
    }

    private func refuseReset(_ user: UserPoolUser) throws(UserPoolError) {
        guard user.status == .resetRequired else { return }
        throw UserPoolError("PasswordResetRequiredException", "Password reset required for the user")
    }

    /// Continues with a person whose password is proven.
    func proceed(_ user: UserPoolUser) throws -> Outcome {
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
        case .confirmed, .resetRequired: return try proceedAfterPassword(user)
        // People of identity providers have no password.
        case .externalProvider: throw UserPoolError.wrongPassword
        }
    }

    /// Continues with a person whose password need not be changed.
    func proceedAfterPassword(_ user: UserPoolUser) throws -> Outcome {
        switch pool.multiFactor {
        case .off: break
        case .on:
            guard pool.acceptsSoftwareTokens else { throw UserPoolError.unsupported("SMS as a second factor") }
            guard user.softwareToken?.isVerified == true else {
                return try challenge(
                    "MFA_SETUP", user, ["MFAS_CAN_SETUP": #"["SOFTWARE_TOKEN_MFA"]"#, "USER_ID_FOR_SRP": .string(user.username)])
            }
            return try challenge("SOFTWARE_TOKEN_MFA", user, ["USER_ID_FOR_SRP": .string(user.username)])
        case .optional:
            if pool.acceptsSoftwareTokens, let token = user.softwareToken, token.isVerified, token.isEnabled {
                return try challenge("SOFTWARE_TOKEN_MFA", user, ["USER_ID_FOR_SRP": .string(user.username)])
            }
        }
        return .signedIn(user)
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
    private func challenge(_ name: String, _ user: UserPoolUser, _ parameters: JSONObject) throws -> Outcome {
        let session = try UserPoolSession(challenge: name, client: client, sub: user.sub, issued: cloud.clock.now, browser: browser)
        return .challenge([
            "ChallengeName": .string(name), "Session": .string(try session.text(in: cloud)), "ChallengeParameters": .object(parameters),
        ])
    }

    /// Returns the end of a sign-in.
    static func result(_ tokens: UserPoolTokens, refreshToken: String?) -> JSONValue {
        var result: JSONObject = [
            "AccessToken": .string(tokens.accessToken), "ExpiresIn": .integer(Int64(tokens.lifetime)), "TokenType": "Bearer",
        ]
        if let idToken = tokens.idToken { result["IdToken"] = .string(idToken) }
        if let refreshToken { result["RefreshToken"] = .string(refreshToken) }
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
        return Self.result(try await logins.tokens(for: user, at: client, of: pool, in: login), refreshToken: nil)
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
        let salt = try SecureRemotePassword.newSalt()
        let verifier = try SecureRemotePassword.verifier(identity: pool.shortName + username, password: text, salt: salt)
        return Password(salt: salt, verifier: verifier, set: time)
    }
}
