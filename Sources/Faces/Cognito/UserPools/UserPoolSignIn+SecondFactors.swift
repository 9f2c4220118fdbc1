import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolSignIn {
    /// Continues with a person whose password need not be changed: with the secret of a remembered device, with a second factor, or with tokens.
    /// - Parameter source: why tokens are issued, for the function that changes them.
    func proceedAfterPassword(_ user: UserPoolUser, _ source: String = "Authentication") async throws -> Outcome {
        if let device = try knownDevice(of: user), device.isRemembered { return try await deviceChallenge(device, user) }
        return try await proceedToSecondFactor(user, source)
    }

    /// Continues with a second factor, or with tokens.
    func proceedToSecondFactor(_ user: UserPoolUser, _ source: String) async throws -> Outcome {
        guard pool.multiFactor != .off else { return .signedIn(user, source: source) }
        let factors = user.factors(in: pool)
        if let preferred = user.preferredFactor, factors.contains(preferred) { return try await challenge(preferred, user) }
        guard let first = factors.first else {
            guard pool.multiFactor == .on else { return .signedIn(user, source: source) }
            let names = Self.names(pool.factors)
            return try challenge("MFA_SETUP", user, ["MFAS_CAN_SETUP": names, "USER_ID_FOR_SRP": .string(user.username)])
        }
        guard factors.count > 1 else { return try await challenge(first, user) }
        return try challenge("SELECT_MFA_TYPE", user, ["MFAS_CAN_CHOOSE": Self.names(factors), "USER_ID_FOR_SRP": .string(user.username)])
    }

    /// Returns the text of a list of second factors.
    private static func names(_ factors: [UserPoolFactor]) -> JSONValue {
        .string(JSONValue.array(factors.map { .string($0.rawValue) }).serialized())
    }

    /// Returns the challenge of a second factor, whose code is sent if that is needed.
    private func challenge(_ factor: UserPoolFactor, _ user: UserPoolUser) async throws -> Outcome {
        var parameters: JSONObject = ["USER_ID_FOR_SRP": .string(user.username)]
        if let attribute = factor.attribute {
            let code = try await sendCode(factor, to: attribute, of: user)
            parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] = .string(code.medium.rawValue)
            parameters["CODE_DELIVERY_DESTINATION"] = CodeDelivery(code: code).document["Destination"]
        }
        return try challenge(factor.rawValue, user, parameters)
    }

    /// Sends a code in place of those before it, with the message of a function or of the pool.
    private func sendCode(_ factor: UserPoolFactor, to attribute: String, of user: UserPoolUser) async throws -> UserPoolCode {
        let made = try UserPoolCode.new(
            .multiFactor, for: user, to: [attribute], at: cloud.clock.now, validity: .seconds(60 * client.sessionMinutes))
        guard var code = made else { throw UserPoolError.invalidParameter("The user has no attribute \(attribute).") }
        code.message = (factor == .sms ? pool.smsMessage : pool.mailMessage)?.replacing("{####}", with: code.code)
        code.subject = factor == .mail ? pool.mailSubject : nil
        try await triggers.writeMessage(of: &code, "Authentication", to: user)
        let sent = code
        try await cloud.change(user) { $0.keep(sent) }
        return sent
    }

    /// Checks the code of a second factor, which is accepted once.
    func answerMessage(_ factor: UserPoolFactor, _ text: String?, _ responses: TextDictionary<String>) async throws -> Outcome {
        let (session, user) = try opened(text, factor.rawValue, responses)
        let given = try Self.required("\(factor.rawValue)_CODE", in: responses)
        // (Public reports of the real service.)
        let mismatch = UserPoolError("CodeMismatchException", "Invalid code or auth state for the user.")
        let (clock, attribute, poolID) = (cloud.clock, factor.attribute, pool.id)
        func find(in user: UserPoolUser) throws(UserPoolError) -> UserPoolCode {
            let sent = user.codes.first { $0.purpose == .multiFactor && $0.attribute == attribute && constantTimeEquals($0.code, given) }
            guard let sent, !clock.hasExpired(sent.expires, issuedAt: sent.sent) else { throw mismatch }
            return sent
        }
        let code = try find(in: user)
        guard session.use(in: cloud) else { throw UserPoolError.usedSession }
        let now = cloud.clock.now
        let changed = try await cloud.edit { directory in
            // The answer to another session may have used the code meanwhile.
            guard let present = directory.userPools.user(sub: user.sub, in: poolID), present.codes.contains(code) else { throw mismatch }
            return try directory.changeUser(sub: user.sub, in: poolID, at: now) { user in user.codes.removeAll { $0 == code } }
        }
        return .signedIn(changed)
    }

    /// Continues with the second factor that a person selects.
    func selectFactor(_ text: String?, _ responses: TextDictionary<String>) async throws -> Outcome {
        let (session, user) = try opened(text, "SELECT_MFA_TYPE", responses)
        let answer = try Self.required("ANSWER", in: responses)
        guard let factor = UserPoolFactor(rawValue: answer), user.factors(in: pool).contains(factor) else {
            throw UserPoolError.invalidParameter("\(answer) is not a valid MFA type for the user.")
        }
        guard session.use(in: cloud) else { throw UserPoolError.usedSession }
        return try await challenge(factor, user)
    }
}
