import Cloud
import Directory
import Federation
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Triggers of user pools")
struct UserPoolTriggerTests {
    private static let signUp: JSONObject = [
        "ClientId": "app", "Username": "carol", "Password": "Passw0rd!",
        "UserAttributes": [["Name": "email", "Value": "carol@company.example"]], "ClientMetadata": ["from": "test"],
        "ValidationData": [["Name": "captcha", "Value": "7"]],
    ]

    private static func claims(_ answer: UserPoolSandbox.Answer, _ name: String) throws -> JSONObject {
        try JSONWebToken(parsing: try #require(answer.token(name)), accepting: [.rs256]).claims
    }

    @Test("C37: events have the members of Lambda's contract")
    func events() async throws {
        let functions = FunctionsOfATest()
        try await UserPoolSandbox.run(UserPoolSandbox.seed(pool: FunctionsOfATest.all), functions: functions.functions) {
            sandbox async throws in
            let answer = try await sandbox.call("SignUp", Self.signUp)
            #expect(answer["UserConfirmed"] == false)
            #expect(functions.sources == ["PreSignUp_SignUp", "CustomMessage_SignUp"])
            let event = try #require(functions.event("PreSignUp_SignUp"))
            #expect(event["version"] == "1")
            #expect(event["region"] == "us-east-1")
            #expect(event["userPoolId"] == .string(UserPoolSandbox.pool))
            #expect(event["userName"] == "carol")
            #expect(event["callerContext"] == ["awsSdkVersion": "aws-sdk-unknown-unknown", "clientId": "app"])
            #expect(
                event["request"]
                    == [
                        "userAttributes": ["email": "carol@company.example"], "validationData": ["captcha": "7"],
                        "clientMetadata": ["from": "test"],
                    ])
            #expect(event["response"] == ["autoConfirmUser": false, "autoVerifyEmail": false, "autoVerifyPhone": false])
            let message = try #require(functions.event("CustomMessage_SignUp")?["request"])
            #expect(message["codeParameter"] == "{####}")
            #expect(message["usernameParameter"] == .null)
            let code = try #require(try sandbox.user("carol").codes.first).code
            let confirmed = try await sandbox.call(
                "ConfirmSignUp", ["ClientId": "app", "Username": "carol", "ConfirmationCode": .string(code)])
            #expect(confirmed.status == 200)
            let attributes = try #require(functions.event("PostConfirmation_ConfirmSignUp")?["request"]?["userAttributes"])
            #expect(attributes["cognito:user_status"] == "CONFIRMED")
            #expect(attributes["email_verified"] == "true")
            #expect(attributes["sub"] == .string(try sandbox.user("carol").sub))
        }
    }

    @Test("C37: a function confirms a new person and the address")
    func confirms() async throws {
        let functions = FunctionsOfATest { source, _ in
            source == "PreSignUp_SignUp" ? ["autoConfirmUser": true, "autoVerifyEmail": true] : nil
        }
        try await UserPoolSandbox.run(UserPoolSandbox.seed(pool: FunctionsOfATest.all), functions: functions.functions) {
            sandbox async throws in
            let answer = try await sandbox.call("SignUp", Self.signUp)
            #expect(answer["UserConfirmed"] == true)
            #expect(answer["CodeDeliveryDetails"] == nil)
            #expect(functions.sources == ["PreSignUp_SignUp", "PostConfirmation_ConfirmSignUp"])
            let user = try sandbox.user("carol")
            #expect(user.status == .confirmed)
            #expect(user.isVerified("email"))
        }
    }

