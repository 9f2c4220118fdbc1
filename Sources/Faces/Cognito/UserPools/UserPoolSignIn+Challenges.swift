import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolSignIn {
    /// The challenges. (Service model, `ChallengeNameType`.)
    static let challenges = [
        "SMS_MFA", "EMAIL_OTP", "SOFTWARE_TOKEN_MFA", "SELECT_MFA_TYPE", "MFA_SETUP", "PASSWORD_VERIFIER", "CUSTOM_CHALLENGE",
        "SELECT_CHALLENGE", "DEVICE_SRP_AUTH", "DEVICE_PASSWORD_VERIFIER", "ADMIN_NO_SRP_AUTH", "NEW_PASSWORD_REQUIRED", "SMS_OTP",
        "PASSWORD", "WEB_AUTHN", "PASSWORD_SRP",
    ]

    /// Answers a challenge.
    func respond(to challenge: String, session text: String?, _ responses: TextDictionary<String>) async throws -> Outcome {
        switch challenge {
        case "PASSWORD_VERIFIER": return try await answerPasswordVerifier(responses)
        case "NEW_PASSWORD_REQUIRED":
            let (session, user) = try opened(text, challenge, responses)
            return try await setNewPassword(of: user, session, responses)
        case "SOFTWARE_TOKEN_MFA":
            let (session, user) = try opened(text, challenge, responses)
            let code = try Self.required("SOFTWARE_TOKEN_MFA_CODE", in: responses)
            let arrived = http.arrived
            _ = try user.counter(ofCode: code, at: arrived)
            guard session.use(in: cloud) else { throw UserPoolError.usedSession }
            let (pool, now) = (pool.id, cloud.clock.now)
            let changed = try await cloud.edit { directory in
                // The answer to another session may have used the code meanwhile.
                guard let present = directory.userPools.user(sub: user.sub, in: pool) else { throw UserPoolRefusal.noSuchUser }
                let counter = try present.counter(ofCode: code, at: arrived)
                return try directory.changeUser(sub: user.sub, in: pool, at: now) { $0.softwareToken?.lastCounter = counter }
            }
            return .signedIn(changed)
        case "MFA_SETUP":
            let (session, user) = try opened(text, challenge, responses)
            guard session.details["verified"] == true, user.softwareToken?.isVerified == true, pool.acceptsSoftwareTokens else {
                throw UserPoolError.invalidSession
            }
            guard session.use(in: cloud) else { throw UserPoolError.usedSession }
            return .signedIn(user)
        case UserPoolFactor.sms.rawValue: return try await answerMessage(.sms, text, responses)
        case UserPoolFactor.mail.rawValue: return try await answerMessage(.mail, text, responses)
        case "SELECT_MFA_TYPE": return try await selectFactor(text, responses)
        case "DEVICE_SRP_AUTH": return .challenge(try deviceVerifier(text, responses))
        case "DEVICE_PASSWORD_VERIFIER": return try await answerDeviceVerifier(responses)
        case "CUSTOM_CHALLENGE": return try await answerCustomChallenge(text, responses)
        default: throw UserPoolError.unsupported("the challenge \(challenge)")
        }
    }

    /// Opens the session of an answer.
    func opened(
        _ text: String?, _ challenge: String, _ responses: TextDictionary<String>
    ) throws(UserPoolError) -> (session: UserPoolSession, user: UserPoolUser) {
        let name = try Self.required("USERNAME", in: responses)
        try client.check(secretHash: responses["SECRET_HASH"], of: name)
        guard let text else { throw .invalidParameter("Missing required parameter Session") }
        guard let session = UserPoolSession(text: text, in: cloud), session.challenge == challenge, session.client == client.id,
            session.browser == browser,
            let user = cloud.directory.userPools.user(sub: session.sub, in: pool.id),
            cloud.directory.userPools.user(signingInAs: name, in: pool)?.sub == user.sub
        else { throw .invalidSession }
        guard !session.hasExpired(at: client, in: cloud) else { throw .expiredSession }
        guard user.isEnabled else { throw .disabledUser }
        return (session, user)
    }

    /// Sets the password in place of a temporary one. A password that the policy refuses leaves the session as it is.
    private func setNewPassword(
        of user: UserPoolUser, _ session: UserPoolSession, _ responses: TextDictionary<String>
    ) async throws -> Outcome {
        let text = try Self.required("NEW_PASSWORD", in: responses)
        let now = cloud.clock.now
        let password = try user.newPassword(text, in: pool, at: now)
        let prefix = "userAttributes."
        let attributes = responses.filter { $0.key.hasPrefix(prefix) }.map {
            UserPoolUser.Attribute(String($0.key.dropFirst(prefix.count)), $0.value)
        }
        // (Amazon Cognito Developer Guide, "New password required". The text is that of public reports.)
        let fixed = pool.attributes.filter { $0.isRequired || UserPoolAttribute.addresses.contains($0.name) }.map(\.name)
        if let given = attributes.first(where: { fixed.contains($0.name) && user[attribute: $0.name] != nil }) {
            throw UserPoolError.notAuthorized("Cannot modify an already provided \(given.name)")
        }
        try pool.check(attributes, of: user, by: client)
        guard user.status == .forceChangePassword, session.use(in: cloud) else { throw UserPoolError.usedSession }
        let changed = try await cloud.change(user) { user in
            user.password = password
            user.status = .confirmed
            user.codes.removeAll { $0.purpose == .temporaryPassword }
            user.choose(attributes)
        }
        return try await proceedAfterPassword(changed, "NewPasswordChallenge")
    }
}

