import Cloud
import Directory
import Testing
import WireFormats

@testable import CognitoFaces

@Suite("Sign-up at user pools, and codes")
struct UserPoolSignUpTests {
    private static func signUp(
        _ sandbox: UserPoolSandbox, _ name: String = "bob", _ password: String = "Passw0rd!", mail: String = "bob@company.example",
        _ more: JSONObject = [:]
    ) async throws -> UserPoolSandbox.Answer {
        var members: JSONObject = [
            "ClientId": "app", "Username": .string(name), "Password": .string(password),
            "UserAttributes": [["Name": "email", "Value": .string(mail)]],
        ]
        for (name, value) in more.members { members[name] = value }
        return try await sandbox.call("SignUp", members)
    }

    private static func code(_ sandbox: UserPoolSandbox, of name: String) throws -> JSONValue {
        .string(try #require(try sandbox.user(name).codes.last).code)
    }

    @Test("C30: a person signs up, confirms with the code that was sent, and signs in")
    func signsUp() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await Self.signUp(sandbox)
            #expect(answer["UserConfirmed"] == false)
            #expect(
                answer["CodeDeliveryDetails"] == ["AttributeName": "email", "DeliveryMedium": "EMAIL", "Destination": "b***@c***"])
            let bob = try sandbox.user("bob")
            #expect(answer["UserSub"]?.stringValue == bob.sub)
            expect(try await sandbox.signIn("bob"), "UserNotConfirmedException", "User is not confirmed.")
            let confirmation: JSONObject = ["ClientId": "app", "Username": "bob"]
            var wrong = confirmation
            wrong["ConfirmationCode"] = "nothing"
            expect(
                try await sandbox.call("ConfirmSignUp", wrong), "CodeMismatchException",
                "Invalid verification code provided, please try again.")
            var good = confirmation
            good["ConfirmationCode"] = try Self.code(sandbox, of: "bob")
            #expect(try await sandbox.call("ConfirmSignUp", good).body == [:])
            #expect(try sandbox.user("bob").isVerified("email"))
            #expect(try await sandbox.signIn("bob").status == 200)
        }
    }

    @Test("C30: what is refused at sign-up")
    func refuses() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(try await Self.signUp(sandbox, "alice"), "UsernameExistsException", "User already exists")
            expect(
                try await Self.signUp(sandbox, "bob", "password"), "InvalidPasswordException",
                "Password does not conform to policy: Password must have uppercase characters")
            expect(
                try await Self.signUp(sandbox, "bob", "short"), "InvalidParameterException",
                """
                1 validation error detected: Value at 'password' failed to satisfy constraint: Member must have length greater than or \
                equal to 6
                """)
            expect(
                try await Self.signUp(sandbox, ["UserAttributes": [["Name": "custom:none", "Value": "x"]]]),
                "InvalidParameterException")
        }
    }

    private static func signUp(_ sandbox: UserPoolSandbox, _ more: JSONObject) async throws -> UserPoolSandbox.Answer {
        try await signUp(sandbox, "bob", "Passw0rd!", mail: "bob@company.example", more)
    }

    @Test("C30: a code expires by the clock, and another one can be sent")
    func resends() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            _ = try await Self.signUp(sandbox, "bob")
            let old = try Self.code(sandbox, of: "bob")
            try await sandbox.cloud.age(by: .seconds(90_000))
            expect(
                try await sandbox.call("ConfirmSignUp", ["ClientId": "app", "Username": "bob", "ConfirmationCode": old]),
                "ExpiredCodeException", "Invalid code provided, please request a code again.")
            let sent = try await sandbox.call("ResendConfirmationCode", ["ClientId": "app", "Username": "bob"])
            #expect(sent["CodeDeliveryDetails"]?["Destination"] == "b***@c***")
            let new = try Self.code(sandbox, of: "bob")
            #expect(
                try await sandbox.call("ConfirmSignUp", ["ClientId": "app", "Username": "bob", "ConfirmationCode": new]).status == 200)
        }
    }

    @Test("C30: a forgotten password is set with a code")
    func forgets() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let sent = try await sandbox.call("ForgotPassword", ["ClientId": "app", "Username": "alice"])
            #expect(sent["CodeDeliveryDetails"]?["Destination"] == "a***@c***")
            let code = try Self.code(sandbox, of: "alice")
            let members: JSONObject = [
                "ClientId": "app", "Username": "alice", "ConfirmationCode": code, "Password": "An0ther-One",
            ]
            #expect(try await sandbox.call("ConfirmForgotPassword", members).body == [:])
            expect(try await sandbox.signIn(), "NotAuthorizedException", "Incorrect username or password.")
            #expect(try await sandbox.signIn("alice", "An0ther-One").status == 200)
            expect(try await sandbox.call("ConfirmForgotPassword", members), "ExpiredCodeException")
        }
    }

    @Test("C35: where the client hides unknown people, a delivery is pretended")
    func pretends() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(
                try await sandbox.call("ForgotPassword", ["ClientId": "app", "Username": "ghost"]), "UserNotFoundException",
                "User does not exist.")
            let answer = try await sandbox.call("ForgotPassword", ["ClientId": "usual", "Username": "ghost"])
            #expect(answer["CodeDeliveryDetails"]?["DeliveryMedium"] == "EMAIL")
        }
    }

    @Test("C30: a new address is verified with a code, a password is changed with the old one")
    func changes() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let token = JSONValue.string(try #require(try await sandbox.signIn().token("AccessToken")))
            let sent = try await sandbox.call(
                "UpdateUserAttributes",
                ["AccessToken": token, "UserAttributes": [["Name": "email", "Value": "new@company.example"]]])
            #expect(sent["CodeDeliveryDetailsList"]?.arrayValue?.count == 1)
            #expect(try !sandbox.user("alice").isVerified("email"))
            let code = try Self.code(sandbox, of: "alice")
            #expect(
                try await sandbox.call("VerifyUserAttribute", ["AccessToken": token, "AttributeName": "email", "Code": code]).body == [:])
            #expect(try sandbox.user("alice").isVerified("email"))
            expect(
                try await sandbox.call(
                    "ChangePassword", ["AccessToken": token, "PreviousPassword": "Wr0ngPass!", "ProposedPassword": "An0ther-One"]),
                "NotAuthorizedException", "Incorrect username or password.")
            #expect(
                try await sandbox.call(
                    "ChangePassword",
                    ["AccessToken": token, "PreviousPassword": .string(UserPoolSandbox.password), "ProposedPassword": "An0ther-One"]
                ).status == 200)
            #expect(try await sandbox.signIn("alice", "An0ther-One").status == 200)
        }
    }

    @Test("C35: where people sign up with an address, the username is the sub")
    func usernameAttributes() async throws {
        let seed = UserPoolSandbox.seed(pool: #"usernameAttributes: ["email"]"#)
            .replacing(#"username: "alice""#, with: #"username: "alice@company.example""#)
        try await UserPoolSandbox.run(seed) { sandbox async throws in
            expect(
                try await Self.signUp(sandbox, "bob"), "InvalidParameterException", "Username should be an email.")
            expect(
                try await Self.signUp(sandbox, "carol@company.example"), "InvalidParameterException",
                "User email should be empty or same as username, since username attribute is email.")
            expect(
                try await sandbox.admin(
                    "AdminCreateUser",
                    [
                        "Username": "carol@company.example",
                        "UserAttributes": [["Name": "email", "Value": "bob@company.example"]],
                    ]),
                "InvalidParameterException",
                "User email should be empty or same as username, since username attribute is email.")
            #expect(try await Self.signUp(sandbox, "dave@company.example", mail: "").status == 200)
            #expect(try sandbox.user("dave@company.example")[attribute: "email"] == "dave@company.example")
            let answer = try await Self.signUp(sandbox, "bob@company.example")
            let bob = try sandbox.user("bob@company.example")
            #expect(answer["UserSub"]?.stringValue == bob.sub)
            #expect(bob.username == bob.sub)
            expect(try await Self.signUp(sandbox, "bob@company.example"), "UsernameExistsException", "User already exists")
            #expect(try await sandbox.signIn("alice@company.example").status == 200)
        }
    }
}