    @Test("C37: a function that refuses, or has no result, is an error with its text, and nothing changes")
    func errors() async throws {
        let results: [(result: any Error, code: String, message: String)] = [
            (FunctionsOfATest.Refusal(message: "Not you"), "UserLambdaValidationException", "PreSignUp failed with error Not you."),
            (
                FunctionsOfATest.RawResult(answer: OutboundResponse(status: 500)), "UserLambdaValidationException",
                "PreSignUp failed with error status 500."
            ),
            (
                FunctionsOfATest.RawResult(answer: OutboundResponse(status: 200, body: Array("no".utf8))),
                "InvalidLambdaResponseException", "Invalid lambda function output : Invalid JSON"
            ),
            (
                FunctionsOfATest.RawResult(answer: OutboundResponse(status: 200, body: Array("null".utf8))),
                "InvalidLambdaResponseException", "Unrecognizable lambda output"
            ),
            (
                FunctionsOfATest.RawResult(
                    answer: OutboundResponse(status: 200, body: Array(#"{"response": {"autoConfirmUser": 1}}"#.utf8))),
                "InvalidLambdaResponseException", "Unrecognizable lambda output"
            ),
            (
                OutboundError.timedOut, "UnexpectedLambdaException",
                "PreSignUp invocation failed due to error Socket timeout while invoking Lambda function."
            ),
            (
                OutboundError.notAllowed, "UnexpectedLambdaException",
                "PreSignUp invocation failed due to error AccessDeniedException."
            ),
        ]
        for (result, code, message) in results {
            let functions = FunctionsOfATest { _, _ in throw result }
            let seed = UserPoolSandbox.seed(pool: FunctionsOfATest.triggers(["PreSignUp"]))
            try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
                expect(try await sandbox.call("SignUp", Self.signUp), code, message)
                #expect(functions.events.count == (code == "UnexpectedLambdaException" && message.contains("timeout") ? 3 : 1))
                let pool = try #require(sandbox.cloud.directory.userPools.pool(UserPoolSandbox.pool))
                #expect(sandbox.cloud.directory.userPools.user(named: "carol", in: pool) == nil)
            }
        }
    }

    @Test("C37: a function before the sign-in is called first, and those after it see the person")
    func signIn() async throws {
        let functions = FunctionsOfATest { source, event in
            if source == "PreAuthentication_Authentication", event["request"]?["validationData"]?["deny"] != nil {
                throw FunctionsOfATest.Refusal(message: "denied")
            }
            return nil
        }
        try await UserPoolSandbox.run(UserPoolSandbox.seed(pool: FunctionsOfATest.all), functions: functions.functions) {
            sandbox async throws in
            #expect(try await sandbox.signIn().token("AccessToken") != nil)
            #expect(
                functions.sources
                    == ["PreAuthentication_Authentication", "PostAuthentication_Authentication", "TokenGeneration_Authentication"])
            #expect(functions.event("PostAuthentication_Authentication")?["request"]?["newDeviceUsed"] == false)
            expect(try await sandbox.signIn("alice", "Wr0ngPass!"), "NotAuthorizedException", "Incorrect username or password.")
            #expect(functions.sources.last == "PreAuthentication_Authentication")
            let denied = try await sandbox.call(
                "InitiateAuth",
                [
                    "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": "app", "ClientMetadata": ["deny": "yes"],
                    "AuthParameters": ["USERNAME": "alice", "PASSWORD": .string(UserPoolSandbox.password)],
                ])
            expect(denied, "UserLambdaValidationException", "PreAuthentication failed with error denied.")
        }
    }

    @Test("C37: a function of the first version changes the ID token and the groups, but not what identifies the token")
    func firstVersion() async throws {
        let functions = FunctionsOfATest { source, _ in
            guard source.hasPrefix("TokenGeneration_") else { return nil }
            return [
                "claimsOverrideDetails": [
                    "claimsToAddOrOverride": ["team": "blue", "sub": "other", "email": "shown@company.example"],
                    "claimsToSuppress": ["custom:team", "iss"],
                    "groupOverrideDetails": ["groupsToOverride": ["guests"], "iamRolesToOverride": [], "preferredRole": .null],
                ]
            ]
        }
        let seed = UserPoolSandbox.seed(pool: FunctionsOfATest.triggers(["PreTokenGeneration"]))
        try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
            let answer = try await sandbox.signIn()
            let identity = try Self.claims(answer, "IdToken")
            #expect(identity["team"] == "blue")
            #expect(identity["email"] == "shown@company.example")
            #expect(identity["sub"] == .string(try sandbox.user("alice").sub))
            #expect(identity["iss"] != nil)
            #expect(identity["custom:team"] == nil)
            #expect(identity["cognito:groups"] == ["guests"])
            #expect(identity["cognito:preferred_role"] == nil)
            let access = try Self.claims(answer, "AccessToken")
            #expect(access["team"] == nil)
            #expect(access["cognito:groups"] == ["guests"])
            let groups = try #require(functions.events.first?["request"]?["groupConfiguration"])
            #expect(groups["groupsToOverride"] == ["admins", "all"])
            #expect(groups["preferredRole"] == .string("arn:aws:iam::\(UserPoolSandbox.account):role/admin"))
        }
    }

