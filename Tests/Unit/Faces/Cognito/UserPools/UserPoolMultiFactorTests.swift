import Cloud
import Cryptography
import Directory
import Testing
import WireFormats

@testable import CognitoFaces

@Suite("Second factors of user pools")
struct UserPoolMultiFactorTests {
    /// Returns the code that an app shows now.
    private static func code(_ sandbox: UserPoolSandbox, steps: Int64 = 0) throws -> String {
        let seed = try #require(try sandbox.user("alice").softwareToken).seed
        return OneTimePassword.password(
            seed: seed, counter: OneTimePassword.counter(atSeconds: sandbox.cloud.clock.wall.seconds) + steps)
    }

    @Test("C31: a pool that needs a second factor has it set up at sign-in, with the session of the verification")
    func setsUp() async throws {
        try await UserPoolSandbox.run(UserPoolSandbox.seed(pool: #"multiFactor: "ON", softwareTokens: true"#)) { sandbox async throws in
            let challenge = try await sandbox.signIn()
            #expect(challenge["ChallengeName"] == "MFA_SETUP")
            #expect(challenge["ChallengeParameters"]?["MFAS_CAN_SETUP"] == #"["SOFTWARE_TOKEN_MFA"]"#)
            let session = JSONValue.string(try #require(challenge.session))
            expect(
                try await sandbox.respond("MFA_SETUP", challenge.session, ["USERNAME": "alice"]), "NotAuthorizedException",
                "Invalid session for the user.")
            let associated = try await sandbox.call("AssociateSoftwareToken", ["Session": session])
            #expect(associated["SecretCode"]?.stringValue?.utf8.count == 52)
            expect(
                try await sandbox.call("VerifySoftwareToken", ["Session": session, "UserCode": "000000"]),
                "EnableSoftwareTokenMFAException")
            let verified = try await sandbox.call(
                "VerifySoftwareToken",
                [
                    "Session": .string(try #require(associated.session)), "UserCode": .string(try Self.code(sandbox)),
                    "FriendlyDeviceName": "phone",
                ])
            #expect(verified["Status"] == "SUCCESS")
            let answer = try await sandbox.respond("MFA_SETUP", verified.session, ["USERNAME": "alice"])
            #expect(answer.token("AccessToken") != nil)
        }
    }

    @Test("C31: a code is accepted once, and one step early")
    func usesOnce() async throws {
        let seed = UserPoolSandbox.seed(pool: #"multiFactor: "OPTIONAL", softwareTokens: true"#)
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            let token = JSONValue.string(try #require(try await sandbox.signIn().token("AccessToken")))
            let settings: JSONValue = ["Enabled": true, "PreferredMfa": true]
            expect(
                try await sandbox.call("SetUserMFAPreference", ["AccessToken": token, "SoftwareTokenMfaSettings": settings]),
                "InvalidParameterException", "User has not verified software token mfa")
            _ = try await sandbox.call("AssociateSoftwareToken", ["AccessToken": token])
            let code = try Self.code(sandbox)
            #expect(
                try await sandbox.call("VerifySoftwareToken", ["AccessToken": token, "UserCode": .string(code)])["Status"] == "SUCCESS")
            #expect(try await sandbox.signIn().token("AccessToken") != nil)
            #expect(
                try await sandbox.call("SetUserMFAPreference", ["AccessToken": token, "SoftwareTokenMfaSettings": settings]).body == [:])
            #expect(try await sandbox.call("GetUser", ["AccessToken": token])["PreferredMfaSetting"] == "SOFTWARE_TOKEN_MFA")
            let challenge = try await sandbox.signIn()
            #expect(challenge["ChallengeName"] == "SOFTWARE_TOKEN_MFA")
            expect(
                try await sandbox.respond(
                    "SOFTWARE_TOKEN_MFA", challenge.session, ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": .string(code)]),
                "ExpiredCodeException", "Your software token has already been used once.")
            expect(
                try await sandbox.respond(
                    "SOFTWARE_TOKEN_MFA", challenge.session, ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": "wrong"]),
                "CodeMismatchException")
            let next = JSONValue.string(try Self.code(sandbox, steps: 1))
            let answer = try await sandbox.respond(
                "SOFTWARE_TOKEN_MFA", challenge.session, ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": next])
            #expect(answer.token("AccessToken") != nil)
        }
    }
}
