import Cloud
import Directory
import Federation
import WireFormats

/// A custom sign-in between two calls of the client.
struct CustomSignIn: Sendable {
    /// The name with which the person signs in.
    let name: String
    /// The person; `nil` for one who does not exist, where the app hides that.
    let user: UserPoolUser?
    /// The challenges so far, with their results.
    var history: [JSONValue]
    /// The client's public value of the SRP protocol, if the sign-in begins with that.
    var publicValue: String?

    /// Notes the result of a challenge.
    mutating func note(_ challenge: String, _ isCorrect: Bool, metadata: String? = nil) {
        let note: JSONValue = metadata.map { JSONValue.string($0) } ?? JSONValue.null
        history.append(["challengeName": .string(challenge), "challengeResult": .bool(isCorrect), "challengeMetadata": note])
    }

    /// The members of a session's details.
    var details: JSONObject { ["name": .string(name), "history": .array(history)] }
}

extension UserPoolSignIn {
    /// The most characters of a session. (Service model, `SessionType`.)
    private static let longestSession = 4096

    /// Begins a sign-in whose challenges functions define. (Amazon Cognito Developer Guide, "Custom authentication challenge Lambda triggers".)
    func startCustom(_ parameters: TextDictionary<String>, _ validation: JSONObject) async throws -> Outcome {
        let name = try Self.required("USERNAME", in: parameters)
        try client.check(secretHash: parameters["SECRET_HASH"], of: name)
        try triggers.checkCustomAuth()
        var publicValue: String?
        switch parameters["CHALLENGE_NAME"] {
        case nil: break
        case "SRP_A": publicValue = try Self.publicValue(in: parameters)
        case let other?: throw UserPoolError.unsupported("CHALLENGE_NAME \(other)")
        }
        let user = cloud.directory.userPools.user(signingInAs: name, in: pool)
        guard user != nil || client.hidesUnknownUsers else { throw UserPoolError.unknownUser }
        if let user { try checkCustom(user) }
        try await admit(name, validation)
        var signIn = CustomSignIn(name: name, user: user, history: [], publicValue: publicValue)
        if publicValue != nil { signIn.note("SRP_A", true) }
        return try await proceed(signIn)
    }

    private func checkCustom(_ user: UserPoolUser) throws(UserPoolError) {
        http.note(caller: "\(pool.arn)/\(user.username)")
        guard user.isEnabled else { throw .disabledUser }
        guard user.status != .unconfirmed else { throw .unconfirmedUser }
        // People of identity providers sign in with those only.
        guard user.status != .externalProvider else { throw .wrongPassword }
    }

    /// Continues as a function decides: with a challenge, with tokens, or with an error.
    func proceed(_ signIn: CustomSignIn) async throws -> Outcome {
        let decision = try await triggers.defineAuthChallenge(for: signIn.user, named: signIn.name, after: signIn.history)
        switch decision {
        case .fail: throw UserPoolError.wrongPassword
        case .issueTokens:
            guard let user = signIn.user else { throw UserPoolError.wrongPassword }
            try checkCustom(try present(user))
            return .signedIn(user)
        case .challenge("CUSTOM_CHALLENGE"): return try await customChallenge(signIn)
        case .challenge("PASSWORD_VERIFIER"):
            guard let publicValue = signIn.publicValue else { throw UserPoolError.invalidParameter("Missing required parameter SRP_A") }
            return .challenge(
                try passwordVerifier(for: signIn.user, named: signIn.name, publicValue: publicValue, details: signIn.details))
        case .challenge(let other): throw UserPoolError.unsupported("the challenge \(other) of DefineAuthChallenge")
        }
    }

    private func customChallenge(_ signIn: CustomSignIn) async throws -> Outcome {
        let made = try await triggers.createAuthChallenge(for: signIn.user, named: signIn.name, after: signIn.history)
        var details = signIn.details
        details["private"] = .object(made.privateParameters)
        if let metadata = made.metadata { details["metadata"] = .string(metadata) }
        let session = try UserPoolSession(
            challenge: "CUSTOM_CHALLENGE", client: client, sub: signIn.user?.sub ?? "", issued: cloud.clock.now, details: details)
        let text = try session.text(in: cloud)
        guard text.utf8.count <= Self.longestSession else {
            http.note(cause: "The private parameters and the metadata of the challenges are too long for a session.")
            throw UserPoolTriggerResponse.unrecognizable
        }
        var parameters = made.publicParameters
        parameters["USERNAME"] = .string(signIn.user?.username ?? PretendedUser(signIn.name, in: pool, of: cloud).username)
        return .challenge(["ChallengeName": "CUSTOM_CHALLENGE", "Session": .string(text), "ChallengeParameters": .object(parameters)])
    }

    /// Lets a function check the answer to its challenge, and continues.
    func answerCustomChallenge(_ text: String?, _ responses: TextDictionary<String>) async throws -> Outcome {
        let name = try Self.required("USERNAME", in: responses)
        try client.check(secretHash: responses["SECRET_HASH"], of: name)
        let answer = try Self.required("ANSWER", in: responses)
        guard let text else { throw UserPoolError.invalidParameter("Missing required parameter Session") }
        guard let session = UserPoolSession(text: text, in: cloud), session.challenge == "CUSTOM_CHALLENGE", session.client == client.id,
            var signIn = customSignIn(of: session, as: name)
        else { throw UserPoolError.invalidSession }
        guard !session.hasExpired(at: client, in: cloud) else { throw UserPoolError.expiredSession }
        if let user = signIn.user { try checkCustom(user) }
        guard session.use(in: cloud) else { throw UserPoolError.usedSession }
        let isCorrect = try await triggers.verifyAuthChallenge(
            for: signIn.user, named: signIn.name, answer: answer, session.details["private"]?.objectValue ?? [:])
        signIn.note("CUSTOM_CHALLENGE", isCorrect, metadata: session.details["metadata"]?.stringValue)
        return try await proceed(signIn)
    }

    /// Returns the custom sign-in of a session; `nil` if it has none, or if the name is that of another person.
    func customSignIn(of session: UserPoolSession, as name: String) -> CustomSignIn? {
        guard let history = session.details["history"]?.arrayValue, let first = session.details["name"]?.stringValue else { return nil }
        let named = cloud.directory.userPools.user(signingInAs: name, in: pool)
        guard !session.sub.isEmpty else {
            let pretended = PretendedUser(first, in: pool, of: cloud).username
            return named == nil && (name == first || name == pretended) ? CustomSignIn(name: first, user: nil, history: history) : nil
        }
        guard let user = cloud.directory.userPools.user(sub: session.sub, in: pool.id), named?.sub == user.sub else { return nil }
        return CustomSignIn(name: first, user: user, history: history)
    }
}
