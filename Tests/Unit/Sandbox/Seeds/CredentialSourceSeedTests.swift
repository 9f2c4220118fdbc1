import Fixtures
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import Seeds

@Suite("Instances, tasks and clusters in seeds")
struct CredentialSourceSeedTests {
    private static let instance = "instances: [{id: 'i-0123456789abcdef0', profile: 'web'}]"

    private func seed(_ sources: String, id: String = "111122223333") throws -> Seed {
        let text = """
            {accounts: [{id: "\(id)", roles: [{name: "app", trustPolicy: {Version: "2012-10-17", Statement: [
               {Effect: "Allow", Principal: {Service: "ec2.amazonaws.com"}, Action: "sts:AssumeRole"}]}}],
               instanceProfiles: [{name: "web", role: "app"}], \(sources)}]}
            """
        return try SeedFile(name: "s", text: Array(text.utf8)).decode()
    }

    @Test("are parsed, kept across a restart, and exported")
    func reads() async throws {
        let sources = """
            \(Self.instance), tasks: [{id: '9781c2486b7a4e2f8f0a1c2d3e4f5a6b', role: 'app', authorizationToken: 't'}],
            clusters: [{name: 'shop', associations: [{namespace: 'a', serviceAccount: 'b', role: 'app'}],
              pods: [{name: 'b-0', namespace: 'a', serviceAccount: 'b'}]}],
            trustAnchors: [{id: '00000000-0000-0000-0000-00000000000a', name: 'corp', revoked: ['1a']}],
            anywhereProfiles: [{id: '00000000-0000-0000-0000-00000000000b', name: 'all', roles: ['app'], mappings: {x509Subject: ['CN']}}]
            """
        let decoded = try seed(sources)
        try await withTemporaryFolder { folder async throws in
            let first = try await Cloud.open(folder: folder, seeds: [decoded])
            await first.close()
            let second = try await Cloud.open(folder: folder, seeds: [])
            let known = second.directory.credentialSources
            #expect(second.directory.credentialServices == ["imds", "container", "pod-identity", "rolesanywhere", "signin"])
            #expect(known.instances.first?.arn == "arn:aws:ec2:us-east-1:111122223333:instance/i-0123456789abcdef0")
            #expect(known.instances.first?.metadataTokens == .required)
            #expect(known.task(credentialsID: "9781c248-6b7a-4e2f-8f0a-1c2d3e4f5a6b")?.authorizationToken == "t")
            let cluster = try #require(known.clusters.first)
            #expect(cluster.issuer.hasPrefix("https://oidc.eks.us-east-1.amazonaws.com/id/"))
            #expect(known.cluster(issuer: cluster.issuer)?.name == "shop")
            #expect(cluster.pod(of: cluster.associations[0]).name == "b-0")
            let exported = try await SeedExport(of: second).seed
            let again = try SeedFile(name: "e", text: exported.serializedBytes()).decode()
            #expect(again.accounts.first?.tasks.first?.authorizationToken == "t")
            #expect(again.accounts.first?.clusters.first?.associations.count == 1)
            #expect(again.accounts.first?.instances.first?.profile == "web")
            #expect(again.accounts.first?.trustAnchors.first?.revoked == ["1a"])
            #expect(again.accounts.first?.anywhereProfiles.first?.rules(of: .subject) == ["CN"])
            #expect(again.accounts.first?.anywhereProfiles.first?.rules(of: .issuer) == ["*"])
            try await second.edit { $0.remove(.init(.credentialSource, "instance/i-0123456789abcdef0")) }
            #expect(!second.directory.credentialSources.hasInstances)
            await second.close()
        }
    }

