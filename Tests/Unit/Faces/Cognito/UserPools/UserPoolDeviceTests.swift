import Cloud
import Cryptography
import Directory
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Devices of user pools")
struct UserPoolDeviceTests {
    private static let secret = "the secret of the device"

    /// A pool that needs codes by e-mail, and remembers devices in their place.
    private static func seed(_ remember: String = "ALWAYS", replacesFactors: Bool = true) -> String {
        UserPoolSandbox.seed(
            pool: """
                multiFactor: "ON", messageFactors: ["EMAIL_OTP"], rememberDevices: "\(remember)", devicesReplaceFactors: \(replacesFactors)
                """)
    }

    /// A device that alice confirmed.
    private struct Device {
        let key: String
        let group: String
        let tokens: UserPoolSandbox.Answer

        var json: JSONValue { .string(key) }

        func accessToken() throws -> JSONValue { .string(try #require(tokens.token("AccessToken"))) }
    }

    private static func signIn(_ sandbox: UserPoolSandbox, device: String? = nil) async throws -> UserPoolSandbox.Answer {
        var parameters: JSONObject = ["USERNAME": "alice", "PASSWORD": .string(UserPoolSandbox.password)]
        if let device { parameters["DEVICE_KEY"] = .string(device) }
        return try await sandbox.call(
            "InitiateAuth", ["AuthFlow": "USER_PASSWORD_AUTH", "ClientId": "app", "AuthParameters": .object(parameters)])
    }

    /// Signs in with the password and, where it is asked for, the code that was sent.
    private static func tokens(_ sandbox: UserPoolSandbox, device: String? = nil) async throws -> UserPoolSandbox.Answer {
        let challenge = try await signIn(sandbox, device: device)
        guard challenge["ChallengeName"] == "EMAIL_OTP" else { return challenge }
        let code = try #require(try sandbox.user("alice").codes.first { $0.purpose == .multiFactor }).code
        var responses: JSONObject = ["USERNAME": "alice", "EMAIL_OTP_CODE": .string(code)]
        if let device { responses["DEVICE_KEY"] = .string(device) }
        return try await sandbox.respond("EMAIL_OTP", challenge.session, responses)
    }

    private static func confirm(
        _ sandbox: UserPoolSandbox, key: String, group: String, token: JSONValue
    ) async throws -> UserPoolSandbox.Answer {
        let salt: [UInt8] = Array(1...16)
        let verifier = try SecureRemotePassword.verifier(identity: group + key, password: secret, salt: salt)
        return try await sandbox.call(
            "ConfirmDevice",
            [
                "AccessToken": token, "DeviceKey": .string(key), "DeviceName": "laptop",
                "DeviceSecretVerifierConfig": ["PasswordVerifier": .string(([0] + verifier).base64), "Salt": .string(salt.base64)],
            ])
    }

    /// Signs in, and confirms the device.
    private static func device(_ sandbox: UserPoolSandbox, onPrompt: Bool = false) async throws -> Device {
        let answer = try await tokens(sandbox)
        let metadata = try #require(answer["AuthenticationResult"]?["NewDeviceMetadata"])
        let device = Device(
            key: try #require(metadata["DeviceKey"]?.stringValue), group: try #require(metadata["DeviceGroupKey"]?.stringValue),
            tokens: answer)
        let confirmed = try await confirm(sandbox, key: device.key, group: device.group, token: try device.accessToken())
        #expect(confirmed["UserConfirmationNecessary"] == .bool(onPrompt))
        return device
    }

    /// Proves the secret of a device after the password.
    private static func prove(
        _ sandbox: UserPoolSandbox, _ device: Device, secret: String = secret
    ) async throws -> UserPoolSandbox.Answer {
        let challenge = try await sandbox.respond(
            "DEVICE_SRP_AUTH", nil, ["USERNAME": "alice", "DEVICE_KEY": device.json, "SRP_A": "4"])
        guard challenge["ChallengeName"] == "DEVICE_PASSWORD_VERIFIER" else { return challenge }
        var responses = try SRPProof.answer(sandbox, challenge, group: device.group, identity: device.key, password: secret)
        responses["DEVICE_KEY"] = device.json
        return try await sandbox.respond("DEVICE_PASSWORD_VERIFIER", nil, responses)
    }

    @Test("C32: a device is confirmed with the key of its login, shown and named in tokens")
    func confirms() async throws {
        try await UserPoolSandbox.run(Self.seed()) { sandbox async throws in
            let device = try await Self.device(sandbox)
            let token = try device.accessToken()
            let claims = try JSONWebToken(parsing: try #require(device.tokens.token("AccessToken")), accepting: [.rs256]).claims
            #expect(claims["device_key"] == device.json)
            let shown = try await sandbox.call("GetDevice", ["AccessToken": token, "DeviceKey": device.json])
            #expect(
                shown["Device"]?["DeviceAttributes"]
                    == [["Name": "device_status", "Value": "valid"], ["Name": "device_name", "Value": "laptop"]])
            let listed = try await sandbox.call("ListDevices", ["AccessToken": token])
            #expect(listed["Devices"]?.arrayValue?.count == 1)
            let seen = try await sandbox.admin("AdminGetDevice", ["Username": "alice", "DeviceKey": device.json])
            #expect(
                seen["Device"]?["DeviceAttributes"]?.arrayValue?.last == ["Name": "dev:device_remembered_status", "Value": "remembered"])
            expect(
                try await Self.confirm(sandbox, key: device.key, group: device.group, token: token), "DeviceKeyExistsException")
            expect(
                try await Self.confirm(sandbox, key: "us-east-1_0a", group: device.group, token: token), "ResourceNotFoundException",
                "Device does not exist.")
        }
    }

