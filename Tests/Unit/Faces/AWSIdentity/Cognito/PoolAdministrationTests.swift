import Cloud
import Directory
import Fixtures
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("Identity pools: administration")
struct PoolAdministrationTests {
    private typealias Sandbox = PoolSandbox

    private static let companyARN = "arn:aws:iam::000000000000:oidc-provider/login.company.example"

    private func pool(_ more: JSONObject = [:]) -> JSONObject {
        var members: JSONObject = ["IdentityPoolName": "new pool", "AllowUnauthenticatedIdentities": false]
        for (name, value) in more.members { members[name] = value }
        return members
    }

    @Test("C2, C4: answers have what is set, and an update replaces all of it")
    func settings() async throws {
        try await Sandbox.run { pools async throws in
            let plain = try await pools.signed("CreateIdentityPool", pool())
            #expect(plain.status == 200, "\(plain.answer.text)")
            #expect(
                plain.json?.objectValue?.names == ["IdentityPoolId", "IdentityPoolName", "AllowUnauthenticatedIdentities"])
            let id = try #require(plain["IdentityPoolId"])
            #expect(id.stringValue?.hasPrefix("us-east-1:") == true)
            let userPool: JSONValue = [
                "ProviderName": "cognito-idp.us-east-1.amazonaws.com/us-east-1_abcdefghi", "ClientId": "c", "ServerSideTokenCheck": true,
            ]
            let all: JSONObject = [
                "IdentityPoolId": id, "AllowClassicFlow": true, "SupportedLoginProviders": ["graph.facebook.com": "1234"],
                "DeveloperProviderName": "login.shop", "OpenIdConnectProviderARNs": [.string(Self.companyARN)],
                "SamlProviderARNs": ["arn:aws:iam::000000000000:saml-provider/company"],
                "CognitoIdentityProviders": [userPool],
                "IdentityPoolTags": ["stage": "test"],
            ]
            let updated = try await pools.signed("UpdateIdentityPool", pool(all))
            for (name, value) in all.members { #expect(updated[name] == value) }
            let described = try await pools.signed("DescribeIdentityPool", ["IdentityPoolId": id])
            #expect(described.json == updated.json)
            let final = try await pools.signed("UpdateIdentityPool", pool(["IdentityPoolId": id, "DeveloperProviderName": "login.other"]))
            #expect(final.refusal.hasPrefix("InvalidParameterException"))
            let kept = try await pools.signed("UpdateIdentityPool", pool(["IdentityPoolId": id]))
            #expect(kept["DeveloperProviderName"] == "login.shop")
            #expect(kept["SupportedLoginProviders"] == nil)
            #expect(kept["AllowClassicFlow"] == nil)
        }
    }

    @Test("C3: policies decide by action and pool")
    func permissions() async throws {
        try await Sandbox.run { pools async throws in
            let ann = ("AKIAANN", "secret")
            let members: JSONObject = ["IdentityPoolId": .string(Sandbox.pool)]
            #expect(try await pools.signed("DescribeIdentityPool", members, by: ann).status == 200)
            let refused = try await pools.signed("DescribeIdentityPool", ["IdentityPoolId": .string(Sandbox.empty)], by: ann)
            #expect(refused.status == 400)
            #expect(refused.json?["__type"] == "AccessDeniedException")
            #expect(refused.json?["Message"]?.stringValue?.contains("cognito-identity:DescribeIdentityPool on resource: ") == true)
            #expect(try await pools.signed("ListIdentityPools", ["MaxResults": 1], by: ann).status == 400)
            let roles: JSONObject = [
                "IdentityPoolId": .string(Sandbox.pool), "Roles": ["authenticated": .string(Sandbox.arn("member"))],
            ]
            let passing = try await pools.signed("SetIdentityPoolRoles", roles, by: ann)
            #expect(passing.json?["Message"]?.stringValue?.contains("iam:PassRole on resource: \(Sandbox.arn("member"))") == true)
            let other = try await pools.signed("DescribeIdentityPool", members, by: ("other", "test"))
            #expect(other.refusal == "ResourceNotFoundException IdentityPool '\(Sandbox.pool)' not found.")
            let elsewhere = try await pools.signed("DescribeIdentityPool", members, region: "eu-west-1")
            #expect(elsewhere.refusal.hasPrefix("ResourceNotFoundException"))
        }
    }