extension UserPool {
    /// Checks that attributes can be set.
    /// - Parameters:
    ///   - user: the person; `nil` for a new one.
    ///   - client: the app that sets them; `nil` for an administrator.
    func check(_ attributes: [UserPoolUser.Attribute], of user: UserPoolUser?, by client: UserPoolClient?) throws(UserPoolError) {
        for attribute in attributes {
            guard let known = self.attribute(attribute.name) else {
                throw .invalidParameter("user.\(attribute.name): Attribute does not exist in the schema.")
            }
            if known.name == "sub" || user != nil && !known.isMutable {
                throw .invalidParameter("user.\(known.name): Attribute cannot be updated.")
            }
            if let client {
                guard !UserPoolAttribute.verified.contains(known.name), client.writes(known.name) else {
                    throw .notAuthorized("A client attempted to write unauthorized attribute")
                }
            }
            guard known.accepts(attribute.value) else {
                throw .invalidParameter("Attributes did not conform to the schema: \(known.name): The attribute value is not valid")
            }
        }
    }

    /// Checks that a new person has every required attribute.
    func checkRequired(_ user: UserPoolUser) throws(UserPoolError) {
        let missing = attributes.filter { $0.isRequired && $0.name != "sub" && user[attribute: $0.name] == nil }
        guard missing.isEmpty else {
            let list = missing.map { "\($0.name): The attribute is required" }.joined(separator: "\n")
            throw .invalidParameter("Attributes did not conform to the schema: \(list)\n")
        }
    }
}

extension UserPoolAttribute {
    /// Returns whether a text is a value of the attribute.
    func accepts(_ value: String) -> Bool {
        switch type {
        case .boolean: return ["true", "false"].contains(value.lowercasedASCII)
        case .number, .dateTime:
            guard let number = Int64(value) else { return false }
            return (least.flatMap { Int64($0) } ?? .min) <= number && number <= (greatest.flatMap { Int64($0) } ?? .max)
        case .string:
            let count = value.unicodeScalars.count
            return (least.flatMap { Int($0) } ?? 0) <= count && count <= (greatest.flatMap { Int($0) } ?? 2048)
        }
    }
}

extension UserPoolUser {
    /// Returns the counter of a one-time password, which may be one step old or early.
    func counter(ofCode code: String, at time: Timestamp) throws(UserPoolError) -> Int64 {
        guard let token = softwareToken, token.isVerified, let counter = token.counter(ofCode: code, at: time) else {
            throw UserPoolError("CodeMismatchException", "Invalid code received for user")
        }
        guard token.lastCounter.map({ counter > $0 }) ?? true else {
            throw UserPoolError("ExpiredCodeException", "Your software token has already been used once.")
        }
        return counter
    }
}

extension UserPoolUser.SoftwareToken {
    /// Returns the counter of a code near a time; `nil` for a wrong code.
    func counter(ofCode code: String, at time: Timestamp) -> Int64? {
        let present = OneTimePassword.counter(atSeconds: time.seconds)
        return (present - 1...present + 1).first { constantTimeEquals(OneTimePassword.password(seed: seed, counter: $0), code) }
    }
}
