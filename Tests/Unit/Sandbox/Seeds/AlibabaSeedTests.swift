import Fixtures
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Alibaba Cloud in seeds")
struct AlibabaSeedTests {
    private static let id = "1234567890123456"
    private static let open = #"{Version: "1", Statement: [{Effect: "Allow", Action: "oss:*", Resource: "*"}]}"#
    private static let trust =
        #"{Version: "1", Statement: [{Effect: "Allow", Action: "sts:AssumeRole", Principal: {RAM: ["acs:ram::1234567890123456:root"]}}]}"#

    private func seed(_ members: String, beside: String = "", file: String = "s") throws -> Seed {
        let text = "{\(beside) alibaba: {accounts: [{id: \"\(Self.id)\", \(members)}]}}"
        return try SeedFile(name: file, text: Array(text.utf8)).decode()
    }

    @Test("contains what RAM and OSS store, in their spelling")
    func everything() async throws {
        let decoded = try seed(
            """
            name: "harbour", rootKeys: [{id: "LTAIROOT", secret: "r"}],
            policies: [{name: "read-own", description: "d", document: \(Self.open)}], groups: [{name: "writers", policies: ["AliyunOSSReadOnlyAccess"]}],
            users: [{name: "app-server", displayName: "App", accessKeys: [{id: "LTAIUSER", secret: "u"}], policies: ["read-own"], groups: ["Writers"]}],
            roles: [{name: "app-user", trustPolicy: \(Self.trust), policies: ["AliyunOSSFullAccess", "read-own"], maximumSessionDuration: 7200}],
            openIDConnectProviders: [{name: "company", url: "https://login.example", clientIDs: ["web"]}],
            samlProviders: [{name: "company", metadata: "<xml/>"}],
            buckets: [{name: "photos", acl: "public-read", storageClass: "IA", versioning: true, tags: {team: "blue"}, hosts: ["photos.example.com"],
              sharedWith: "000000000000", policy: \(Self.open), objects: [{key: "k", text: "t"}]}]
            """, beside: #"accounts: [{id: "000000000000"}],"#)
        let cloud = try await Cloud.open(folder: nil, seeds: [decoded])
        let directory = cloud.directory
        let account = try #require(directory.accounts[Self.id])
        #expect(account.vendor == .alibaba)
        #expect(account.rootARN == "acs:ram::\(Self.id):root")
        #expect(account.canonicalUserID == Self.id)
        let user = try #require(directory.user("app-server", in: Self.id))
        #expect(user.arn == "acs:ram::\(Self.id):user/app-server")
        #expect(user.user.id.count == 18)
        #expect(user.user.id.allSatisfy { $0.isNumber })
        #expect(user.user.profile?.displayName == "App")
        #expect(user.user.groups == ["writers"])
        #expect(
            user.policies.identity.map(\.label) == [
                "acs:ram::\(Self.id):policy/read-own", "acs:ram::system:policy/AliyunOSSReadOnlyAccess",
            ])
        let role = try #require(directory.role(arn: "acs:ram::\(Self.id):role/app-user", at: .alibaba))
        #expect(role.role.maximumSessionDuration == 7200)
        #expect(role.role.id.hasPrefix("3"))
        #expect(role.role.id.count == 18)
        #expect(
            role.role.attachedPolicies == ["acs:ram::system:policy/AliyunOSSFullAccess", "acs:ram::\(Self.id):policy/read-own"])
        #expect(role.role.trustPolicy.document.version == .ram)
        #expect(directory.trusts["acs:ram::\(Self.id):oidc-provider/company"]?.url == "https://login.example")
        #expect(directory.samlTrusts["acs:ram::\(Self.id):saml-provider/company"]?.metadata == "<xml/>")
        guard case .user(let owner, _)? = directory.keys["LTAIUSER"] else { throw Missing() }
        #expect(owner.user.name == "app-server")
        let bucket = try #require(cloud.objects.bucket(named: "photos", for: .alibaba))
        #expect(bucket.account == Self.id)
        #expect(bucket.region == "cn-hangzhou")
        #expect(bucket.configuration.versioning == .enabled)
        #expect(bucket.configuration.tags == [Tag(key: "team", value: "blue")])
        #expect(bucket.configuration.accessControl == OSSBucketAccess.publicRead.list(owner: Self.id))
        #expect(bucket.configuration.documents[.ossHosts] == #"["photos.example.com"]"#)
        #expect(bucket.configuration.documents[.ossStorageClass] == "IA")
        #expect(bucket.configuration.documents[.ossPolicy] != nil)
        #expect(bucket.policy == nil)
        #expect(cloud.objects.bucket(named: "photos", for: .aws)?.account == "000000000000")
        await cloud.close()
    }

    private struct Missing: Error {}

    @Test("is restored from its records, with policies in their own dialect")
    func records() async throws {
        try await withTemporaryFolder { folder in
            let decoded = try seed(
                "policies: [{name: \"p\", document: \(Self.open)}], roles: [{name: \"r\", trustPolicy: \(Self.trust), policies: [\"p\"]}]")
            let first = try await Cloud.open(folder: folder, seeds: [decoded])
            await first.close()
            let second = try await Cloud.open(folder: folder, seeds: [])
            let role = try #require(second.directory.role("r", in: Self.id))
            #expect(role.role.trustPolicy.document.version == .ram)
            #expect(role.policies.identity.map(\.document.version) == [.ram])
            await second.close()
        }
    }

    @Test(
        "that is invalid has an error with the place and the expected value",
        arguments: [
            (#"users: [{name: "a b"}]"#, "users[0].name", "a user name"),
            (#"buckets: [{name: "photos", region: ""}]"#, "buckets[0].region", "a region"),
            (#"buckets: [{name: "photos", region: "oss-cn-hangzhou"}]"#, "buckets[0].region", "a region"),
            (#"buckets: [{name: "photos", region: "cn_hangzhou"}]"#, "buckets[0].region", "a region"),
            (#"users: [{name: "u", policies: {}}]"#, "users[0].policies", "a list"),
            (#"users: [{name: "u", path: "/"}]"#, "users[0].path", "one of the keys"),
            (#"roles: [{name: "r"}]"#, "roles[0].trustPolicy", ""),
            (#"roles: [{name: "r", trustPolicy: {Version: "2012-10-17"}}]"#, "roles[0].trustPolicy", "a policy document"),
            (#"policies: [{name: "p", document: {Version: "1", Statement: []}}]"#, "policies[0].document", "a policy document"),
            (#"policies: [{name: "p.q", document: \#(AlibabaSeedTests.open)}]"#, "policies[0].name", "a policy name"),
            (
                #"roles: [{name: "r", trustPolicy: \#(AlibabaSeedTests.trust), maximumSessionDuration: 60}]"#,
                "roles[0].maximumSessionDuration", "3600"
            ),
            (
                #"openIDConnectProviders: [{name: "-x", url: "https://a.example", clientIDs: []}]"#, "openIDConnectProviders[0].name",
                "provider"
            ),
            (#"openIDConnectProviders: [{name: "x", url: "ftp://a", clientIDs: []}]"#, "openIDConnectProviders[0].url", "an issuer URL"),
            (#"samlProviders: [{name: "x"}]"#, "samlProviders[0].metadata", "metadata"),
            (#"buckets: [{name: "Photos"}]"#, "buckets[0].name", "a bucket name"),
            (#"buckets: [{name: "photos", acl: "open"}]"#, "buckets[0].acl", "private"),
            (#"buckets: [{name: "photos", storageClass: "STANDARD"}]"#, "buckets[0].storageClass", "Standard"),
            (#"buckets: [{name: "photos", hosts: ["a.example:80"]}]"#, "buckets[0].hosts", "hosts"),
            (#"buckets: [{name: "photos", hosts: ["192.168.0.1"]}]"#, "buckets[0].hosts", "hosts"),
            (
                "buckets: [{name: 'photos', objects: [{key: 'a', text: ''}, {key: '\(String(repeating: "k", count: 1024))', text: ''}]}]",
                "buckets[0].objects[1].key", "1023 bytes"
            ),
            (#"buckets: [{name: "photos", objects: [{key: "/a", text: ""}]}]"#, "buckets[0].objects[0].key", "slash"),
            (#"buckets: [{name: "photos", sharedWith: "1234567890123456"}]"#, "buckets[0].sharedWith", "twelve digits"),
            (#"users: [{name: "u"}, {name: "U"}]"#, "users[1].name", "only once"),
            (#"groups: [{name: "g"}, {name: "g"}]"#, "groups[1].name", "only once"),
            (
                #"users: [{name: "u", accessKeys: [{id: "k", secret: "s"}, {id: "k", secret: "s"}]}]"#, "users[0].accessKeys[1].id",
                "only once"
            ),
            (#"buckets: [{name: "box"}]"#, "buckets[0].name", "only once"),
            (#"rootKeys: [{id: "test", secret: "x"}]"#, "rootKeys[0].id", "only once"),
            (
                #"openIDConnectProviders: [{name: "a", url: "https://a.example", clientIDs: []}, {name: "b", url: "https://a.example", clientIDs: []}]"#,
                "openIDConnectProviders[1].url", "only once"
            ),
        ])
    func wrong(members: String, place: String, expected: String) throws {
        let beside = #"accounts: [{id: "000000000000", rootKeys: [{id: "test", secret: "test"}], buckets: [{name: "box"}]}],"#
        let error = try #require(throws: SeedError.self) { try seed(members, beside: beside) }
        #expect(error.place == "alibaba.accounts[0].\(place)", "\(error)")
        #expect(error.expected.contains(expected), "\(error)")
    }

    @Test("has accounts with sixteen digits", arguments: ["000000000000", "123456789012345a", ""])
    func accountID(id: String) throws {
        let error = try #require(throws: SeedError.self) {
            try SeedFile(name: "s", text: Array("{alibaba: {accounts: [{id: \"\(id)\"}]}}".utf8)).decode()
        }
        #expect(error.place == "alibaba.accounts[0].id")
        #expect(error.expected.contains("sixteen digits"))
    }

    @Test(
        "must refer to existing names",
        arguments: [
            (#"users: [{name: "u", policies: ["none"]}]"#, "users[0].policies[0]"),
            (#"users: [{name: "u", groups: ["none"]}]"#, "users[0].groups[0]"),
            (
                #"groups: [{name: "g", policies: ["AliyunOSSFullAccess", "arn:aws:iam::aws:policy/AdministratorAccess"]}]"#,
                "groups[0].policies[1]"
            ),
            (#"roles: [{name: "r", trustPolicy: \#(AlibabaSeedTests.trust), policies: ["none"]}]"#, "roles[0].policies[0]"),
            (#"samlProviders: [{name: "x", identityProvider: "none"}]"#, "samlProviders[0].identityProvider"),
            (#"buckets: [{name: "photos", sharedWith: "000000000000"}]"#, "buckets[0].sharedWith"),
        ])
    func references(members: String, place: String) throws {
        let decoded = try seed(members)
        let error = try #require(throws: SeedError.self) { try Seed.checkTogether([decoded]) }
        #expect(error.place == "alibaba.accounts[0].\(place)", "\(error)")
        #expect(error.file == "s", "\(error)")
    }

    @Test("is combined with later seeds, which can add to an account and use its policies")
    func together() async throws {
        let first = try seed("rootKeys: [{id: \"LTAIROOT\", secret: \"r\"}], policies: [{name: \"p\", document: \(Self.open)}]")
        let second = try seed("rootKeys: [{id: \"LTAIROOT\", secret: \"r\"}], users: [{name: \"u\", policies: [\"p\"]}]", file: "t")
        let cloud = try await Cloud.open(folder: nil, seeds: [first, second])
        #expect(cloud.directory.user("u", in: Self.id)?.user.attachedPolicies == ["acs:ram::\(Self.id):policy/p"])
        #expect(cloud.directory.accounts[Self.id]?.rootKeys.count == 1)
        await cloud.close()
    }

    @Test("policies of Alibaba Cloud are found by their names, and all compile")
    func systemPolicies() throws {
        let all = ManagedPolicy.allOfAlibaba
        #expect(all.count == 7)
        #expect(RAMSystemPolicy.all.count == 7)
        #expect(Set(all.map(\.name)).count == 7)
        for policy in all {
            #expect(policy.arn == "acs:ram::system:policy/\(policy.name)")
            #expect(policy.document?.version == .ram)
            #expect(ManagedPolicy.ofAlibaba(policy.arn)?.name == policy.name)
        }
        #expect(ManagedPolicy.ofAlibaba("acs:ram::system:policy/None") == nil)
        #expect(ManagedPolicy.ofAWS("acs:ram::system:policy/AdministratorAccess") == nil)
    }
}