    @Test(
        "that are invalid have an error with the place",
        arguments: [
            ("instances: [{id: 'i-1'}]", "instances[0].id"),
            ("instances: [{id: 'i-0123456789abcdef0', metadataTokens: 'on'}]", "instances[0].metadataTokens"),
            ("instances: [{id: 'i-0123456789abcdef0', availabilityZone: 'us'}]", "instances[0].availabilityZone"),
            ("instances: [{id: 'i-0123456789abcdef0', privateIP: '10.0.0.256'}]", "instances[0].privateIP"),
            ("tasks: [{id: '1', role: 'app'}]", "tasks[0].id"),
            ("tasks: [{id: '9781c2486b7a4e2f8f0a1c2d3e4f5a6b'}]", "tasks[0].role"),
            ("clusters: [{name: '-a'}]", "clusters[0].name"),
            ("trustAnchors: [{id: '1', name: 'a'}]", "trustAnchors[0].id"),
            ("trustAnchors: [{id: '00000000-0000-0000-0000-00000000000a', name: 'a', certificates: 'x'}]", "trustAnchors[0].certificates"),
            ("trustAnchors: [{id: '00000000-0000-0000-0000-00000000000a', name: 'a', revocations: 'x'}]", "trustAnchors[0].revocations"),
            ("trustAnchors: [{id: '00000000-0000-0000-0000-00000000000a', name: 'a', revoked: ['0A']}]", "trustAnchors[0].revoked"),
            (
                "anywhereProfiles: [{id: '00000000-0000-0000-0000-00000000000a', name: 'a', roles: ['app'], mappings: {x509SAN: ['*']}}]",
                "anywhereProfiles[0].mappings"
            ),
            (
                "anywhereProfiles: [{id: '00000000-0000-0000-0000-00000000000a', name: 'a', roles: []}]", "anywhereProfiles[0].roles"
            ),
            ("clusters: [{name: 'a', pods: [{name: 'A', namespace: 'a', serviceAccount: 'a'}]}]", "clusters[0].pods[0].name"),
            (
                "clusters: [{name: 'a', associations: [{namespace: 'a', serviceAccount: 'a', role: 'app', policy: {Version: '2012-10-17', Statement: []}}]}]",
                "clusters[0].associations[0].policy"
            ),
        ])
    func wrong(sources: String, place: String) throws {
        let error = #expect(throws: SeedError.self) { try seed(sources) }
        #expect(error?.place == "accounts[0].\(place)")
    }

    @Test(
        "must refer to existing names",
        arguments: [
            ("instances: [{id: 'i-0123456789abcdef0', profile: 'none'}]", "instances[0].profile"),
            ("tasks: [{id: '9781c2486b7a4e2f8f0a1c2d3e4f5a6b', role: 'none'}]", "tasks[0].role"),
            (
                "anywhereProfiles: [{id: '00000000-0000-0000-0000-00000000000a', name: 'a', roles: ['none']}]",
                "anywhereProfiles[0].roles[0]"
            ),
            (
                "clusters: [{name: 'a', associations: [{namespace: 'a', serviceAccount: 'a', role: 'none'}]}]",
                "clusters[0].associations[0].role"
            ),
        ])
    func references(sources: String, place: String) throws {
        let decoded = try seed(sources)
        let error = #expect(throws: SeedError.self) { try Seed.checkTogether([decoded]) }
        #expect(error?.place == "accounts[0].\(place)")
    }

    @Test(
        "of jobs need a repository, and texts as claims",
        arguments: [
            ("claims: {}", "jobs[0].claims"), ("claims: {repository: 'r'}", "jobs[0].claims"),
            ("claims: {repository: 'o/r', run_id: 1}", "jobs[0].claims"), ("claims: {repository: 'o/r'}, sub: 'x'", "jobs[0].sub"),
        ])
    func jobs(members: String, place: String) throws {
        let text = """
            {identityProviders: [{name: "github-actions", issuer: "https://token.actions.githubusercontent.com",
              jobs: [{name: "deploy", requestToken: "t", \(members)}]}]}
            """
        let error = #expect(throws: SeedError.self) { try SeedFile(name: "s", text: Array(text.utf8)).decode() }
        #expect(error?.place == "identityProviders[0].\(place)")
    }

    @Test(
        "of jobs have only what the service has",
        arguments: [
            ("service: 'gitlab', claims: {}", "claims"),
            ("service: 'gitlab', requestToken: 't', claims: {project_path: 'a/b'}", "requestToken"),
            ("service: 'buildkite', claims: {organization_slug: 'o', pipeline_slug: 'p'}", "requestToken"),
            ("service: 'gitlab', claims: {project_path: 'a/b', runner_id: '1'}", "claims"),
            ("service: 'gitlab', immutableSubject: true, claims: {project_path: 'a/b'}", "immutableSubject"),
            ("service: 'terraform', variable: 'A', claims: {terraform_organization_name: 'o', terraform_workspace_name: 'w'}", "variable"),
            ("service: 'kubernetes', claims: {'kubernetes.io': {namespace: 'a'}}", "claims"), ("service: 'jenkins'", "service"),
            ("requestToken: 't', audiences: ['a'], claims: {repository: 'o/r'}", "audiences"),
        ])
    func services(members: String, place: String) throws {
        let text = "{identityProviders: [{name: 'ci', issuer: 'https://ci.example', jobs: [{name: 'deploy', \(members)}]}]}"
        let error = #expect(throws: SeedError.self) { try SeedFile(name: "s", text: Array(text.utf8)).decode() }
        #expect(error?.place == "identityProviders[0].jobs[0].\(place)")
    }

