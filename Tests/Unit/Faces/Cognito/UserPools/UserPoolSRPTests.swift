import Calls
import Cloud
import Cryptography
import Directory
import Fixtures
import HTTPTypes
import Testing
import WireFormats

@testable import CognitoFaces

@Suite("Sign-in by SRP")
struct UserPoolSRPTests {
    private static func start(_ sandbox: UserPoolSandbox, _ name: String, client: String = "app", a: String? = "4")
        async throws -> UserPoolSandbox.Answer
    {
        var parameters: JSONObject = ["USERNAME": .string(name)]
        if let a { parameters["SRP_A"] = .string(a) }
        return try await sandbox.call(
            "InitiateAuth", ["AuthFlow": "USER_SRP_AUTH", "ClientId": .string(client), "AuthParameters": .object(parameters)])
    }

    @Test("C27: a proof of the password gives tokens once, without a session")
    func signsIn() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let challenge = try await Self.start(sandbox, "alice")
            #expect(challenge["ChallengeName"] == "PASSWORD_VERIFIER")
            #expect(challenge.session == nil)
            let proof = try SRPProof.answer(sandbox, challenge)
            #expect(try await sandbox.respond("PASSWORD_VERIFIER", nil, proof).token("AccessToken") != nil)
            expect(
                try await sandbox.respond("PASSWORD_VERIFIER", nil, proof), "NotAuthorizedException", "Incorrect username or password.")
        }
    }

    @Test("C27: a wrong password, and the time of another day, are refused")
    func refuses() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let wrong = try SRPProof.answer(sandbox, try await Self.start(sandbox, "alice"), password: "Wr0ngPass!")
            expect(
                try await sandbox.respond("PASSWORD_VERIFIER", nil, wrong), "NotAuthorizedException", "Incorrect username or password.")
            let old = try SRPProof.answer(
                sandbox, try await Self.start(sandbox, "alice"), time: sandbox.cloud.clock.wall - .seconds(86_400))
            expect(
                try await sandbox.respond("PASSWORD_VERIFIER", nil, old), "NotAuthorizedException", "Incorrect username or password.")
        }
    }

    @Test("C27: the public value of the client is required; 0 has a challenge but no proof")
    func publicValues() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(
                try await Self.start(sandbox, "alice", a: nil), "InvalidParameterException", "Missing required parameter SRP_A")
            #expect(try await Self.start(sandbox, "alice", a: "0")["ChallengeName"] == "PASSWORD_VERIFIER")
        }
    }

    @Test("C35: an unknown person has a stable salt where the client hides them, and an error elsewhere")
    func hidesUnknownPeople() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(try await Self.start(sandbox, "ghost"), "UserNotFoundException", "User does not exist.")
            let first = try await Self.start(sandbox, "ghost", client: "usual")
            let second = try await Self.start(sandbox, "ghost", client: "usual")
            #expect(first["ChallengeName"] == "PASSWORD_VERIFIER")
            #expect(first["ChallengeParameters"]?["SALT"] == second["ChallengeParameters"]?["SALT"])
            #expect(first["ChallengeParameters"]?["SRP_B"] != second["ChallengeParameters"]?["SRP_B"])
        }
    }

    @Test("C35: the proof of an unknown person is computed as that of others, and never accepted")
    func computesUnknownPeople() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let challenge = try await Self.start(sandbox, "ghost", client: "usual")
            let block = try #require(challenge["ChallengeParameters"]?["SECRET_BLOCK"]?.stringValue)
            let pools = sandbox.cloud.directory.userPools
            let signIn = UserPoolSignIn(
                http: Call(.post, "/", cloud: sandbox.cloud), pool: try #require(pools.pool(UserPoolSandbox.pool)),
                client: try #require(pools.client("usual")), functions: .absent)
            let time = SRPProof.timestamp(sandbox.cloud.clock.wall)
            let responses: TextDictionary<String> = [
                "USERNAME": "ghost", "PASSWORD_CLAIM_SECRET_BLOCK": block, "TIMESTAMP": time, "PASSWORD_CLAIM_SIGNATURE": "none",
            ]
            let presented = try signIn.presentedProof("PASSWORD_VERIFIER", responses)
            let computed = try signIn.expectedSignature(of: presented, from: nil, named: "ghost")
            let signature = try #require(computed)
            let proof: JSONObject = [
                "USERNAME": "ghost", "PASSWORD_CLAIM_SECRET_BLOCK": .string(block), "TIMESTAMP": .string(time),
                "PASSWORD_CLAIM_SIGNATURE": .string(signature),
            ]
            expect(
                try await sandbox.respond("PASSWORD_VERIFIER", nil, proof, client: "usual"), "NotAuthorizedException",
                "Incorrect username or password.")
        }
    }

    @Test("C27: the stored record has no password")
    func storesNoPassword() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let password = try #require(try sandbox.user("alice").password)
            #expect(password.salt.count == 16)
            #expect(password.verifier.count == 384)
        }
    }
}
