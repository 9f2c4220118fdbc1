import Cloud
import Cryptography
import Directory
import Testing
import WireFormats

@testable import CognitoFaces

@Suite("What people of user pools cannot take from others")
struct UserPoolTakeoverTests {
    private static func attributes(_ name: String, _ value: String) -> JSONValue { [["Name": .string(name), "Value": .string(value)]] }

    private static func accessToken(_ sandbox: UserPoolSandbox) async throws -> JSONValue {
        .string(try #require(try await sandbox.signIn().token("AccessToken")))
    }

    /// A pool in which `new` was invited with a verified address.
    private static let invited = UserPoolSandbox.seed()
        .replacing(
            #"status: "FORCE_CHANGE_PASSWORD""#,
            with: #"status: "FORCE_CHANGE_PASSWORD", attributes: {email: "new@company.example", email_verified: "true"}"#)

    @Test("C28: an invited person keeps the address of the invitation")
    func keepsAddress() async throws {
        try await UserPoolSandbox.run(Self.invited) { sandbox async throws in
            let session = try await sandbox.signIn("new", "Temp0rary!").session
            var responses: JSONObject = [
                "USERNAME": "new", "NEW_PASSWORD": "An0ther-One", "userAttributes.email": "victim@company.example",
            ]
            expect(
                try await sandbox.respond("NEW_PASSWORD_REQUIRED", session, responses), "NotAuthorizedException",
                "Cannot modify an already provided email")
            responses["userAttributes.email"] = nil
            responses["userAttributes.phone_number"] = "+15550100"
            #expect(try await sandbox.respond("NEW_PASSWORD_REQUIRED", session, responses).token("AccessToken") != nil)
            let user = try sandbox.user("new")
            #expect(user[attribute: "email"] == "new@company.example")
            #expect(user.isVerified("email"))
            #expect(user[attribute: "phone_number"] == "+15550100")
            #expect(!user.isVerified("phone_number"))
        }
    }

    @Test("C30: a code verifies only the address that it was sent to")
    func verifiesTheAddressOfTheCode() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let token = try await Self.accessToken(sandbox)
            for round in 1...20 {
                let own = "own\(round)@company.example"
                _ = try await sandbox.call(
                    "UpdateUserAttributes", ["AccessToken": token, "UserAttributes": Self.attributes("email", own)])
                let code = try #require(try sandbox.user("alice").codes.last).code
                async let verified = sandbox.call(
                    "VerifyUserAttribute", ["AccessToken": token, "AttributeName": "email", "Code": .string(code)])
                async let updated = sandbox.call(
                    "UpdateUserAttributes",
                    ["AccessToken": token, "UserAttributes": Self.attributes("email", "victim@company.example")])
                _ = try await (verified, updated)
                let user = try sandbox.user("alice")
                #expect(user[attribute: "email"] == "victim@company.example")
                #expect(!user.isVerified("email"))
            }
        }
    }

