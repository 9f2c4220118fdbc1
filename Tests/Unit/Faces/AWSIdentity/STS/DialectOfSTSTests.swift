import Cloud
import Federation
import Testing
import WireFormats

@testable import AWSIdentityFaces

@Suite("Differences between AWS STS and RADOS Gateway")
struct DialectOfSTSTests {
    private static let issuer = "login.company.example"

    /// A role that accepts the company's tokens under a condition.
    private static func role(_ name: String, _ condition: String) -> String {
        """
        {name: '\(name)', tags: {team: 'red'}, trustPolicy: {Version: '2012-10-17', Statement: [{Effect: 'Allow', Action: 'sts:*',
          Principal: {Federated: 'arn:aws:iam::000000000000:oidc-provider/\(issuer)'}, Condition: \(condition)}]}}
        """
    }

    private static let seed = """
        {accounts: [{id: '000000000000',
           openIDConnectProviders: [{url: 'https://\(issuer)', clientIDs: ['web']}],
           roles: [
             \(role("by-client", "{StringEquals: {'\(issuer):app_id': 'web'}}")),
             \(role("by-tag", "{StringEquals: {'aws:RequestTag/team': 'red'}}")),
             \(role("by-tag-key", "{StringEquals: {'aws:TagKeys': 'team'}}")),
             \(role("by-own-tag", "{StringEquals: {'aws:ResourceTag/team': 'red', 'iam:ResourceTag/team': 'red'}}")),
             \(role("by-other-tag", "{StringEquals: {'aws:ResourceTag/team': 'blue'}}"))]}],
         identityProviders: [
           {name: 'company', issuer: 'https://\(issuer)', clients: [{id: 'web'}], people: [{name: 'alice', subject: 'a', password: 'p'}]}]}
        """

    @Test(
        "condition keys of a token in the trust policy",
        arguments: [("by-client", false), ("by-tag-key", false), ("by-tag", true), ("by-own-tag", true)])
    func trustKeys(role: String, inAWS: Bool) async throws {
        for dialect in Dialect.allCases {
            try await STSSandbox.run(seed: Self.seed, dialect: dialect) { sts async throws in
                let token = try await sts.token(claims: ["https://aws.amazon.com/tags/principal_tags/team": "red"])
                #expect(try await sts.assume(role, token).status == (dialect == .ceph || inAWS ? 200 : 403))
                #expect(try await sts.assume("by-other-tag", token).status == 403)
            }
        }
    }

    @Test("a tag of several values")
    func severalValues() async throws {
        let tags = try #require(try JSONValue(parsing: #"{"principal_tags":{"team":["blue","red"]}}"#).objectValue)
        for dialect in Dialect.allCases {
            try await STSSandbox.run(seed: Self.seed, dialect: dialect) { sts async throws in
                let answer = try await sts.assume("by-tag", sts.token(claims: ["https://aws.amazon.com/tags": .object(tags)]))
                #expect(answer.status == (dialect == .ceph ? 200 : 400))
                #expect(answer.code == (dialect == .ceph ? nil : "InvalidIdentityToken"))
            }
        }
    }

    @Test("the ARN of a role of no account")
    func noAccount() async throws {
        let arn = "arn:aws:iam:::role/by-client"
        for dialect in Dialect.allCases {
            try await STSSandbox.run(seed: Self.seed, dialect: dialect) { sts async throws in
                let answer = try await sts.assume("by-client", sts.token(), ["RoleArn": arn])
                // The account with an empty name has no providers.
                #expect(answer.status == 400)
                #expect(answer.code == (dialect == .ceph ? "InvalidIdentityToken" : "ValidationError"))
                if dialect == .aws { #expect(answer.message == "Request ARN is invalid") }
            }
        }
        try await STSSandbox.run(seed: STSSandbox.principals) { sts async throws in
            let answer = try await sts.take("for-ann", as: STSSandbox.signature("ann"), ["RoleArn": "arn:aws:iam:::role/for-ann"])
            #expect(answer.status == 400)
            #expect(answer.code == "ValidationError")
            #expect(answer.message == "arn:aws:iam:::role/for-ann is invalid")
        }
    }
}
