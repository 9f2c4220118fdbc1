import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Fixtures
import HTTPTypes
import NIOCore
import RequestSigning
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

/// A sandbox with user pools.
struct UserPoolSandbox {
    static let account = "111122223333"
    static let pool = "us-east-1_AbCdEf123"
    static let client = "app"
    static let password = "Passw0rd!"

    let cloud: Cloud
    /// How the functions of triggers are called.
    var functions = UserPoolFunctions.absent
    /// Sends requests to identity providers; `nil` if there is no way to them.
    var outbound: Outbound?

    /// A pool in which alice signs in with all flows, and `secret`, an app with a secret.
    static func seed(pool more: String = "", client further: String = "") -> String {
        """
        {accounts: [{id: "\(account)", rootKeys: [{id: "test", secret: "test"}], users: [
            {name: "nobody", accessKeys: [{id: "AKIANOBODY", secret: "nobody"}]},
          ], userPools: [{
          id: "\(pool)", name: "people", autoVerifiedAttributes: ["email"], customAttributes: ["team"],
          clients: [
            {id: "\(client)", name: "app", flows: ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH",
             "ALLOW_ADMIN_USER_PASSWORD_AUTH"], \(further)},
            {id: "secret", name: "with a secret", secret: "shared", flows: ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]},
            {id: "usual", name: "with the usual flows", hideUnknownUsers: true},
          ],
          groups: [{name: "admins", role: "arn:aws:iam::\(account):role/admin", precedence: 1}, {name: "all", precedence: 5}],
          people: [
            {username: "alice", password: "\(password)", groups: ["all", "admins"],
             attributes: {email: "alice@company.example", email_verified: "true", "custom:team": "red"}},
            {username: "new", password: "Temp0rary!", status: "FORCE_CHANGE_PASSWORD"},
            {username: "off", password: "\(password)", enabled: false},
          ], \(more)}]}]}
        """
    }

    static func run(
        _ seed: String = Self.seed(), functions: UserPoolFunctions = .absent, _ test: (UserPoolSandbox) async throws -> Void
    ) async throws {
        try await withCloud(seed) { cloud async throws in try await test(UserPoolSandbox(cloud: cloud, functions: functions)) }
    }

    /// The answer of a call.
    struct Answer {
        let status: Int
        let body: JSONValue
        let headers: HTTPFields
        let isEmpty: Bool

        var code: String? { body["__type"]?.stringValue }
        /// The message, whose member is written with a capital in refusals of permissions.
        var message: String? { body[code == "AccessDeniedException" ? "Message" : "message"]?.stringValue }
        var session: String? { body["Session"]?.stringValue }
        subscript(name: String) -> JSONValue? { body[name] }
        func token(_ name: String) -> String? { body["AuthenticationResult"]?[name]?.stringValue }
    }

    /// Calls an operation.
    /// - Parameter key: signs the call; `nil` for none.
    func call(
        _ operation: String, _ members: JSONObject, key: (String, String)? = nil, authorization: String? = nil, origin: String? = nil
    ) async throws -> Answer {
        let body = JSONValue.object(members).serializedBytes()
        var signable = SignableRequest(method: "POST", target: "/", authority: "localhost:4566")
        signable.fields[.contentType] = "application/x-amz-json-1.1"
        signable.fields[HTTPField.Name(literal: "x-amz-target")] = "AWSCognitoIdentityProviderService.\(operation)"
        if let origin { signable.fields[.origin] = origin }
        if let key {
            SignatureV4.Signer(accessKey: key.0, secret: key.1, sessionToken: nil, region: "us-east-1", service: "cognito-idp")
                .sign(&signable, payload: PayloadHash(of: body), at: cloud.clock.now)
        }
        if let authorization { signable.fields[.authorization] = authorization }
        let call = Call(.post, "/", signable.fields, body: ByteBuffer(bytes: body), cloud: cloud)
        let response = await UserPoolsFace(authenticator: Authenticator(cloud: cloud), functions: functions).respond(to: call)
        let bytes = try await response.collectedBody()
        return Answer(
            status: Int(response.status.code), body: bytes.isEmpty ? [:] : try JSONValue(parsing: bytes), headers: response.headers,
            isEmpty: bytes.isEmpty)
    }

    /// Calls an operation as an administrator.
    func admin(_ operation: String, _ members: JSONObject) async throws -> Answer {
        var members = members
        if members["UserPoolId"] == nil { members["UserPoolId"] = .string(Self.pool) }
        return try await call(operation, members, key: ("test", "test"))
    }

    /// Signs in with a password.
    func signIn(
        _ name: String = "alice", _ password: String = Self.password, client: String = Self.client, hash: String? = nil
    ) async throws -> Answer {
        var parameters: JSONObject = ["USERNAME": .string(name), "PASSWORD": .string(password)]
        if let hash { parameters["SECRET_HASH"] = .string(hash) }
        return try await call(
            "InitiateAuth",
            ["AuthFlow": "USER_PASSWORD_AUTH", "ClientId": .string(client), "AuthParameters": .object(parameters)])
    }

    /// Answers a challenge.
    func respond(_ challenge: String, _ session: String?, _ responses: JSONObject, client: String = Self.client) async throws -> Answer {
        var members: JSONObject = [
            "ChallengeName": .string(challenge), "ClientId": .string(client), "ChallengeResponses": .object(responses),
        ]
        if let session { members["Session"] = .string(session) }
        return try await call("RespondToAuthChallenge", members)
    }

    /// Returns the person with a name.
    func user(_ name: String) throws -> UserPoolUser {
        let pool = try #require(cloud.directory.userPools.pool(Self.pool))
        return try #require(cloud.directory.userPools.user(signingInAs: name, in: pool))
    }

    static func hash(_ name: String, client: String = "secret") -> String {
        hmacSHA256(key: Array("shared".utf8), name + client).base64
    }
}

/// Checks the error of an answer.
func expect(_ answer: UserPoolSandbox.Answer, _ code: String, _ message: String? = nil) {
    #expect(answer.status == 400)
    #expect(answer.code == code)
    if let message { #expect(answer.message == message) }
}
