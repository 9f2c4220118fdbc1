import Cloud
import Directory
import Federation
import Fixtures
import Policy
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

@Suite("Identity pools: the classic flow and developers")
struct ClassicFlowTests {
    private typealias Sandbox = PoolSandbox

    /// Calls AssumeRoleWithWebIdentity with a token of the pool.
    private func assume(_ role: String, _ token: String, at pools: PoolSandbox) async throws -> STSAnswer {
        try await pools.callSTS(
            "AssumeRoleWithWebIdentity",
            ["RoleArn": Sandbox.arn(role), "RoleSessionName": "web-identity", "WebIdentityToken": token])
    }

    private func token(_ identity: String, _ logins: JSONObject = [:], at pools: PoolSandbox) async throws -> PoolAnswer {
        var members: JSONObject = ["IdentityId": .string(identity)]
        if !logins.isEmpty { members["Logins"] = .object(logins) }
        return try await pools.call("GetOpenIdToken", members)
    }

    @Test("C18: the token of the pool has the claims of AWS's, for ten minutes")
    func claims() async throws {
        try await Sandbox.run { pools async throws in
            let logins: JSONObject = [Sandbox.company: .string(try await pools.companyToken())]
            let member = try await pools.identity(logins)
            let answer = try await token(member, logins, at: pools)
            #expect(answer["IdentityId"]?.stringValue == member)
            let parsed = try JSONWebToken(parsing: try #require(answer["Token"]?.stringValue))
            #expect(parsed.header["typ"] == "JWS")
            #expect(parsed.header["alg"] == "RS512")
            #expect(parsed.claims["iss"] == "https://cognito-identity.amazonaws.com")
            #expect(parsed.claims["aud"] == .string(Sandbox.pool))
            #expect(parsed.claims["sub"] == .string(member))
            #expect(
                parsed.claims["amr"] == ["authenticated", .string(Sandbox.company), .string("\(Sandbox.company):OIDC:employee-1")])
            #expect(
                parsed.claims["https://cognito-identity.amazonaws.com/identity-pool-arn"]
                    == .string("arn:aws:cognito-identity:us-east-1:000000000000:identitypool/\(Sandbox.pool)"))
            let issued = try #require(parsed.claims["iat"]?.integerValue)
            #expect(parsed.claims["exp"] == .integer(issued + 600))
        }
    }

    @Test("C18: the classic flow is refused where it is off, and beside role mappings")
    func refused() async throws {
        try await Sandbox.run { pools async throws in
            let other = try await pools.call("GetId", ["IdentityPoolId": .string(Sandbox.enhanced)])["IdentityId"]?.stringValue ?? ""
            #expect(
                try await token(other, at: pools).refusal
                    == "InvalidParameterException Basic (classic) flow is not enabled, please use enhanced flow.")
            let guest = try await pools.identity()
            try await pools.change {
                $0.roleMappings = [PoolRoleMapping(provider: Sandbox.company, kind: .token, resolution: .deny)]
            }
            #expect(
                try await token(guest, at: pools).refusal
                    == "InvalidParameterException Basic (classic) flow is not supported with RoleMappings, please use enhanced flow.")
        }
    }

    @Test("C19: the documents of the issuer verify its tokens")
    func documents() async throws {
        try await Sandbox.run { pools async throws in
            let guest = try await pools.identity()
            let text = try #require(try await token(guest, at: pools)["Token"]?.stringValue)
            let metadata = try await pools.document("/.well-known/openid-configuration")
            #expect(metadata["issuer"] == "https://cognito-identity.amazonaws.com")
            #expect(metadata["jwks_uri"] == "http://localhost:4566/.well-known/jwks_uri")
            let keys = try await pools.document("/.well-known/jwks_uri")["keys"]?.arrayValue ?? []
            let parsed = try JSONWebToken(parsing: text)
            let named = keys.first { $0["kid"]?.stringValue == parsed.keyID }
            #expect(named?["alg"] == "RS512")
            #expect(named?["use"] == "sig")
            let keyID = try #require(parsed.keyID)
            let key = try #require(try await pools.cloud.verificationKey(keyID, of: PoolToken.keyName))
            try parsed.verify(with: key)
            #expect(try await pools.document("/.well-known/jwks.json").status == 404)
        }
    }

    @Test("C20: STS accepts the token for roles that trust the pool and the kind of login")
    func assumption() async throws {
        try await Sandbox.run { pools async throws in
            let guest = try await pools.identity()
            let text = try #require(try await token(guest, at: pools)["Token"]?.stringValue)
            let answer = try await assume("guest", text, at: pools)
            #expect(answer.status == 200, "\(answer.message ?? "")")
            #expect(answer["SubjectFromWebIdentityToken"] == guest)
            #expect(answer["Audience"] == Sandbox.pool)
            #expect(answer["Provider"] == "cognito-identity.amazonaws.com")
            let refused = try await assume("member", text, at: pools)
            #expect(refused.code == "AccessDenied")
            #expect(refused.message == "Not authorized to perform sts:AssumeRoleWithWebIdentity")
        }
    }

    @Test("C20: a token that another key signed is not one of the pool")
    func forged() async throws {
        try await Sandbox.run { pools async throws in
            let forged = try await pools.companyToken([
                ("iss", "https://cognito-identity.amazonaws.com"), ("aud", .string(Sandbox.pool)), ("amr", ["authenticated"]),
            ])
            #expect(try await assume("member", forged, at: pools).code == "InvalidIdentityToken")
        }
    }

    // MARK: Developers

    private func developerToken(
        _ user: String, _ more: JSONObject = [:], at pools: PoolSandbox
    ) async throws -> PoolAnswer {
        var members: JSONObject = ["IdentityPoolId": .string(Sandbox.pool), "Logins": ["login.shop": .string(user)]]
        for (name, value) in more.members { members[name] = value }
        return try await pools.signed("GetOpenIdTokenForDeveloperIdentity", members)
    }

    @Test("C21: a user of the developer has one identity, which can have several users")
    func developerIdentities() async throws {
        try await Sandbox.run { pools async throws in
            let first = try await developerToken("u1", ["TokenDuration": 60, "PrincipalTags": ["team": "red"]], at: pools)
            let id = try #require(first["IdentityId"]?.stringValue)
            let parsed = try JSONWebToken(parsing: try #require(first["Token"]?.stringValue))
            #expect(
                parsed.claims["amr"] == ["authenticated", "login.shop", .string("login.shop:\(Sandbox.pool):u1")])
            #expect(parsed.claims["exp"]?.integerValue == parsed.claims["iat"]?.integerValue.map { $0 + 60 })
            #expect(parsed.claims["https://aws.amazon.com/tags"]?["principal_tags"]?["team"] == ["red"])
            #expect(try await developerToken("u1", at: pools)["IdentityId"]?.stringValue == id)
            let guest = try await pools.identity()
            #expect(try await developerToken("u2", ["IdentityId": .string(guest)], at: pools)["IdentityId"]?.stringValue == guest)
            #expect(
                try await developerToken("u1", ["IdentityId": .string(guest)], at: pools).refusal.hasPrefix(
                    "DeveloperUserAlreadyRegisteredException"))
            #expect(
                try await developerToken("u3", ["IdentityId": .string(guest)], at: pools).refusal
                    == "NotAuthorizedException Logins don't match. Please include at least one valid login for this identity or "
                    + "identity pool.")
            let wrong = try await pools.signed(
                "GetOpenIdTokenForDeveloperIdentity", ["IdentityPoolId": .string(Sandbox.pool), "Logins": ["login.other": "u1"]])
            #expect(wrong.refusal.hasSuffix("This identity pool does not support the specified developer provider."))
        }
    }

    @Test("C22: the token of a developer begins a session, and is no login")
    func developerSession() async throws {
        try await Sandbox.run { pools async throws in
            try await pools.change { $0.authenticatedRole = Sandbox.arn("tagged") }
            let answer = try await developerToken("u1", ["PrincipalTags": ["team": "red"]], at: pools)
            let id = try #require(answer["IdentityId"]?.stringValue)
            let logins: JSONObject = [Sandbox.provider: try #require(answer["Token"])]
            let credentials = try #require(try await pools.credentials(id, logins).credentials)
            let session = try pools.face.tokens.open(credentials.2, accessKeyID: credentials.0)
            #expect(session.credentials.tags.first?.value == "red")
            let other = try await pools.identity()
            #expect(
                try await pools.credentials(other, logins).refusal == "NotAuthorizedException Access to Identity '\(other)' is forbidden.")
            let refused = try await pools.call("GetId", ["IdentityPoolId": .string(Sandbox.pool), "Logins": .object(logins)])
            #expect(refused.refusal == "NotAuthorizedException Invalid login token. Can't pass in a Cognito token.")
            let company: JSONObject = [Sandbox.provider: .string(try await pools.companyToken())]
            #expect(
                try await pools.credentials(id, company).refusal == "NotAuthorizedException Invalid login token. Not a Cognito token.")
        }
    }

    @Test("C23: identities of developers are looked up, merged and unlinked")
    func developerOperations() async throws {
        try await Sandbox.run { pools async throws in
            let one = try #require(try await developerToken("u1", at: pools)["IdentityId"]?.stringValue)
            let two = try #require(try await developerToken("u2", at: pools)["IdentityId"]?.stringValue)
            func lookUp(_ more: JSONObject) async throws -> PoolAnswer {
                var members: JSONObject = ["IdentityPoolId": .string(Sandbox.pool)]
                for (name, value) in more.members { members[name] = value }
                return try await pools.signed("LookupDeveloperIdentity", members)
            }
            #expect(try await lookUp(["IdentityId": .string(one)])["DeveloperUserIdentifierList"] == ["u1"])
            #expect(try await lookUp(["DeveloperUserIdentifier": "u2"])["IdentityId"] == .string(two))
            let both: JSONObject = ["IdentityId": .string(one), "DeveloperUserIdentifier": "u2"]
            #expect(try await lookUp(both).refusal.hasPrefix("ResourceConflictException"))
            #expect(try await lookUp([:]).refusal.hasPrefix("InvalidParameterException"))
            let merged = try await pools.signed(
                "MergeDeveloperIdentities",
                [
                    "SourceUserIdentifier": "u1", "DestinationUserIdentifier": "u2", "DeveloperProviderName": "login.shop",
                    "IdentityPoolId": .string(Sandbox.pool),
                ])
            #expect(merged["IdentityId"] == .string(two))
            let page = try await lookUp(["IdentityId": .string(two), "MaxResults": 1])
            #expect(page["DeveloperUserIdentifierList"] == ["u1"])
            let next = try #require(page["NextToken"])
            let second = try await lookUp(["IdentityId": .string(two), "MaxResults": 1, "NextToken": next])
            #expect(second["DeveloperUserIdentifierList"] == ["u2"])
            #expect(second["NextToken"] == nil)
            let unlinked = try await pools.signed(
                "UnlinkDeveloperIdentity",
                [
                    "IdentityId": .string(two), "IdentityPoolId": .string(Sandbox.pool), "DeveloperProviderName": "login.shop",
                    "DeveloperUserIdentifier": "u1",
                ])
            #expect(unlinked.answer.body.isEmpty)
            #expect(try await lookUp(["DeveloperUserIdentifier": "u1"]).refusal.hasPrefix("ResourceNotFoundException"))
        }
    }
}