    @Test("C30: an address that is deleted is not verified any more")
    func deletes() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let token = try await Self.accessToken(sandbox)
            #expect(try await sandbox.call("DeleteUserAttributes", ["AccessToken": token, "UserAttributeNames": ["email"]]).status == 200)
            #expect(try sandbox.user("alice")[attribute: "email_verified"] == nil)
        }
    }

    @Test("C30: nobody signs up with the sub or an alias of another person")
    func keepsNames() async throws {
        let seed = UserPoolSandbox.seed(pool: #"aliasAttributes: ["phone_number", "preferred_username"]"#)
            .replacing(#""custom:team": "red""#, with: #""custom:team": "red", preferred_username: "queen""#)
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            func signUp(_ name: String, _ attribute: String = "name", _ value: String = "x") async throws -> UserPoolSandbox.Answer {
                try await sandbox.call(
                    "SignUp",
                    [
                        "ClientId": "app", "Username": .string(name), "Password": "Passw0rd!",
                        "UserAttributes": Self.attributes(attribute, value),
                    ])
            }
            expect(try await signUp(try sandbox.user("alice").sub), "UsernameExistsException", "User already exists")
            expect(try await signUp("queen"), "UsernameExistsException", "User already exists")
            expect(
                try await signUp("+15550100"), "InvalidParameterException",
                "Username cannot be of phone number format, since user pool is configured for phone number alias.")
            expect(try await signUp("bob", "preferred_username", "alice"), "AliasExistsException")
            expect(
                try await sandbox.admin("AdminCreateUser", ["Username": .string(try sandbox.user("alice").sub)]),
                "UsernameExistsException", "User account already exists")
            #expect(try await signUp("bob").status == 200)
        }
    }

    // MARK: Second factors

    private static func code(_ sandbox: UserPoolSandbox, pending: Bool = false, steps: Int64 = 0) throws -> JSONValue {
        let token = try #require(try sandbox.user("alice").softwareToken)
        let seed = pending ? try #require(token.pending) : token.seed
        return .string(
            OneTimePassword.password(
                seed: seed, counter: OneTimePassword.counter(atSeconds: sandbox.cloud.clock.wall.seconds) + steps))
    }

    @Test("C31: another software token replaces the verified one when it is verified")
    func replacesTokens() async throws {
        let seed = UserPoolSandbox.seed(pool: #"multiFactor: "OPTIONAL", softwareTokens: true"#)
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            let token = try await Self.accessToken(sandbox)
            _ = try await sandbox.call("AssociateSoftwareToken", ["AccessToken": token])
            let code = try Self.code(sandbox)
            #expect(try await sandbox.call("VerifySoftwareToken", ["AccessToken": token, "UserCode": code]).status == 200)
            #expect(
                try await sandbox.call(
                    "SetUserMFAPreference", ["AccessToken": token, "SoftwareTokenMfaSettings": ["Enabled": true]]
                ).status == 200)
            let first = try #require(try sandbox.user("alice").softwareToken).seed
            _ = try await sandbox.call("AssociateSoftwareToken", ["AccessToken": token])
            #expect(try sandbox.user("alice").softwareToken?.seed == first)
            #expect(try await sandbox.signIn()["ChallengeName"] == "SOFTWARE_TOKEN_MFA")
            let next = try Self.code(sandbox, pending: true)
            #expect(try await sandbox.call("VerifySoftwareToken", ["AccessToken": token, "UserCode": next]).status == 200)
            let second = try #require(try sandbox.user("alice").softwareToken)
            #expect(second.seed != first)
            #expect(second.pending == nil)
            #expect(second.isEnabled)
        }
    }

    @Test("C31: the session of a set-up does not replace the second factor")
    func keepsToken() async throws {
        try await UserPoolSandbox.run(UserPoolSandbox.seed(pool: #"multiFactor: "ON", softwareTokens: true"#)) { sandbox async throws in
            let session = JSONValue.string(try #require(try await sandbox.signIn().session))
            _ = try await sandbox.call("AssociateSoftwareToken", ["Session": session])
            let code = try Self.code(sandbox)
            #expect(try await sandbox.call("VerifySoftwareToken", ["Session": session, "UserCode": code]).status == 200)
            expect(
                try await sandbox.call("AssociateSoftwareToken", ["Session": session]), "NotAuthorizedException",
                "Invalid session for the user.")
        }
    }

    @Test("C31: one code answers one of several sessions")
    func usesCodesOnce() async throws {
        let seed = UserPoolSandbox.seed(pool: #"multiFactor: "ON", softwareTokens: true"#)
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            let setUp = JSONValue.string(try #require(try await sandbox.signIn().session))
            _ = try await sandbox.call("AssociateSoftwareToken", ["Session": setUp])
            _ = try await sandbox.call("VerifySoftwareToken", ["Session": setUp, "UserCode": try Self.code(sandbox)])
            let responses: JSONObject = ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": try Self.code(sandbox, steps: 1)]
            let (first, second) = (try await sandbox.signIn().session, try await sandbox.signIn().session)
            async let one = sandbox.respond("SOFTWARE_TOKEN_MFA", first, responses)
            async let other = sandbox.respond("SOFTWARE_TOKEN_MFA", second, responses)
            let tokens = try await [one, other].compactMap { $0.token("AccessToken") }
            #expect(tokens.count == 1)
        }
    }
}
