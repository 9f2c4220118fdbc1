import Fixtures
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The directory")
struct DirectoryTests {
    private static let seed = """
        {accounts: [
           {id: "111111111111", rootKeys: [{id: "root", secret: "r"}],
            users: [{name: "ann", path: "/staff/", accessKeys: [{id: "AKIAANN", secret: "a"}]}],
            roles: [{name: "reader", path: "/app/", maximumSessionDuration: 7200, trustPolicy: {Statement: [
              {Effect: "Allow", Principal: {Federated: "graph.facebook.com"}, Action: "sts:AssumeRoleWithWebIdentity"}]},
              policies: {b: \(policy), a: \(policy)}}],
            openIDConnectProviders: [{url: "https://login.example/tenant", clientIDs: ["x"]}]},
           {id: "222222222222", roles: []}],
         identityProviders: [{name: "company", issuer: "https://login.example/tenant",
           clients: [{id: "web", applicationID: "app"}], people: [{name: "ann", subject: "1", password: "p", claims: {n: [1]}}]}]}
        """
    private static let policy = #"{Version: "2012-10-17", Statement: [{Effect: "Allow", Action: "s3:*", Resource: "*"}]}"#

    @Test("is unchanged after a restart")
    func restart() async throws {
        func check(_ directory: Directory) throws {
            #expect(Set(directory.accounts.keys) == ["111111111111", "222222222222"])
            #expect(directory.user("ann", in: "111111111111")?.arn == "arn:aws:iam::111111111111:user/staff/ann")
            let role = try #require(directory.role("reader", in: "111111111111")).role
            #expect(role.arn == "arn:aws:iam::111111111111:role/app/reader")
            #expect(role.maximumSessionDuration == 7200)
            #expect(role.id.hasPrefix("AROA"))
            #expect(role.id.utf8.count == 21)
            #expect(role.policies.map(\.name) == ["a", "b"])
            let provider = try #require(directory.providers["company"])
            #expect(provider.issuerKeyPrefix == "login.example/tenant")
            #expect(provider.people.first { $0.subject == "1" }?.claims == ["n": [1]])
            #expect(provider.client("web")?.applicationID == "app")
            #expect(provider.client("web")?.secret == nil)
            #expect(
                directory.trust(url: "https://login.example/tenant", in: "111111111111")?.arn
                    == "arn:aws:iam::111111111111:oidc-provider/login.example/tenant")
            #expect(directory.trust(url: "https://login.example/tenant", in: "222222222222") == nil)
        }
        try await withTemporaryFolder { folder in
            let id = try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                try check(cloud.directory)
                return cloud.directory.role("reader", in: "111111111111")?.role.id
            }
            try await withSandbox(folder: folder) { cloud async throws in
                try check(cloud.directory)
                #expect(cloud.directory.role("reader", in: "111111111111")?.role.id == id)
            }
        }
    }

    @Test("applies an edit completely, at once and after a restart, or not at all")
    func edits() async throws {
        struct Refused: Error {}
        try await withTemporaryFolder { folder in
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                let statement = #"{"Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}"#
                let document = try PolicyDocument(parsing: statement, kind: .identity)
                let policy = ManagedPolicy(
                    account: "111111111111", name: "all", path: "/", id: "ANPA1", created: cloud.clock.now, document: document)
                let group = Group(
                    account: "111111111111", name: "staff", path: "/", id: "AGPA1", created: cloud.clock.now,
                    policies: [InlinePolicy(name: "own", document: document)], attachedPolicies: [policy.arn])
                try await cloud.edit { directory in
                    directory.put(.group(group))
                    directory.put(.policy(policy))
                    guard var ann = directory.user("ANN", in: "111111111111")?.user else { throw Refused() }
                    ann.groups = ["staff"]
                    ann.boundary = policy.arn
                    directory.put(.user(ann))
                }
                let ann = try #require(cloud.directory.user("ann", in: "111111111111"))
                #expect(ann.policies.identity.map(\.label).suffix(2) == ["own of group staff", policy.arn])
                #expect(ann.policies.boundary?.label == policy.arn)
                #expect(cloud.directory.members(of: group).map(\.name) == ["ann"])
                await #expect(throws: Refused.self) {
                    try await cloud.edit { directory in
                        directory.remove(.init(.group, group.arn))
                        throw Refused()
                    }
                }
                #expect(cloud.directory.group("Staff", in: "111111111111") != nil)
            }
            try await withSandbox(folder: folder) { cloud async throws in
                let ann = try #require(cloud.directory.user("ann", in: "111111111111"))
                let count = ann.policies.identity.count
                let policy = try #require(cloud.directory.policies.values.first?.arn)
                try await cloud.edit { $0.remove(.init(.policy, policy)) }
                let bounded = try #require(cloud.directory.user("ann", in: "111111111111"))
                #expect(bounded.policies.identity.count == count - 1)
                // A permissions boundary that no longer exists allows nothing.
                #expect(bounded.policies.boundary?.document === PolicyDocument.empty)
                guard case .user(let signer, _) = cloud.directory.keys["AKIAANN"] else { throw Unexpected() }
                #expect(signer === bounded)
                try await cloud.edit { $0.remove(.init(.user, bounded.arn)) }
                #expect(cloud.directory.keys["AKIAANN"] == nil)
                #expect(cloud.directory.user("ann", in: "111111111111") == nil)
            }
        }
    }

    @Test("finds the holder of a long-term key")
    func keys() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            guard case .root(let account, let key) = cloud.directory.keys["root"] else { throw Unexpected() }
            #expect(account.rootARN == "arn:aws:iam::111111111111:root")
            #expect(key.secret == "r")
            guard case .user(let user, _) = cloud.directory.keys["AKIAANN"] else { throw Unexpected() }
            #expect(user.user.name == "ann")
            #expect(user.user.id.hasPrefix("AIDA"))
            #expect(cloud.directory.keys["nobody"] == nil)
        }
    }

    @Test(
        "finds a role only by its whole ARN",
        arguments: [
            ("arn:aws:iam::111111111111:role/app/reader", true), ("arn:aws:iam::111111111111:role/reader", false),
            ("arn:aws:iam::111111111111:role/other/reader", false), ("arn:aws:iam::222222222222:role/app/reader", false),
            ("arn:aws:iam::111111111111:user/app/reader", false), ("arn:aws:iam::111111111111:role/app/READER", false),
            ("arn:aws:iam::111111111111", false), ("", false), (":::::", false),
        ])
    func roles(arn: String, isKnown: Bool) async throws {
        try await withSandbox(Self.seed) { cloud in #expect((cloud.directory.role(arn: arn) != nil) == isKnown) }
    }

    @Test("has copies that do not change with each other")
    func copies() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            let before = cloud.directory
            var after = before
            after.remove(DirectoryRecord.ID(.provider, "company"))
            after.remove(DirectoryRecord.ID(.account, "222222222222"))
            #expect(before.providers["company"] != nil)
            #expect(before.accounts["222222222222"] != nil)
            #expect(after.providers["company"] == nil)
            #expect(after.accounts["222222222222"] == nil)
            #expect(after.accounts["111111111111"] != nil)
        }
    }

    @Test("finds a provider by its issuer until it is removed")
    func issuers() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            var directory = cloud.directory
            #expect(directory.provider(canonicalIssuer: "https://login.example/tenant")?.name == "company")
            var provider = try #require(directory.providers["company"])
            provider.issuer = "https://other.example"
            directory.put(.provider(provider))
            #expect(directory.provider(canonicalIssuer: "https://login.example/tenant") == nil)
            #expect(directory.provider(canonicalIssuer: "https://other.example")?.name == "company")
            directory.remove(DirectoryRecord.ID(.provider, "company"))
            #expect(directory.provider(canonicalIssuer: "https://other.example") == nil)
        }
    }

    private struct Unexpected: Error {}
}
