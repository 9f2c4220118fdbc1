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

    /// Returns the time of a proof in the form of the clients.
    private static func timestamp(_ time: Timestamp) -> String {
        let date = CivilDate(time)
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "Fri \(months[Int(date.month) - 1]) \(date.day) \(two(date.hour)):\(two(date.minute)):\(two(date.second)) UTC \(date.year)"
    }

    /// Returns the answer to a challenge. The key is computed from the server's secret in the secret block: the arithmetic of clients has its
    /// own vectors.
    private static func proof(
        _ sandbox: UserPoolSandbox, _ challenge: UserPoolSandbox.Answer, password: String = UserPoolSandbox.password, time: Timestamp? = nil
    ) throws -> JSONObject {
        let parameters = try #require(challenge["ChallengeParameters"])
        let block = try #require(parameters["SECRET_BLOCK"]?.stringValue)
        let name = try #require(parameters["USER_ID_FOR_SRP"]?.stringValue)
        let session = try #require(UserPoolSession(secretBlock: block, in: sandbox.cloud))
        let salt = try #require(parameters["SALT"]?.stringValue.flatMap { [UInt8](hex: $0) })
        let secret = try #require(session.details["b"]?.stringValue.flatMap { [UInt8](hex: $0) })
        let verifier = try SecureRemotePassword.verifier(identity: "AbCdEf123\(name)", password: password, salt: salt)
        let key = try SecureRemotePassword.key(client: [4], secret: secret, verifier: verifier)
        let text = timestamp(time ?? sandbox.cloud.clock.wall)
        let bytes = try #require([UInt8](base64: block))
        let message = Array("AbCdEf123\(name)".utf8) + bytes + Array(text.utf8)
        return [
            "USERNAME": .string(name), "PASSWORD_CLAIM_SECRET_BLOCK": .string(block), "TIMESTAMP": .string(text),
            "PASSWORD_CLAIM_SIGNATURE": .string(hmacSHA256(key: key, message).base64),
        ]
    }

    @Test("C27: a proof of the password gives tokens once, without a session")
    func signsIn() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let challenge = try await Self.start(sandbox, "alice")
            #expect(challenge["ChallengeName"] == "PASSWORD_VERIFIER")
            #expect(challenge.session == nil)
            let proof = try Self.proof(sandbox, challenge)
            #expect(try await sandbox.respond("PASSWORD_VERIFIER", nil, proof).token("AccessToken") != nil)
            expect(
                try await sandbox.respond("PASSWORD_VERIFIER", nil, proof), "NotAuthorizedException", "Incorrect username or password.")
        }
    }

    @Test("C27: a wrong password, and the time of another day, are refused")
    func refuses() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let wrong = try Self.proof(sandbox, try await Self.start(sandbox, "alice"), password: "Wr0ngPass!")
            expect(
                try await sandbox.respond("PASSWORD_VERIFIER", nil, wrong), "NotAuthorizedException", "Incorrect username or password.")
            let old = try Self.proof(sandbox, try await Self.start(sandbox, "alice"), time: sandbox.cloud.clock.wall - .seconds(86_400))
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
            let session = try #require(UserPoolSession(secretBlock: block, in: sandbox.cloud))
            let pools = sandbox.cloud.directory.userPools
            let signIn = UserPoolSignIn(
                http: Call(.post, "/", cloud: sandbox.cloud), pool: try #require(pools.pool(UserPoolSandbox.pool)),
                client: try #require(pools.client("usual")), isAdmin: false)
            let time = Self.timestamp(sandbox.cloud.clock.wall)
            let computed = try signIn.expectedSignature(in: session, block: block, timestamp: time, of: nil, named: "ghost")
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
