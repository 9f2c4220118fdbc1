import Cloud
import Directory
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Logins that continue")
struct UserPoolRefreshTests {
    private static func refresh(
        _ sandbox: UserPoolSandbox, _ token: String, client: String = "app"
    ) async throws -> UserPoolSandbox.Answer {
        try await sandbox.call(
            "InitiateAuth",
            ["AuthFlow": "REFRESH_TOKEN_AUTH", "ClientId": .string(client), "AuthParameters": ["REFRESH_TOKEN": .string(token)]])
    }

    private static func renew(_ sandbox: UserPoolSandbox, _ token: String) async throws -> UserPoolSandbox.Answer {
        try await sandbox.call("GetTokensFromRefreshToken", ["RefreshToken": .string(token), "ClientId": "app"])
    }

    @Test("C34: a refresh token gives an access and an ID token of the same login")
    func refreshes() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let first = try await sandbox.signIn()
            let second = try await Self.refresh(sandbox, try #require(first.token("RefreshToken")))
            #expect(second.token("RefreshToken") == nil)
            let old = try JSONWebToken(parsing: try #require(first.token("AccessToken")))
            let new = try JSONWebToken(parsing: try #require(second.token("AccessToken")))
            for claim in ["origin_jti", "event_id", "auth_time", "sub"] { #expect(old.claims[claim] == new.claims[claim]) }
            #expect(old.claims["jti"] != new.claims["jti"])
        }
    }

    @Test("C34: refresh tokens that are not accepted")
    func refuses() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let token = try #require(try await sandbox.signIn().token("RefreshToken"))
            expect(try await Self.refresh(sandbox, "none"), "NotAuthorizedException", "Invalid Refresh Token")
            expect(
                try await Self.refresh(sandbox, token, client: "usual"), "NotAuthorizedException", "Refresh Token has different Client")
            try await sandbox.cloud.age(by: .seconds(31 * 86_400))
            expect(try await Self.refresh(sandbox, token), "NotAuthorizedException", "Refresh Token has expired")
        }
    }

    @Test("C34: RevokeToken ends the login and no other, and can be repeated")
    func revokes() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let (first, second) = (try await sandbox.signIn(), try await sandbox.signIn())
            let token = try #require(first.token("RefreshToken"))
            for _ in 0..<2 {
                let answer = try await sandbox.call("RevokeToken", ["Token": .string(token), "ClientId": "app"])
                #expect(answer.status == 200)
                #expect(answer.body == [:])
            }
            expect(try await Self.refresh(sandbox, token), "NotAuthorizedException", "Refresh Token has been revoked")
            expect(
                try await sandbox.call("GetUser", ["AccessToken": .string(try #require(first.token("AccessToken")))]),
                "NotAuthorizedException", "Access Token has been revoked")
            #expect(try await Self.refresh(sandbox, try #require(second.token("RefreshToken"))).status == 200)
            expect(
                try await sandbox.call("RevokeToken", ["Token": .string(token), "ClientId": "none"]), "UnauthorizedException",
                "Invalid client or secret")
        }
    }

    @Test("C34: a global sign-out ends all logins of the person")
    func signsOut() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let (first, second) = (try await sandbox.signIn(), try await sandbox.signIn())
            let token = JSONValue.string(try #require(first.token("AccessToken")))
            #expect(try await sandbox.call("GlobalSignOut", ["AccessToken": token]).body == [:])
            expect(try await sandbox.call("GetUser", ["AccessToken": token]), "NotAuthorizedException", "Access Token has been revoked")
            expect(
                try await Self.refresh(sandbox, try #require(second.token("RefreshToken"))), "NotAuthorizedException",
                "Refresh Token has been revoked")
            #expect(try await sandbox.signIn().status == 200)
        }
    }

    @Test("C34: who is disabled or deleted has no login")
    func endsWithThePerson() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.signIn()
            let token = JSONValue.string(try #require(answer.token("AccessToken")))
            _ = try await sandbox.admin("AdminDisableUser", ["Username": "alice"])
            expect(try await sandbox.call("GetUser", ["AccessToken": token]), "NotAuthorizedException", "User is disabled.")
            _ = try await sandbox.admin("AdminEnableUser", ["Username": "alice"])
            expect(try await sandbox.call("GetUser", ["AccessToken": token]), "NotAuthorizedException", "Access Token has been revoked")
            let again = JSONValue.string(try #require(try await sandbox.signIn().token("AccessToken")))
            #expect(try await sandbox.call("GetUser", ["AccessToken": again]).status == 200)
            #expect(try await sandbox.admin("AdminDeleteUser", ["Username": "alice"]).isEmpty)
            expect(try await sandbox.call("GetUser", ["AccessToken": again]), "NotAuthorizedException", "Access Token has been revoked")
        }
    }

    @Test("C34: the replaced refresh token works within the grace, others are a reuse that ends nothing")
    func rotates() async throws {
        try await UserPoolSandbox.run(UserPoolSandbox.seed(client: "rotationGrace: 60")) { sandbox async throws in
            let first = try #require(try await sandbox.signIn().token("RefreshToken"))
            expect(try await Self.refresh(sandbox, first), "InvalidParameterException")
            let second = try #require(try await Self.renew(sandbox, first).token("RefreshToken"))
            // A client that did not receive the answer tries again.
            let third = try #require(try await Self.renew(sandbox, first).token("RefreshToken"))
            expect(try await Self.renew(sandbox, second), "RefreshTokenReuseException", "Refresh token reuse detected")
            #expect(try await Self.renew(sandbox, third).status == 200)
            expect(try await Self.renew(sandbox, first), "RefreshTokenReuseException", "Refresh token reuse detected")
        }
    }

    @Test("C34: an access token is the token of its use, of its signature and of its time")
    func accessTokens() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.signIn()
            let access = try #require(answer.token("AccessToken"))
            let identity = try #require(answer.token("IdToken"))
            expect(
                try await sandbox.call("GetUser", ["AccessToken": .string(identity)]), "NotAuthorizedException", "Invalid Access Token")
            let parts = access.split(separator: ".")
            let other = identity.split(separator: ".")
            expect(
                try await sandbox.call("GetUser", ["AccessToken": .string("\(parts[0]).\(parts[1]).\(other[2])")]),
                "NotAuthorizedException", "Could not verify signature for Access Token")
            try await sandbox.cloud.age(by: .seconds(3700))
            expect(
                try await sandbox.call("GetUser", ["AccessToken": .string(access)]), "NotAuthorizedException", "Access Token has expired")
        }
    }
}
