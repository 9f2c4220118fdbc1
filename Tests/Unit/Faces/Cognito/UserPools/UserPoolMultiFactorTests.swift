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

    /// A pool in which `new` has a phone number and an address of mail.
    private static func seed(_ pool: String) -> String {
        UserPoolSandbox.seed(pool: pool)
            .replacing(
                #"{username: "new", password: "Temp0rary!", status: "FORCE_CHANGE_PASSWORD"}"#,
                with: #"""
                    {username: "new", password: "Passw0rd!",
                     attributes: {phone_number: "+15550100", email: "new@company.example", email_verified: "true"}}
                    """#)
    }

    private static func sent(_ sandbox: UserPoolSandbox, _ name: String = "new") throws -> UserPoolCode {
        try #require(try sandbox.user(name).codes.first { $0.purpose == .multiFactor })
    }

    @Test("C31: a code by SMS is sent, accepted once, and only the newest")
    func codesBySMS() async throws {
        try await UserPoolSandbox.run(Self.seed(#"multiFactor: "ON", messageFactors: ["SMS_MFA"]"#)) { sandbox async throws in
            let old = try await sandbox.signIn("new")
            #expect(old["ChallengeName"] == "SMS_MFA")
            let first = try Self.sent(sandbox)
            #expect(first.destination == "+15550100")
            #expect(first.expires - first.sent == .seconds(180))
            let challenge = try await sandbox.signIn("new")
            #expect(
                challenge["ChallengeParameters"] == [
                    "USER_ID_FOR_SRP": "new", "CODE_DELIVERY_DELIVERY_MEDIUM": "SMS", "CODE_DELIVERY_DESTINATION": "+*******0100",
                ])
            func answer(_ code: String, _ session: String?) async throws -> UserPoolSandbox.Answer {
                try await sandbox.respond("SMS_MFA", session, ["USERNAME": "new", "SMS_MFA_CODE": .string(code)])
            }
            let mismatch = "Invalid code or auth state for the user."
            expect(try await answer("wrong", challenge.session), "CodeMismatchException", mismatch)
            let code = try Self.sent(sandbox).code
            if code != first.code { expect(try await answer(first.code, challenge.session), "CodeMismatchException", mismatch) }
            #expect(try await answer(code, challenge.session).token("AccessToken") != nil)
            expect(try await answer(code, old.session), "CodeMismatchException", mismatch)
            #expect(try sandbox.user("new").codes.isEmpty)
        }
    }

    @Test("C31: who has several second factors selects one, unless one is preferred")
    func selects() async throws {
        let seed = Self.seed(#"multiFactor: "OPTIONAL", messageFactors: ["SMS_MFA", "EMAIL_OTP"]"#)
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            let token = JSONValue.string(try #require(try await sandbox.signIn("new").token("AccessToken")))
            let enabled: JSONValue = ["Enabled": true]
            _ = try await sandbox.call(
                "SetUserMFAPreference", ["AccessToken": token, "SMSMfaSettings": enabled, "EmailMfaSettings": enabled])
            #expect(try await sandbox.call("GetUser", ["AccessToken": token])["UserMFASettingList"] == ["SMS_MFA", "EMAIL_OTP"])
            let choice = try await sandbox.signIn("new")
            #expect(choice["ChallengeName"] == "SELECT_MFA_TYPE")
            #expect(choice["ChallengeParameters"]?["MFAS_CAN_CHOOSE"] == #"["SMS_MFA","EMAIL_OTP"]"#)
            expect(
                try await sandbox.respond("SELECT_MFA_TYPE", choice.session, ["USERNAME": "new", "ANSWER": "SOFTWARE_TOKEN_MFA"]),
                "InvalidParameterException")
            let challenge = try await sandbox.respond("SELECT_MFA_TYPE", choice.session, ["USERNAME": "new", "ANSWER": "EMAIL_OTP"])
            #expect(challenge["ChallengeName"] == "EMAIL_OTP")
            #expect(challenge["ChallengeParameters"]?["CODE_DELIVERY_DESTINATION"] == "n***@c***")
            let code = JSONValue.string(try Self.sent(sandbox).code)
            let answer = try await sandbox.respond("EMAIL_OTP", challenge.session, ["USERNAME": "new", "EMAIL_OTP_CODE": code])
            #expect(answer.token("AccessToken") != nil)
            let preferred: JSONValue = ["Enabled": true, "PreferredMfa": true]
            _ = try await sandbox.admin("AdminSetUserMFAPreference", ["Username": "new", "SMSMfaSettings": preferred])
            #expect(try await sandbox.call("GetUser", ["AccessToken": token])["PreferredMfaSetting"] == "SMS_MFA")
            #expect(try await sandbox.signIn("new")["ChallengeName"] == "SMS_MFA")
            // alice has no phone number, and chose nothing.
            #expect(try await sandbox.signIn().token("AccessToken") != nil)
            expect(
                try await sandbox.admin("AdminSetUserMFAPreference", ["Username": "alice", "SMSMfaSettings": preferred]),
                "InvalidParameterException", "User does not have delivery config set to turn on SMS_MFA")
        }
    }

    @Test("C31: who lacks the only second factor of a pool cannot set up another one")
    func setsUpNoOther() async throws {
        try await UserPoolSandbox.run(Self.seed(#"multiFactor: "ON", messageFactors: ["SMS_MFA"]"#)) { sandbox async throws in
            let challenge = try await sandbox.signIn()
            #expect(challenge["ChallengeName"] == "MFA_SETUP")
            #expect(challenge["ChallengeParameters"]?["MFAS_CAN_SETUP"] == #"["SMS_MFA"]"#)
            expect(
                try await sandbox.call("AssociateSoftwareToken", ["Session": .string(try #require(challenge.session))]),
                "SoftwareTokenMFANotFoundException")
            expect(
                try await sandbox.respond("MFA_SETUP", challenge.session, ["USERNAME": "alice"]), "NotAuthorizedException",
                "Invalid session for the user.")
        }
    }

    @Test("C31: the settings of second factors are kept and returned, and their messages are used")
    func settings() async throws {
        try await UserPoolSandbox.run(Self.seed("")) { sandbox async throws in
            let sms: JSONValue = [
                "SmsAuthenticationMessage": "Code {####}",
                "SmsConfiguration": ["SnsCallerArn": .string("arn:aws:iam::\(UserPoolSandbox.account):role/sms")],
            ]
            let mail: JSONValue = ["Message": "Your code is {####}", "Subject": "Sign in"]
            expect(
                try await sandbox.admin("SetUserPoolMfaConfig", ["MfaConfiguration": "ON", "EmailMfaConfiguration": mail]),
                "InvalidParameterException")
            expect(
                try await sandbox.admin("SetUserPoolMfaConfig", ["MfaConfiguration": "ON", "SmsMfaConfiguration": [:]]),
                "InvalidParameterException")
            let source = JSONValue.string("arn:aws:ses:us-east-1:\(UserPoolSandbox.account):identity/company.example")
            let sender: JSONValue = ["EmailSendingAccount": "DEVELOPER", "SourceArn": source]
            #expect(try await sandbox.admin("UpdateUserPool", ["EmailConfiguration": sender]).status == 200)
            #expect(try await sandbox.admin("DescribeUserPool", [:])["UserPool"]?["EmailConfiguration"] == sender)
            let set = try await sandbox.admin(
                "SetUserPoolMfaConfig", ["MfaConfiguration": "ON", "SmsMfaConfiguration": sms, "EmailMfaConfiguration": mail])
            #expect(set.body == ["MfaConfiguration": "ON", "SmsMfaConfiguration": sms, "EmailMfaConfiguration": mail])
            #expect(try await sandbox.admin("GetUserPoolMfaConfig", [:]).body == set.body)
            #expect(try await sandbox.signIn()["ChallengeName"] == "EMAIL_OTP")
            let code = try Self.sent(sandbox, "alice")
            #expect(code.message == "Your code is \(code.code)")
            #expect(code.subject == "Sign in")
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
