import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

extension UserPoolCall {
    /// Whose second factor a call changes: the holder of an access token, or the person of a challenge.
    private struct Subject: Sendable {
        var user: UserPoolUser
        /// The session, if the call has one.
        var session: UserPoolSession?
        var client: UserPoolClient
    }

    private func subject(accessToken: String?, session text: String?) async throws -> Subject {
        if let accessToken {
            let holder = try await holder(ofAccessToken: accessToken)
            return Subject(user: holder.user, session: nil, client: holder.client)
        }
        guard let text else { throw UserPoolError.invalidParameter("Only one of AccessToken or Session should be provided") }
        guard let session = UserPoolSession(text: text, in: cloud), session.challenge == "MFA_SETUP",
            let client = pools.client(session.client), let user = pools.user(sub: session.sub, in: session.pool),
            let pool = pools.pool(session.pool)
        else { throw UserPoolError.invalidSession }
        // Another second factor of the pool cannot be set up in this way.
        guard pool.acceptsSoftwareTokens else {
            throw UserPoolError("SoftwareTokenMFANotFoundException", "Software Token MFA is not enabled for the userPool")
        }
        guard !session.hasExpired(at: client, in: cloud) else { throw UserPoolError.expiredSession }
        return Subject(user: user, session: session, client: client)
    }

    /// AssociateSoftwareToken.
    mutating func associateSoftwareToken() async throws -> JSONValue? {
        let token = try input.text("AccessToken", length: 0...20_000, pattern: .token, isSecret: true)
        let text = try input.text("Session", length: 20...4096, isSecret: true)
        try input.check()
        let subject = try await subject(accessToken: token, session: text)
        // A session is for the first token only, or it could replace the second factor after the sign-in.
        guard subject.session == nil || subject.user.softwareToken?.isVerified != true else { throw UserPoolError.invalidSession }
        let seed = try randomBytes(32)
        try await change(subject.user) { user in
            if user.softwareToken?.isVerified == true {
                user.softwareToken?.pending = seed
            } else {
                user.softwareToken = UserPoolUser.SoftwareToken(seed: seed)
            }
        }
        var result: JSONObject = ["SecretCode": .string(seed.base32)]
        if let session = subject.session { result["Session"] = .string(try session.text(in: cloud)) }
        return .object(result)
    }

    /// VerifySoftwareToken.
    mutating func verifySoftwareToken() async throws -> JSONValue? {
        let token = try input.text("AccessToken", length: 0...20_000, pattern: .token, isSecret: true)
        let text = try input.text("Session", length: 20...4096, isSecret: true)
        let code = try input.requiredText("UserCode", length: 6...6, pattern: .softwareCode, isSecret: true)
        // The name of the device is only shown by apps.
        _ = try input.text("FriendlyDeviceName", length: 0...131_072)
        try input.check()
        let subject = try await subject(accessToken: token, session: text)
        let mismatch = UserPoolError("EnableSoftwareTokenMFAException", "Code mismatch and fail enable Software Token MFA")
        guard let seed = subject.user.softwareToken?.newest,
            let counter = UserPoolUser.SoftwareToken(seed: seed).counter(ofCode: code, at: http.arrived)
        else { throw mismatch }
        let isSetUp = subject.session != nil
        let changed = try await change(subject.user) { user in
            // Another token may have been associated meanwhile.
            guard var token = user.softwareToken, constantTimeEquals(token.newest, seed) else { return }
            (token.seed, token.pending) = (seed, nil)
            (token.isVerified, token.lastCounter) = (true, counter)
            if isSetUp { token.isEnabled = true }
            user.softwareToken = token
        }
        guard let token = changed.softwareToken, token.isVerified, constantTimeEquals(token.newest, seed) else { throw mismatch }
        var result: JSONObject = ["Status": "SUCCESS"]
        if var session = subject.session {
            session.details["verified"] = true
            result["Session"] = .string(try session.text(in: cloud))
        }
        return .object(result)
    }

    /// SetUserMFAPreference.
    mutating func setUserMFAPreference() async throws -> JSONValue? {
        let token = try accessToken()
        let preference = try MultiFactorPreference(&input)
        try input.check()
        let holder = try await holder(ofAccessToken: token)
        try preference.check(holder.user)
        try await change(holder.user) { preference.apply(to: &$0) }
        return [:]
    }
}

extension SignedUserPoolCall {
    /// AdminSetUserMFAPreference.
    mutating func adminSetUserMFAPreference() async throws -> JSONValue? {
        let id = try poolID()
        let name = try username()
        let preference = try MultiFactorPreference(&input)
        let user = try user(name, of: try pool(id))
        try preference.check(user)
        try await cloud.change(user) { preference.apply(to: &$0) }
        return [:]
    }
}

extension UserPoolUser.SoftwareToken {
    /// The seed that was associated last.
    fileprivate var newest: [UInt8] { pending ?? seed }
}
