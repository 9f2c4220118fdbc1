import Cloud
import Directory
import Testing
import Tokens
import WireFormats

@testable import Federation

@Suite("ID tokens of jobs")
struct WorkflowTokenTests {
    /// Returns the claims of a job's token.
    private func claims(
        _ members: String, issuer: String, _ request: WorkflowClaims.Request = .init()
    ) async throws -> JSONObject {
        try await withSandbox(of: Self.seed(members, issuer)) { cloud async throws in
            let (provider, job) = try #require(cloud.directory.jobs.first)
            return try JSONWebToken(parsing: try await WorkflowToken.make(for: job, of: provider, request, in: cloud)).claims
        }
    }

    private static func seed(_ members: String, _ issuer: String) -> String {
        "{accounts: [{id: '111122223333'}], identityProviders: [{name: 'ci', issuer: '\(issuer)', jobs: [{name: 'j', \(members)}]}]}"
    }

    private static let circle = "https://oidc.circleci.com/org/5034460f-c7c4-4c43-9457-de07e2029e7b"

    @Test(
        "have the subject, the audience and the lifetime of the service (K30)",
        arguments: [
            (
                "service: 'gitlab', claims: {project_path: 'g/p'}", "https://gitlab.com", "project_path:g/p:ref_type:branch:ref:main",
                "sts.amazonaws.com", 3600
            ),
            (
                "service: 'gitlab', lifetime: 300, claims: {project_path: 'g/p', ref_type: 'tag', ref: 'v1'}", "https://gitlab.com",
                "project_path:g/p:ref_type:tag:ref:v1", "sts.amazonaws.com", 300
            ),
            (
                "service: 'circleci', claims: {'oidc.circleci.com/project-id': 'p'}", circle,
                "org/5034460f-c7c4-4c43-9457-de07e2029e7b/project/p/user/2f6d1c8b-7a10-4d2b-9f3e-6a3e9a5c0f4e",
                "5034460f-c7c4-4c43-9457-de07e2029e7b", 3600
            ),
            (
                "service: 'buildkite', requestToken: 't', claims: {organization_slug: 'o', pipeline_slug: 'p', build_commit: 'c'}",
                "https://agent.buildkite.com", "organization:o:pipeline:p:ref:refs/heads/main:commit:c:step:deploy",
                "https://buildkite.com/o", 300
            ),
            (
                "service: 'buildkite', requestToken: 't', claims: {organization_slug: 'o', pipeline_slug: 'p', build_commit: 'c', build_tag: 'v1'}",
                "https://agent.buildkite.com", "organization:o:pipeline:p:ref:refs/tags/v1:commit:c:step:deploy",
                "https://buildkite.com/o", 300
            ),
            (
                "service: 'terraform', claims: {terraform_organization_name: 'o', terraform_workspace_name: 'w'}",
                "https://app.terraform.io",
                "organization:o:project:Default Project:workspace:w:run_phase:apply", "aws.workload.identity", 7200
            ),
        ])
    func services(members: String, issuer: String, subject: String, audience: String, lifetime: Int) async throws {
        let claims = try await claims(members, issuer: issuer)
        #expect(claims["iss"] == .string(issuer))
        #expect(claims["sub"] == .string(subject))
        #expect(claims["aud"] == .string(audience))
        let life = (claims["exp"]?.integerValue ?? 0) - (claims["iat"]?.integerValue ?? 0)
        #expect(life == Int64(lifetime))
    }

    @Test("have claims of the types of the service (K30)")
    func types() async throws {
        let gitLab = try await claims("service: 'gitlab', claims: {project_path: 'g/p'}", issuer: "https://gitlab.com")
        #expect(gitLab["project_id"] == "20")
        #expect(gitLab["runner_id"] == 1)
        #expect(gitLab["namespace_path"] == "g")
        #expect(gitLab["ref_path"] == "refs/heads/main")
        let circle = try await claims("service: 'circleci', claims: {'oidc.circleci.com/project-id': 'p'}", issuer: Self.circle)
        #expect(circle["oidc.circleci.com/ssh-rerun"] == false)
        #expect(circle["oidc.circleci.com/context-ids"]?.arrayValue?.count == 1)
        #expect(circle["jti"] == nil)
        #expect(circle["nbf"] == nil)
    }