    @Test("C37: a function of the second version changes both tokens, also when they are refreshed")
    func secondVersion() async throws {
        let functions = FunctionsOfATest { source, _ in
            var access: JSONObject = ["claimsToAddOrOverride": ["source": .string(source), "client_id": "other"]]
            access["scopesToAdd"] = ["orders/read", "openid"]
            if source == "TokenGeneration_RefreshTokens" { access["scopesToSuppress"] = ["aws.cognito.signin.user.admin"] }
            let identity: JSONValue = ["claimsToAddOrOverride": ["level": 3]]
            return ["claimsAndScopeOverrideDetails": ["idTokenGeneration": identity, "accessTokenGeneration": .object(access)]]
        }
        let seed = UserPoolSandbox.seed(pool: FunctionsOfATest.triggers(["PreTokenGenerationV2"]))
        try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
            let answer = try await sandbox.signIn()
            #expect(functions.events.first?["version"] == "2")
            #expect(functions.events.first?["request"]?["scopes"] == ["aws.cognito.signin.user.admin"])
            #expect(try Self.claims(answer, "IdToken")["level"] == 3)
            let access = try Self.claims(answer, "AccessToken")
            #expect(access["source"] == "TokenGeneration_Authentication")
            #expect(access["client_id"] == "app")
            #expect(access["scope"] == "aws.cognito.signin.user.admin orders/read")
            #expect(access["cognito:groups"] == ["admins", "all"])
            let refreshed = try await sandbox.call(
                "InitiateAuth",
                [
                    "AuthFlow": "REFRESH_TOKEN_AUTH", "ClientId": "app",
                    "AuthParameters": ["REFRESH_TOKEN": .string(try #require(answer.token("RefreshToken")))],
                ])
            #expect(try Self.claims(refreshed, "AccessToken")["scope"] == "orders/read")
            expect(
                try await sandbox.call("GetUser", ["AccessToken": .string(try #require(refreshed.token("AccessToken")))]),
                "NotAuthorizedException", "Access Token does not have required scopes")
        }
    }

    @Test("C37: a function writes the message of a code, unless it leaves the code out")
    func messages() async throws {
        let functions = FunctionsOfATest { source, _ in
            if source == "CustomMessage_ForgotPassword" { return ["emailMessage": "Use {####} soon", "emailSubject": "Forgotten?"] }
            if source == "CustomMessage_AdminCreateUser" { return ["smsMessage": "{username}: {####}"] }
            return ["emailMessage": "no code"]
        }
        let seed = UserPoolSandbox.seed(pool: FunctionsOfATest.triggers(["CustomMessage"]))
        try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
            #expect(try await sandbox.call("ForgotPassword", ["ClientId": "app", "Username": "alice"]).status == 200)
            let code = try #require(try sandbox.user("alice").codes.first)
            #expect(code.message == "Use \(code.code) soon")
            #expect(code.subject == "Forgotten?")
            let members: JSONObject = [
                "Username": "dave", "TemporaryPassword": "Temp0rary!",
                "UserAttributes": [["Name": "phone_number", "Value": "+15550100"]],
            ]
            #expect(try await sandbox.admin("AdminCreateUser", members).status == 200)
            #expect(try sandbox.user("dave").codes.first?.message == "dave: Temp0rary!")
            #expect(functions.event("CustomMessage_AdminCreateUser")?["callerContext"]?["clientId"] == "CLIENT_ID_NOT_APPLICABLE")
            #expect(try await sandbox.call("SignUp", Self.signUp).status == 200)
            #expect(try sandbox.user("carol").codes.first?.message == nil)
        }
    }

    @Test("C37: a function migrates a person with the password of the sign-in, and refuses others")
    func migrates() async throws {
        let functions = FunctionsOfATest { source, event in
            guard event["userName"] == "erin", source != "UserMigration_Authentication" || event["request"]?["password"] == "old" else {
                throw FunctionsOfATest.Refusal(message: "unknown")
            }
            return [
                "userAttributes": ["email": "erin@company.example", "email_verified": "true"], "finalUserStatus": "CONFIRMED",
                "messageAction": "SUPPRESS",
            ]
        }
        let seed = UserPoolSandbox.seed(pool: FunctionsOfATest.triggers(["UserMigration"]))
        try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
            expect(
                try await sandbox.signIn("erin", "wrong"), "UserNotFoundException", "Exception migrating user in app client app")
            #expect(try await sandbox.signIn("erin", "old").token("AccessToken") != nil)
            #expect(try sandbox.user("erin").isVerified("email"))
            let count = functions.events.count
            #expect(try await sandbox.signIn("erin", "old").token("AccessToken") != nil)
            expect(try await sandbox.signIn("erin", "wrong"), "NotAuthorizedException", "Incorrect username or password.")
            #expect(functions.events.count == count)
            expect(
                try await sandbox.call("ForgotPassword", ["ClientId": "app", "Username": "frank"]), "UserNotFoundException",
                "Exception migrating user in app client app")
            // The app `usual` hides who does not exist.
            #expect(try await sandbox.call("ForgotPassword", ["ClientId": "usual", "Username": "frank"]).status == 200)
        }
    }

    @Test("C37: LambdaConfig is checked, kept and returned; a function without a URL is refused by name")
    func configuration() async throws {
        let arn = "arn:aws:lambda:us-east-1:111122223333:function:f"
        let functions = FunctionsOfATest()
        try await UserPoolSandbox.run(functions: functions.functions) { sandbox async throws in
            let config: JSONObject = [
                "PreSignUp": .string(arn), "PreTokenGenerationConfig": ["LambdaVersion": "V2_0", "LambdaArn": .string(arn)],
            ]
            func create(_ config: JSONObject) async throws -> UserPoolSandbox.Answer {
                try await sandbox.call("CreateUserPool", ["PoolName": "x", "LambdaConfig": .object(config)], key: ("test", "test"))
            }
            let made = try await create(config)
            var returned = config
            returned["PreTokenGeneration"] = .string(arn)
            #expect(made["UserPool"]?["LambdaConfig"] == .object(returned))
            expect(try await create(["PreSignUp": .string(arn + "-unknown")]), "UnsupportedOperationException")
            expect(try await create(["PreSignUp": "arn:aws:lambda:us-east-1:none:function:f"]), "InvalidParameterException")
            expect(try await create(["KMSKeyID": .string(arn)]), "UnsupportedOperationException")
            let third = try await create(["PreTokenGenerationConfig": ["LambdaVersion": "V3_0", "LambdaArn": .string(arn)]])
            #expect(third["UserPool"]?["LambdaConfig"]?["PreTokenGenerationConfig"]?["LambdaVersion"] == "V3_0")
            var other = config
            other["PreTokenGeneration"] = .string(arn + "2")
            expect(try await create(other), "InvalidParameterException")
        }
    }

    @Test("C37: an update keeps the URLs of a seed for the functions that it names, and drops the others")
    func updates() async throws {
        let functions = FunctionsOfATest()
        let seed = UserPoolSandbox.seed(pool: FunctionsOfATest.triggers(["PreSignUp", "PostConfirmation"]))
        try await UserPoolSandbox.run(seed, functions: functions.functions) { sandbox async throws in
            let arn = "arn:aws:lambda:us-east-1:\(UserPoolSandbox.account):function:AbCdEf123-PreSignUp"
            #expect(try await sandbox.admin("DescribeUserPool", [:])["UserPool"]?["LambdaConfig"]?["PreSignUp"] == .string(arn))
            #expect(try await sandbox.admin("UpdateUserPool", ["LambdaConfig": ["PreSignUp": .string(arn)]]).status == 200)
            let pool = try #require(sandbox.cloud.directory.userPools.pool(UserPoolSandbox.pool))
            #expect(pool.triggers.map(\.url) == ["http://functions.example/PreSignUp"])
        }
    }
}
