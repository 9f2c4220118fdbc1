import Cloud
import Directory
import Testing
import WireFormats

@testable import CognitoFaces

@Suite("Custom sign-in")
struct UserPoolCustomAuthTests {
    /// A pool whose app allows the flow.
    private static func seed(_ triggers: String = FunctionsOfATest.all) -> String {
        UserPoolSandbox.seed(pool: triggers)
            .replacing(#""ALLOW_ADMIN_USER_PASSWORD_AUTH"]"#, with: #""ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_CUSTOM_AUTH"]"#)
    }

    /// Functions that ask one question after another until an answer is right.
    private static func riddles() -> FunctionsOfATest {
        FunctionsOfATest { source, event in
            switch source {
            case "DefineAuthChallenge_Authentication":
                let last = event["request"]?["session"]?.arrayValue?.last
                if last?["challengeResult"] == true, last?["challengeName"] == "CUSTOM_CHALLENGE" { return ["issueTokens": true] }
                return ["challengeName": "CUSTOM_CHALLENGE", "issueTokens": false, "failAuthentication": false]
            case "CreateAuthChallenge_Authentication":
                return [
                    "publicChallengeParameters": ["question": "name"], "privateChallengeParameters": ["answer": "blue"],
                    "challengeMetadata": "colour",
                ]
            case "VerifyAuthChallengeResponse_Authentication":
                let expected = event["request"]?["privateChallengeParameters"]?["answer"]
                return ["answerCorrect": .bool(event["request"]?["challengeAnswer"] == expected)]
            default: return nil
            }
        }
    }

    private static func start(
        _ sandbox: UserPoolSandbox, _ name: String = "alice", client: String = "app", with more: JSONObject = [:]
    ) async throws -> UserPoolSandbox.Answer {
        var parameters: JSONObject = ["USERNAME": .string(name)]
        for member in more.members { parameters[member.name] = member.value }
        return try await sandbox.call(
            "InitiateAuth", ["AuthFlow": "CUSTOM_AUTH", "ClientId": .string(client), "AuthParameters": .object(parameters)])
    }

    @Test("C28: functions define, create and verify challenges, and see those before")
    func rounds() async throws {
        let functions = Self.riddles()
        try await UserPoolSandbox.run(Self.seed(), functions: functions.functions) { sandbox async throws in
            let first = try await Self.start(sandbox)
            #expect(first["ChallengeName"] == "CUSTOM_CHALLENGE")
            #expect(first["ChallengeParameters"] == ["question": "name", "USERNAME": "alice"])
            #expect(functions.sources.first == "PreAuthentication_Authentication")
            let second = try await sandbox.respond("CUSTOM_CHALLENGE", first.session, ["USERNAME": "alice", "ANSWER": "red"])
            #expect(second["ChallengeName"] == "CUSTOM_CHALLENGE")
            #expect(
                functions.event("DefineAuthChallenge_Authentication")?["request"]?["session"]
                    == [["challengeName": "CUSTOM_CHALLENGE", "challengeResult": false, "challengeMetadata": "colour"]])
            expect(
                try await sandbox.respond("CUSTOM_CHALLENGE", first.session, ["USERNAME": "alice", "ANSWER": "blue"]),
                "NotAuthorizedException", "Invalid session for the user, session can only be used once.")
            expect(
                try await sandbox.respond("CUSTOM_CHALLENGE", second.session, ["USERNAME": "new", "ANSWER": "blue"]),
                "NotAuthorizedException", "Invalid session for the user.")
            let answer = try await sandbox.respond("CUSTOM_CHALLENGE", second.session, ["USERNAME": "alice", "ANSWER": "blue"])
            #expect(answer.token("AccessToken") != nil)
            #expect(functions.sources.last == "TokenGeneration_Authentication")
        }
    }

    @Test("C28: a custom sign-in can begin with SRP, and its functions see that")
    func beginsWithSRP() async throws {
        let functions = FunctionsOfATest { source, event in
            guard source == "DefineAuthChallenge_Authentication" else { return nil }
            let history = event["request"]?["session"]?.arrayValue ?? []
            return history.count == 1 ? ["challengeName": "PASSWORD_VERIFIER"] : ["failAuthentication": true]
        }
        let seed = Self.seed(FunctionsOfATest.triggers(["DefineAuthChallenge"]))
        try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
            let challenge = try await Self.start(sandbox, with: ["CHALLENGE_NAME": "SRP_A", "SRP_A": "4"])
            #expect(challenge["ChallengeName"] == "PASSWORD_VERIFIER")
            #expect(
                functions.events.last?["request"]?["session"]
                    == [["challengeName": "SRP_A", "challengeResult": true, "challengeMetadata": .null]])
            let wrong = try SRPProof.answer(sandbox, challenge, password: "Wr0ngPass!")
            expect(
                try await sandbox.respond("PASSWORD_VERIFIER", nil, wrong), "NotAuthorizedException", "Incorrect username or password.")
            #expect(functions.events.count == 1)
            let proof = try SRPProof.answer(sandbox, challenge)
            expect(
                try await sandbox.respond("PASSWORD_VERIFIER", nil, proof), "NotAuthorizedException", "Incorrect username or password.")
            #expect(functions.events.last?["request"]?["session"]?.arrayValue?.count == 2)
            expect(
                try await Self.start(sandbox, with: ["CHALLENGE_NAME": "SRP_A"]), "InvalidParameterException",
                "Missing required parameter SRP_A")
        }
    }

    @Test("C37: a pool without the functions, and challenges that Virga does not have, are refused")
    func refuses() async throws {
        try await UserPoolSandbox.run(Self.seed("")) { sandbox async throws in
            expect(
                try await Self.start(sandbox), "InvalidParameterException",
                "Custom auth lambda trigger is not configured for the user pool.")
        }
        let functions = FunctionsOfATest { source, event in
            source == "DefineAuthChallenge_Authentication" && event["userName"] == "alice" ? ["challengeName": "SMS_MFA"] : nil
        }
        let seed = Self.seed(FunctionsOfATest.triggers(["DefineAuthChallenge"]))
        try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
            expect(try await Self.start(sandbox), "UnsupportedOperationException")
            expect(try await Self.start(sandbox, "new"), "InvalidLambdaResponseException", "Unrecognizable lambda output")
            expect(try await Self.start(sandbox, "off"), "NotAuthorizedException", "User is disabled.")
            expect(try await Self.start(sandbox, "ghost"), "UserNotFoundException", "User does not exist.")
            expect(
                try await Self.start(sandbox, client: "secret"), "InvalidParameterException", "CUSTOM_AUTH is not enabled for the client.")
        }
    }

    @Test("C35: functions learn that a person does not exist where the app hides it, and tokens are not issued")
    func hidesUnknownPeople() async throws {
        let functions = Self.riddles()
        try await UserPoolSandbox.run(Self.seed(), functions: functions.functions) { sandbox async throws in
            let challenge = try await Self.start(sandbox, "ghost", client: "usual")
            #expect(challenge["ChallengeName"] == "CUSTOM_CHALLENGE")
            #expect(functions.event("DefineAuthChallenge_Authentication")?["request"]?["userNotFound"] == true)
            expect(
                try await sandbox.respond("CUSTOM_CHALLENGE", challenge.session, ["USERNAME": "ghost", "ANSWER": "blue"], client: "usual"),
                "NotAuthorizedException", "Incorrect username or password.")
        }
    }
}