    @Test("C4: lists have pages, and a deleted pool takes its identities with it")
    func lists() async throws {
        try await Sandbox.run { pools async throws in
            let first = try await pools.signed("ListIdentityPools", ["MaxResults": 2])
            #expect(first["IdentityPools"]?.arrayValue?.count == 2)
            let next = try #require(first["NextToken"])
            let second = try await pools.signed("ListIdentityPools", ["MaxResults": 2, "NextToken": next])
            #expect(second["IdentityPools"]?.arrayValue?.count == 1)
            #expect(second["NextToken"] == nil)
            let member = try await pools.identity([Sandbox.company: .string(try await pools.companyToken())])
            _ = try await pools.identity()
            let page = try await pools.signed("ListIdentities", ["IdentityPoolId": .string(Sandbox.pool), "MaxResults": 1])
            #expect(page["Identities"]?.arrayValue?.count == 1)
            #expect(page["NextToken"] != nil)
            let described = try await pools.signed("DescribeIdentity", ["IdentityId": .string(member)])
            #expect(described["Logins"] == [.string(Sandbox.company)])
            #expect(described["CreationDate"]?.numberValue != nil)
            let gone = try await pools.signed("DeleteIdentities", ["IdentityIdsToDelete": [.string(member)]])
            #expect(gone["UnprocessedIdentityIds"] == [])
            #expect(
                try await pools.signed("DescribeIdentity", ["IdentityId": .string(member)]).refusal
                    == "ResourceNotFoundException Identity '\(member)' not found.")
            let deleted = try await pools.signed("DeleteIdentityPool", ["IdentityPoolId": .string(Sandbox.pool)])
            #expect(deleted.status == 200)
            #expect(deleted.answer.body.isEmpty)
            #expect(pools.cloud.directory.identityPools.hasIdentities(Sandbox.pool) == false)
        }
    }

    @Test("C10: role mappings are for providers of the pool")
    func roleMappings() async throws {
        try await Sandbox.run { pools async throws in
            let rule: JSONValue = [
                "Claim": "sub", "MatchType": "Equals", "Value": "employee-1", "RoleARN": .string(Sandbox.arn("admin")),
            ]
            let mapping: JSONValue = ["Type": "Rules", "AmbiguousRoleResolution": "Deny", "RulesConfiguration": ["Rules": [rule]]]
            func set(_ provider: String) async throws -> PoolAnswer {
                let members: JSONObject = [
                    "IdentityPoolId": .string(Sandbox.pool), "Roles": ["unauthenticated": .string(Sandbox.arn("guest"))],
                    "RoleMappings": .object([provider: mapping]),
                ]
                return try await pools.signed("SetIdentityPoolRoles", members)
            }
            #expect(
                try await set("login.other.example").refusal == "InvalidParameterException (login.other.example) is not a valid "
                    + "RoleMapping ProviderName or is not a configured provider.")
            let answer = try await set(Self.companyARN)
            #expect(answer.status == 200, "\(answer.answer.text)")
            #expect(answer.answer.body.isEmpty)
            let read = try await pools.signed("GetIdentityPoolRoles", ["IdentityPoolId": .string(Sandbox.pool)])
            #expect(read["Roles"] == ["unauthenticated": .string(Sandbox.arn("guest"))])
            #expect(read["RoleMappings"]?[Self.companyARN]?["Type"] == "Rules")
            let logins: JSONObject = [Sandbox.company: .string(try await pools.companyToken())]
            let member = try await pools.identity(logins)
            let credentials = try #require(try await pools.credentials(member, logins).credentials)
            let caller = try await pools.callSTS("GetCallerIdentity", [:], as: credentials)
            #expect(caller["Arn"]?.contains("assumed-role/admin/") == true)
            let custom = try await pools.credentials(member, logins, ["CustomRoleArn": .string(Sandbox.arn("admin"))])
            #expect(custom.refusal.hasPrefix("InvalidParameterException"))
            let other: JSONObject = [Sandbox.company: .string(try await pools.companyToken([("sub", "employee-2")]))]
            let denied = try await pools.credentials(try await pools.identity(other), other)
            #expect(denied.refusal == "NotAuthorizedException The ambiguous role mapping rules denied this request.")
        }
    }

    @Test("C14: principal tag maps are read as they were set")
    func tagMaps() async throws {
        try await Sandbox.run { pools async throws in
            func members(_ more: JSONObject = [:]) -> JSONObject {
                var members: JSONObject = ["IdentityPoolId": .string(Sandbox.pool), "IdentityProviderName": .string(Sandbox.company)]
                for (name, value) in more.members { members[name] = value }
                return members
            }
            #expect(try await pools.signed("GetPrincipalTagAttributeMap", members()).refusal.hasPrefix("ResourceNotFoundException"))
            let empty = try await pools.signed("SetPrincipalTagAttributeMap", members())
            #expect(empty["UseDefaults"] == false)
            #expect(empty["PrincipalTags"] == nil)
            #expect(try await pools.signed("GetPrincipalTagAttributeMap", members()).refusal.hasPrefix("ResourceNotFoundException"))
            let usual = try await pools.signed(
                "SetPrincipalTagAttributeMap", members(["UseDefaults": true, "PrincipalTags": ["a": "b"]]))
            #expect(usual["PrincipalTags"] == ["client": "aud", "username": "sub"])
            #expect(try await pools.signed("GetPrincipalTagAttributeMap", members()).json == usual.json)
        }
    }

    @Test("tags are added, listed and removed")
    func tags() async throws {
        try await Sandbox.run { pools async throws in
            let arn: JSONValue = .string(IdentityPool.arn(of: Sandbox.pool, in: Sandbox.account))
            let added = try await pools.signed("TagResource", ["ResourceArn": arn, "Tags": ["a": "1", "b": "2"]])
            #expect(added.answer.text == "{}")
            _ = try await pools.signed("UntagResource", ["ResourceArn": arn, "TagKeys": ["a"]])
            #expect(try await pools.signed("ListTagsForResource", ["ResourceArn": arn])["Tags"] == ["b": "2"])
        }
    }
}