    @Test("of Bitbucket have a list of audiences, and the environment in the subject (K30)")
    func bitbucket() async throws {
        let issuer = "https://api.bitbucket.org/2.0/workspaces/w/pipelines-config/identity/oidc"
        let members = "service: 'bitbucket', claims: {repositoryUuid: '{r}', stepUuid: '{s}', workspaceUuid: '{w}'"
        let usual = try await claims(members + "}", issuer: issuer)
        #expect(usual["sub"] == "{r}:{s}")
        #expect(usual["aud"] == ["ari:cloud:bitbucket::workspace/w"])
        let deployment = try await claims(members + ", deploymentEnvironmentUuid: '{e}'}, audiences: ['a', 'b']", issuer: issuer)
        #expect(deployment["sub"] == "{r}:{e}:{s}")
        #expect(deployment["aud"] == ["a", "b"])
    }

    @Test("of Buildkite have further claims on request only (K30)")
    func optionalClaims() async throws {
        let members = "service: 'buildkite', requestToken: 't', claims: {organization_slug: 'o', pipeline_slug: 'p'}"
        let usual = try await claims(members, issuer: "https://agent.buildkite.com")
        #expect(usual["organization_id"] == nil)
        #expect(usual["build_number"] == 1)
        var request = WorkflowClaims.Request()
        request.claims = ["organization_id"]
        request.audience = "sts.amazonaws.com"
        request.lifetime = 60
        let more = try await claims(members, issuer: "https://agent.buildkite.com", request)
        #expect(more["organization_id"]?.stringValue != nil)
        #expect(more["pipeline_id"] == nil)
        #expect(more["aud"] == "sts.amazonaws.com")
    }

    @Test("of Kubernetes name the service account (K14, K30)")
    func kubernetes() async throws {
        let claims = try await claims(
            "service: 'kubernetes', claims: {'kubernetes.io': {namespace: 'pay', serviceaccount: {name: 'processor'}}}",
            issuer: "https://cluster.example")
        #expect(claims["sub"] == "system:serviceaccount:pay:processor")
        #expect(claims["aud"] == ["sts.amazonaws.com"])
        #expect(claims["kubernetes.io"]?["namespace"] == "pay")
    }

    @Test(
        "are in the variables of the service (K30)",
        arguments: [
            ("service: 'gitlab', claims: {project_path: 'g/p'}", ["CI", "GITLAB_CI", "GITLAB_OIDC_TOKEN"]),
            ("service: 'gitlab', variable: 'AWS_ID_TOKEN', claims: {project_path: 'g/p'}", ["CI", "GITLAB_CI", "AWS_ID_TOKEN"]),
            (
                "service: 'circleci', claims: {'oidc.circleci.com/project-id': 'p'}",
                ["CI", "CIRCLECI", "CIRCLE_OIDC_TOKEN", "CIRCLE_OIDC_TOKEN_V2"]
            ),
            ("service: 'bitbucket', claims: {repositoryUuid: '{r}'}", ["CI", "BITBUCKET_STEP_OIDC_TOKEN"]),
            (
                "service: 'terraform', claims: {terraform_organization_name: 'o', terraform_workspace_name: 'w'}",
                ["TFC_WORKLOAD_IDENTITY_TOKEN"]
            ),
            (
                "service: 'buildkite', requestToken: 't', claims: {organization_slug: 'o', pipeline_slug: 'p'}",
                ["CI", "BUILDKITE", "BUILDKITE_JOB_ID"]
            ),
            ("requestToken: 't', claims: {repository: 'o/r'}", []),
        ])
    func variables(members: String, names: [String]) async throws {
        try await withSandbox(of: Self.seed(members, Self.circle)) { cloud async throws in
            let (provider, job) = try #require(cloud.directory.jobs.first)
            let variables = try await WorkflowToken.variables(of: job, provider, in: cloud)
            #expect(variables.map { $0.name } == names)
            guard let second = variables.first(where: { $0.name == "CIRCLE_OIDC_TOKEN_V2" })?.value else { return }
            let subject = try JSONWebToken(parsing: second).claims["sub"]?.stringValue ?? ""
            #expect(subject.hasSuffix("/vcs-origin/github.com/octo-org/octo-repo/vcs-ref/refs/heads/main"))
        }
    }
}
