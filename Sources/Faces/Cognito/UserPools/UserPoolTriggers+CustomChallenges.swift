import Directory
import WireFormats

/// What a function decides about a custom sign-in.
enum CustomAuthDecision: Sendable {
    case issueTokens
    case fail
    /// The name of the next challenge.
    case challenge(String)
}

/// What a function makes of a challenge.
struct CustomChallenge: Sendable {
    /// What the client receives.
    var publicParameters: JSONObject
    /// What the function that checks the answer receives.
    var privateParameters: JSONObject
    /// A note about the challenge for the later calls.
    var metadata: String?
}

extension UserPoolTriggers {
    /// Returns the member `request` that the three functions have in common.
    /// - Parameter user: the person; `nil` for one who does not exist, which only apps that hide that pass.
    private func request(about user: UserPoolUser?) -> JSONObject {
        var request: JSONObject = ["userAttributes": .object(user?.eventAttributes ?? [:])]
        if client?.hidesUnknownUsers == true { request["userNotFound"] = .bool(user == nil) }
        return request
    }

    /// The error for a pool without one of the functions. (aws-amplify/amplify-ui issue 3452.)
    private static let unconfigured = UserPoolError.invalidParameter("Custom auth lambda trigger is not configured for the user pool.")

    /// Checks that the pool has the function with which custom sign-ins begin.
    func checkCustomAuth() throws(UserPoolError) {
        guard has(.defineAuthChallenge) else { throw Self.unconfigured }
    }

    /// Lets a function decide how a custom sign-in continues.
    /// - Parameter history: the challenges so far, with their results.
    func defineAuthChallenge(for user: UserPoolUser?, named name: String, after history: [JSONValue]) async throws -> CustomAuthDecision {
        var request = request(about: user)
        request["session"] = .array(history)
        let response: JSONObject = ["challengeName": .null, "issueTokens": .null, "failAuthentication": .null]
        let result = try await call(
            .defineAuthChallenge, "Authentication", of: user?.username ?? name, request: request, response: response)
        guard let result else { throw Self.unconfigured }
        if try result.flag("failAuthentication") { return .fail }
        if try result.flag("issueTokens") { return .issueTokens }
        guard let challenge = try result.text("challengeName") else { throw UserPoolTriggerResponse.unrecognizable }
        return .challenge(challenge)
    }

    /// Lets a function make a challenge.
    func createAuthChallenge(for user: UserPoolUser?, named name: String, after history: [JSONValue]) async throws -> CustomChallenge {
        var request = request(about: user)
        request["challengeName"] = "CUSTOM_CHALLENGE"
        request["session"] = .array(history)
        let response: JSONObject = ["publicChallengeParameters": .null, "privateChallengeParameters": .null, "challengeMetadata": .null]
        let result = try await call(
            .createAuthChallenge, "Authentication", of: user?.username ?? name, request: request, response: response)
        guard let result else { throw Self.unconfigured }
        return CustomChallenge(
            publicParameters: try result.textMap("publicChallengeParameters"),
            privateParameters: try result.textMap("privateChallengeParameters"), metadata: try result.text("challengeMetadata"))
    }

    /// Lets a function check an answer.
    /// - Parameter parameters: what the function that made the challenge kept from the client.
    func verifyAuthChallenge(
        for user: UserPoolUser?, named name: String, answer: String, _ parameters: JSONObject
    ) async throws -> Bool {
        var request = request(about: user)
        request["privateChallengeParameters"] = .object(parameters)
        request["challengeAnswer"] = .string(answer)
        let result = try await call(
            .verifyAuthChallengeResponse, "Authentication", of: user?.username ?? name, request: request,
            response: ["answerCorrect": .null])
        guard let result else { throw Self.unconfigured }
        return try result.flag("answerCorrect")
    }
}
