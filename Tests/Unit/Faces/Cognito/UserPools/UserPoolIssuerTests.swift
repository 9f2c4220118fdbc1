import Calls
import Cloud
import Directory
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import CognitoFaces

@Suite("Issuers of user pools")
struct UserPoolIssuerTests {
    private static func get(_ path: String, at authority: String = "localhost:4566", _ cloud: Cloud) async throws -> (Int, JSONValue) {
        let response = await UserPoolIssuerFace().respond(to: Call(.get, path, authority: authority, cloud: cloud))
        return (Int(response.status.code), try JSONValue(parsing: await response.collectedBody()))
    }

    @Test("C33: the key of ID tokens comes first, and both verify their tokens")
    func keys() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let answer = try await sandbox.signIn()
            let (status, document) = try await Self.get("/us-east-1_AbCdEf123/.well-known/jwks.json", sandbox.cloud)
            #expect(status == 200)
            let keys = try #require(JSONWebKeySet(parsing: document.serializedBytes())).keys
            #expect(keys.count == 2)
            let identity = try JSONWebToken(parsing: try #require(answer.token("IdToken")))
            let access = try JSONWebToken(parsing: try #require(answer.token("AccessToken")))
            #expect(keys.map(\.keyID) == [identity.keyID, access.keyID])
            try identity.verify(with: keys[0].key)
            try access.verify(with: keys[1].key)
        }
    }

    @Test("C33: keys that were replaced are still published")
    func replacedKeys() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let old = try JSONWebToken(parsing: try #require(try await sandbox.signIn().token("IdToken")))
            let pool = try #require(sandbox.cloud.directory.userPools.pool(UserPoolSandbox.pool))
            _ = try await sandbox.cloud.rotateKeys(of: pool.keyNameOfIDTokens, overlap: .seconds(3600))
            let new = try JSONWebToken(parsing: try #require(try await sandbox.signIn().token("IdToken")))
            #expect(new.keyID != old.keyID)
            let (_, document) = try await Self.get("/us-east-1_AbCdEf123/.well-known/jwks.json", sandbox.cloud)
            let keys = try #require(JSONWebKeySet(parsing: document.serializedBytes())).keys
            #expect(keys.first?.keyID == new.keyID)
            try old.verify(with: try #require(keys.first { $0.keyID == old.keyID }).key)
        }
    }

    @Test(
        "C39: discovery spells the host that was asked",
        arguments: [
            ("localhost:4566", "http://localhost:4566/us-east-1_AbCdEf123"),
            ("cognito-idp.us-east-1.amazonaws.com", "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_AbCdEf123"),
        ])
    func discovery(authority: String, issuer: String) async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let path = "/us-east-1_AbCdEf123/.well-known/openid-configuration"
            let (status, document) = try await Self.get(path, at: authority, sandbox.cloud)
            #expect(status == 200)
            #expect(document["issuer"] == .string(issuer))
            #expect(document["jwks_uri"] == .string(issuer + "/.well-known/jwks.json"))
        }
    }

    @Test("C39: an unknown pool")
    func unknown() async throws {
        try await UserPoolSandbox.run { sandbox async throws in
            let (status, document) = try await Self.get("/us-east-1_Other0000/.well-known/jwks.json", sandbox.cloud)
            #expect(status == 404)
            #expect(document == ["message": "User pool us-east-1_Other0000 does not exist."])
        }
    }

    @Test(
        "Only documents of pools are answered",
        arguments: [
            ("/us-east-1_AbCdEf123/.well-known/jwks.json", true), ("/us-east-1_AbCdEf123/.well-known/openid-configuration", true),
            ("/us-east-1_AbCdEf123", false), ("/my_bucket/.well-known/jwks.json", false), ("/bucket/.well-known/jwks.json", false),
            ("/us-east-1_AbCdEf123/x/.well-known/jwks.json", false), ("/.well-known/jwks.json", false),
        ])
    func paths(path: String, isOfPool: Bool) {
        #expect(UserPoolIssuerFace.answers(.get, path) == isOfPool)
        #expect(!UserPoolIssuerFace.answers(.put, path))
    }
}
