import Fixtures
import ObjectStore
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Directory

@Suite("An export of a sandbox")
struct SeedExportTests {
    private static let account = "000000000000"

    /// Two providers, of which the first has every member of `ContextProvider` that can be together, and two roles.
    private static let seed = """
        {accounts: [{id: "\(account)",
          roles: [{name: "signing", trustPolicy: \(trust), maximumSignInDuration: 7776000}, {name: "plain", trustPolicy: \(trust)}],
          openIDConnectProviders: [
            {url: "https://a.example", clientIDs: ["web"], contextProvider: {
              subjectSourceKey: "actor", subjectTypeValue: "user",
              keyDefinitions: [{sourceKey: "ref"}, {sourceKey: "urn:team one", targetKey: "team"}]}},
            {url: "https://b.example", clientIDs: ["web"], contextProvider: {subjectSourceKey: "sub", subjectTypeSourceKey: "kind"}},
            {url: "https://c.example", clientIDs: ["web"]}]}]}
        """
    private static let trust = """
        {Version: "2012-10-17", Statement: [
          {Effect: "Allow", Principal: {Federated: "graph.facebook.com"}, Action: "sts:AssumeRoleWithWebIdentity"}]}
        """

    @Test("has the sign-in durations of roles and the context providers, and fills a sandbox with the same")
    func roundTrip() async throws {
        let exported = try await withSandbox(Self.seed) { cloud async throws in
            try Self.check(cloud.directory)
            let export = try await SeedExport(of: cloud)
            #expect(export.leftOut == [])
            return export.seed.serialized()
        }
        try await withSandbox(exported) { cloud async throws in
            try Self.check(cloud.directory)
            #expect(try await SeedExport(of: cloud).seed.serialized() == exported)
        }
    }

    private static func check(_ directory: Directory) throws {
        #expect(directory.role("signing", in: account)?.role.maximumSignInDuration == 7_776_000)
        #expect(try #require(directory.role("plain", in: account)).role.maximumSignInDuration == nil)
        func context(_ host: String) throws -> ContextProvider? {
            try #require(directory.trusts["arn:aws:iam::\(account):oidc-provider/\(host)"]).contextProvider
        }
        let mappings = [
            ContextProvider.Mapping(source: "ref", target: nil), ContextProvider.Mapping(source: "urn:team one", target: "team"),
        ]
        #expect(
            try context("a.example")
                == ContextProvider(mappings: mappings, subjectSourceKey: "actor", subjectTypeValue: "user", subjectTypeSourceKey: nil))
        #expect(
            try context("b.example")
                == ContextProvider(mappings: [], subjectSourceKey: "sub", subjectTypeValue: nil, subjectTypeSourceKey: "kind"))
        #expect(try context("c.example") == nil)
    }

    @Test("has the tags of buckets")
    func bucketTags() async throws {
        let seed = "{accounts: [{id: '\(Self.account)', buckets: [{name: 'files', tags: {team: 'blue', cost: '1'}}, {name: 'plain'}]}]}"
        let exported = try await withSandbox(seed) { cloud async throws in
            let export = try await SeedExport(of: cloud)
            #expect(export.leftOut == [])
            return export.seed.serialized()
        }
        try await withSandbox(exported) { cloud async throws in
            let tags = try #require(cloud.objects.bucket(named: "files")).configuration.tags
            #expect(tags == [Tag(key: "cost", value: "1"), Tag(key: "team", value: "blue")])
            #expect(try #require(cloud.objects.bucket(named: "plain")).configuration.tags.isEmpty)
        }
    }

    @Test("says that server certificates and the encryption of SAML providers are left out")
    func leftOut() async throws {
        let seed = "{accounts: [{id: '\(Self.account)', samlProviders: [{name: 'idp', metadata: '<EntityDescriptor/>'}]}]}"
        try await withSandbox(seed) { cloud async throws in
            let arn = "arn:aws:iam::\(Self.account):saml-provider/idp"
            let certificate = ServerCertificate(
                account: Self.account, name: "web", path: "/", id: "ASCA", body: "", chain: nil, privateKey: "", uploaded: cloud.clock.now,
                expires: cloud.clock.now, tags: [])
            try await cloud.edit { directory in
                try directory.addServerCertificate(certificate, limit: 1)
                var trust = try #require(directory.samlTrusts[arn])
                trust.encryptionMode = "Required"
                directory.put(.samlTrust(trust))
            }
            #expect(
                try await SeedExport(of: cloud).leftOut == [
                    "account \(Self.account): its server certificates", "\(arn): its encryption mode and private keys",
                ])
        }
    }
}