    @Test("C32: a remembered device signs in with its secret in place of the second factor")
    func signsIn() async throws {
        try await UserPoolSandbox.run(Self.seed()) { sandbox async throws in
            let device = try await Self.device(sandbox)
            let challenge = try await Self.signIn(sandbox, device: device.key)
            #expect(challenge["ChallengeName"] == "DEVICE_SRP_AUTH")
            let answer = try await Self.prove(sandbox, device)
            #expect(answer.token("AccessToken") != nil)
            #expect(answer["AuthenticationResult"]?["NewDeviceMetadata"] == nil)
            #expect(try sandbox.user("alice").device(ofLogin: try Self.login(answer)) != nil)
        }
    }

    /// Returns the login of tokens.
    private static func login(_ answer: UserPoolSandbox.Answer) throws -> String {
        let token = try JSONWebToken(parsing: try #require(answer.token("AccessToken")), accepting: [.rs256])
        return try #require(token.claims["origin_jti"]?.stringValue)
    }

    @Test("C32: the secret of a device is no way around the password, is proven once for it, and must be right")
    func needsPassword() async throws {
        try await UserPoolSandbox.run(Self.seed()) { sandbox async throws in
            let device = try await Self.device(sandbox)
            let wrong = "Incorrect username or password."
            expect(try await Self.prove(sandbox, device), "NotAuthorizedException", wrong)
            _ = try await Self.signIn(sandbox, device: device.key)
            expect(try await Self.prove(sandbox, device, secret: "another"), "NotAuthorizedException", wrong)
            #expect(try await Self.prove(sandbox, device).token("AccessToken") != nil)
            expect(try await Self.prove(sandbox, device), "NotAuthorizedException", wrong)
        }
    }

    @Test("C32: where devices do not replace the second factor, it is asked for after the device")
    func keepsFactor() async throws {
        try await UserPoolSandbox.run(Self.seed(replacesFactors: false)) { sandbox async throws in
            let device = try await Self.device(sandbox)
            #expect(try await Self.signIn(sandbox, device: device.key)["ChallengeName"] == "DEVICE_SRP_AUTH")
            #expect(try await Self.prove(sandbox, device)["ChallengeName"] == "EMAIL_OTP")
        }
    }

    @Test("C32: a device that is not remembered needs the second factor until the person remembers it")
    func remembers() async throws {
        try await UserPoolSandbox.run(Self.seed("ON_PROMPT")) { sandbox async throws in
            let device = try await Self.device(sandbox, onPrompt: true)
            let token = try device.accessToken()
            #expect(try await sandbox.call("ListDevices", ["AccessToken": token])["Devices"] == [])
            let answer = try await Self.tokens(sandbox, device: device.key)
            #expect(answer.token("AccessToken") != nil)
            #expect(answer["AuthenticationResult"]?["NewDeviceMetadata"] == nil)
            let members: JSONObject = ["AccessToken": token, "DeviceKey": device.json, "DeviceRememberedStatus": "remembered"]
            #expect(try await sandbox.call("UpdateDeviceStatus", members).body == [:])
            #expect(try await Self.signIn(sandbox, device: device.key)["ChallengeName"] == "DEVICE_SRP_AUTH")
            #expect(
                try await sandbox.admin("AdminListDevices", ["Username": "alice"])["Devices"]?.arrayValue?.first?["DeviceKey"]
                    == device.json)
        }
    }