    @Test("have IDs that are unique in the sandbox")
    func unique() throws {
        let (one, other) = (try seed(Self.instance), try seed(Self.instance, id: "444455556666"))
        let error = #expect(throws: SeedError.self) { try Seed.checkTogether([one, other]) }
        #expect(error?.place == "accounts[0].instances[0].id")
    }

    private func center(_ members: String, sets: String = "{name: 'Dev'}") throws -> Seed {
        let text = """
            {accounts: [{id: "111122223333"}],
             identityProviders: [{name: "company", issuer: "https://login.company.example", people: [{name: "alice", subject: "1", password: "p-alice"}]}],
             identityCenter: {\(members), permissionSets: [\(sets)]}}
            """
        return try SeedFile(name: "s", text: Array(text.utf8)).decode()
    }

    @Test("IAM Identity Center is kept across a restart and exported, without the roles that it makes again")
    func identityCenter() async throws {
        let assignments = "identityProvider: 'company', assignments: [{account: '111122223333', permissionSet: 'Dev', people: ['alice']}]"
        let decoded = try center(assignments)
        try await withTemporaryFolder { folder async throws in
            let first = try await Cloud.open(folder: folder, seeds: [decoded])
            await first.close()
            let second = try await Cloud.open(folder: folder, seeds: [])
            #expect(second.directory.credentialServices == ["signin", "sso-oidc", "sso"])
            let center = try #require(second.directory.credentialSources.identityCenter)
            #expect(center.startURL == "https://d-0123456789.awsapps.com/start")
            #expect(second.directory.role(center.roleName(of: "Dev", in: "111122223333"), in: "111122223333") != nil)
            let exported = try await SeedExport(of: second).seed
            #expect(exported["accounts"]?.arrayValue?.first?["roles"] == nil)
            #expect(exported["accounts"]?.arrayValue?.first?["samlProviders"] == nil)
            let again = try SeedFile(name: "e", text: exported.serializedBytes()).decode()
            #expect(again.identityCenter?.assignments.first?.people == ["alice"])
            #expect(again.identityCenter?.permissionSets.map(\.name) == ["Dev"])
            await second.close()
        }
    }

    @Test(
        "IAM Identity Center that is invalid has an error with the place",
        arguments: [
            ("region: 'x'", "{name: 'Dev'}", "identityProvider"), ("identityProvider: 'company', region: 'US'", "{name: 'Dev'}", "region"),
            ("identityProvider: 'company', startURL: 'http://x'", "{name: 'Dev'}", "startURL"),
            ("identityProvider: 'company', instance: 'x'", "{name: 'Dev'}", "instance"),
            ("identityProvider: 'company'", "{name: 'Dev', sessionDuration: 60}", "permissionSets[0].sessionDuration"),
            ("identityProvider: 'company'", "{name: 'a b'}", "permissionSets[0].name"),
        ])
    func wrongCenter(members: String, sets: String, place: String) throws {
        let error = #expect(throws: SeedError.self) { try center(members, sets: sets) }
        #expect(error?.place == "identityCenter.\(place)")
    }

    @Test(
        "IAM Identity Center must refer to existing names",
        arguments: [
            ("identityProvider: 'none'", "identityProvider"),
            ("identityProvider: 'company', assignments: [{account: '1', permissionSet: 'Dev'}]", "assignments[0].account"),
            (
                "identityProvider: 'company', assignments: [{account: '111122223333', permissionSet: 'None'}]",
                "assignments[0].permissionSet"
            ),
            (
                "identityProvider: 'company', assignments: [{account: '111122223333', permissionSet: 'Dev', people: ['bob']}]",
                "assignments[0].people[0]"
            ),
        ])
    func centerReferences(members: String, place: String) throws {
        let decoded = try center(members)
        let error = #expect(throws: SeedError.self) { try Seed.checkTogether([decoded]) }
        #expect(error?.place == "identityCenter.\(place)")
    }
}
