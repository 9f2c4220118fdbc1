import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Sign-in at user pools")
struct UserPoolSignInTests {
    @Test("C28: a password gives three tokens and no challenge")
    func signsIn() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.signIn()
            #expect(answer.status == 200)
            #expect(answer["ChallengeParameters"] == [:])
            #expect(answer.body["AuthenticationResult"]?["TokenType"] == "Bearer")
            #expect(answer.body["AuthenticationResult"]?["ExpiresIn"] == 3600)
            #expect(answer.token("RefreshToken") != nil)
            let user = try await sandbox.call("GetUser", ["AccessToken": .string(try #require(answer.token("AccessToken")))])
            #expect(user["Username"] == "alice")
        }
    }

    @Test("C33: both tokens have the claims of the service, and keys of their own")
    func claims() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.signIn()
            let access = try JSONWebToken(parsing: try #require(answer.token("AccessToken")))
            let identity = try JSONWebToken(parsing: try #require(answer.token("IdToken")))
            #expect(access.header["typ"] == nil)
            #expect(access.keyID != identity.keyID)
            #expect(
                access.claims.names.sorted() == [
                    "auth_time", "client_id", "cognito:groups", "event_id", "exp", "iat", "iss", "jti", "origin_jti", "scope", "sub",
                    "token_use", "username",
                ])
            #expect(access.claims["iss"] == "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_AbCdEf123")
            #expect(access.claims["scope"] == "aws.cognito.signin.user.admin")
            #expect(access.claims["token_use"] == "access")
            #expect(identity.claims["token_use"] == "id")
            #expect(identity.claims["aud"] == "app")
            #expect(identity.claims["cognito:username"] == "alice")
            #expect(identity.claims["email_verified"] == true)
            #expect(identity.claims["custom:team"] == "red")
            #expect(identity.claims["origin_jti"] == access.claims["origin_jti"])
            #expect(identity.claims["event_id"] == access.claims["event_id"])
        }
    }

    @Test("C36: groups are in both tokens in the order of their precedence, roles in the ID token")
    func groups() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.signIn()
            let access = try JSONWebToken(parsing: try #require(answer.token("AccessToken")))
            let identity = try JSONWebToken(parsing: try #require(answer.token("IdToken")))
            #expect(access.claims["cognito:groups"] == ["admins", "all"])
            #expect(identity.claims["cognito:groups"] == ["admins", "all"])
            #expect(access.claims["cognito:roles"] == nil)
            #expect(identity.claims["cognito:roles"] == ["arn:aws:iam::111122223333:role/admin"])
            #expect(identity.claims["cognito:preferred_role"] == "arn:aws:iam::111122223333:role/admin")
        }
    }

    @Test(
        "C28, C35: what is refused, in the words of the service",
        arguments: [
            ("alice", "Wr0ngPass!", "app", "NotAuthorizedException", "Incorrect username or password."),
            ("unknown", "Passw0rd!", "app", "UserNotFoundException", "User does not exist."),
            ("off", "Passw0rd!", "app", "NotAuthorizedException", "User is disabled."),
            ("alice", "Passw0rd!", "none", "ResourceNotFoundException", "User pool client none does not exist."),
            ("alice", "Passw0rd!", "usual", "InvalidParameterException", "USER_PASSWORD_AUTH flow not enabled for this client"),
            (
                "alice", "Passw0rd!", "secret", "NotAuthorizedException",
                "Client secret is configured with secret but SECRET_HASH was not received"
            ),
            ("", "Passw0rd!", "app", "InvalidParameterException", "Missing required parameter USERNAME"),
        ])
    func refuses(name: String, password: String, client: String, code: String, message: String) async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            expect(try await sandbox.signIn(name, password, client: client), code, message)
        }
    }

    @Test("C28: the flow of administrators needs a signature")
    func adminFlow() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let members: JSONObject = [
                "AuthFlow": "ADMIN_USER_PASSWORD_AUTH", "ClientId": "app",
                "AuthParameters": ["USERNAME": "alice", "PASSWORD": .string(UserPoolSandbox.password)],
            ]
            expect(
                try await sandbox.call("InitiateAuth", members), "InvalidParameterException", "Initiate Auth method not supported.")
            let answer = try await sandbox.admin("AdminInitiateAuth", members)
            #expect(answer.token("AccessToken") != nil)
            var other = members
            other["ClientId"] = "none"
            expect(
                try await sandbox.admin("AdminInitiateAuth", other), "ResourceNotFoundException",
                "User pool client none does not exist in user pool us-east-1_AbCdEf123.")
        }
    }

    @Test("C29: the hash over the client's secret is checked")
    func secretHash() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let good = try await sandbox.signIn(client: "secret", hash: UserPoolSandbox.hash("alice"))
            #expect(good.token("AccessToken") != nil)
            expect(
                try await sandbox.signIn(client: "secret", hash: UserPoolSandbox.hash("bob")), "NotAuthorizedException",
                "Unable to verify secret hash for client secret")
        }
    }

    @Test("C28: a temporary password is replaced once, and a policy failure keeps the session")
    func newPassword() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let challenge = try await sandbox.signIn("new", "Temp0rary!")
            #expect(challenge["ChallengeName"] == "NEW_PASSWORD_REQUIRED")
            #expect(challenge["ChallengeParameters"]?["requiredAttributes"] == "[]")
            #expect(challenge["ChallengeParameters"]?["userAttributes"] == "{}")
            let session = try #require(challenge.session)
            expect(
                try await sandbox.respond("NEW_PASSWORD_REQUIRED", session, ["USERNAME": "new", "NEW_PASSWORD": "Sh0rt!"]),
                "InvalidPasswordException", "Password does not conform to policy: Password not long enough")
            let responses: JSONObject = ["USERNAME": "new", "NEW_PASSWORD": "An0ther-One"]
            let answer = try await sandbox.respond("NEW_PASSWORD_REQUIRED", session, responses)
            #expect(answer.token("AccessToken") != nil)
            expect(
                try await sandbox.respond("NEW_PASSWORD_REQUIRED", session, responses), "NotAuthorizedException",
                "Invalid session for the user, session can only be used once.")
            #expect(try await sandbox.signIn("new", "An0ther-One").token("AccessToken") != nil)
        }
    }

    @Test("C28: a session expires by the clock")
    func expires() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let session = try #require(try await sandbox.signIn("new", "Temp0rary!").session)
            try await sandbox.cloud.age(by: .seconds(200))
            expect(
                try await sandbox.respond(
                    "NEW_PASSWORD_REQUIRED", session, ["USERNAME": "new", "NEW_PASSWORD": "An0ther-One"]), "NotAuthorizedException",
                "Invalid session for the user, session is expired.")
        }
    }

    @Test("A message that quotes a long text is only in the body")
    func keepsHeadersShort() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let name = try #require(HTTPField.Name("x-amzn-ErrorMessage"))
            let short = try await sandbox.call("InitiateAuth", ["AuthFlow": "nothing", "ClientId": "app"])
            #expect(short.headers[name] == short.message)
            let long = String(repeating: "x", count: 100_000)
            let answer = try await sandbox.call("InitiateAuth", ["AuthFlow": .string(long), "ClientId": "app"])
            #expect(answer.message?.contains(long) == true)
            #expect(answer.headers[name] == nil)
        }
    }
}