    @Test("C32: the refresh token of a device needs its key, and ends when the device is forgotten")
    func forgets() async throws {
        try await UserPoolSandbox.run(Self.seed()) { sandbox async throws in
            let device = try await Self.device(sandbox)
            let refreshToken = JSONValue.string(try #require(device.tokens.token("RefreshToken")))
            func refresh(_ key: String?) async throws -> UserPoolSandbox.Answer {
                var parameters: JSONObject = ["REFRESH_TOKEN": refreshToken]
                if let key { parameters["DEVICE_KEY"] = .string(key) }
                return try await sandbox.call(
                    "InitiateAuth", ["AuthFlow": "REFRESH_TOKEN_AUTH", "ClientId": "app", "AuthParameters": .object(parameters)])
            }
            expect(try await refresh(nil), "NotAuthorizedException", "Invalid Refresh Token")
            let refreshed = try await refresh(device.key)
            #expect(
                try JSONWebToken(parsing: try #require(refreshed.token("AccessToken")), accepting: [.rs256]).claims["device_key"]
                    == device.json)
            let members: JSONObject = ["Username": "alice", "DeviceKey": device.json]
            #expect(try await sandbox.admin("AdminForgetDevice", members).isEmpty)
            expect(try await refresh(device.key), "NotAuthorizedException", "Refresh Token has been revoked")
            expect(try await Self.signIn(sandbox, device: device.key), "ResourceNotFoundException", "Device does not exist.")
            expect(try await sandbox.admin("AdminForgetDevice", members), "ResourceNotFoundException", "Device does not exist.")
        }
    }

    @Test("C32: DeviceConfiguration is kept and returned; a pool without it has no devices")
    func settings() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.signIn()
            #expect(answer["AuthenticationResult"]?["NewDeviceMetadata"] == nil)
            let token = JSONValue.string(try #require(answer.token("AccessToken")))
            expect(
                try await Self.confirm(sandbox, key: "us-east-1_0a", group: "-a", token: token), "InvalidParameterException",
                "Invalid device key given.")
            let settings: JSONValue = ["ChallengeRequiredOnNewDevice": true, "DeviceOnlyRememberedOnUserPrompt": false]
            #expect(try await sandbox.admin("DescribeUserPool", [:])["UserPool"]?["DeviceConfiguration"] == nil)
            #expect(try await sandbox.admin("UpdateUserPool", ["DeviceConfiguration": settings]).status == 200)
            #expect(try await sandbox.admin("DescribeUserPool", [:])["UserPool"]?["DeviceConfiguration"] == settings)
            #expect(try await sandbox.signIn()["AuthenticationResult"]?["NewDeviceMetadata"] != nil)
        }
    }
}
