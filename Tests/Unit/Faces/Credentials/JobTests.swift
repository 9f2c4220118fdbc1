import Cloud
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import CredentialsFace

@Suite("ID tokens of jobs of GitHub Actions")
struct JobTests {
    private static let path = "/_actions/github-actions/deploy/token?api-version=2.0"
    private static let bearer = ["Authorization": "bearer bearer"]

    private func tokenClaims(_ answer: FaceAnswer) throws -> JSONObject {
        try JSONWebToken(parsing: try #require(answer.member("value"))).claims
    }

    @Test("have the usual claims, for the requested audience (K27)")
    func usual() async throws {
        try await DoorSandbox.run(DoorSandbox.job("claims: {repository: 'octo-org/octo-repo', run_id: '7'}")) { sandbox async throws in
            let answer = try await sandbox.send(.get, Self.path + "&audience=sts.amazonaws.com", Self.bearer)
            #expect(answer.status == 200)
            #expect(answer.json.names == ["value"])
            let claims = try tokenClaims(answer)
            #expect(claims["iss"] == "https://token.actions.githubusercontent.com")
            #expect(claims["aud"] == "sts.amazonaws.com")
            #expect(claims["repository_owner"] == "octo-org")
            #expect(claims["run_id"] == "7")
            let lifetime = (claims["exp"]?.integerValue ?? 0) - (claims["iat"]?.integerValue ?? 0)
            #expect(lifetime == 300)
            let key = try await sandbox.cloud.signingKey(for: "github-actions")
            #expect(try JSONWebToken(parsing: try #require(answer.member("value"))).keyID == key.keyID)
            #expect(answer.journal.face == "actions")
            #expect(answer.journal.operation == "GetIDToken")
            let usual = try await sandbox.send(.get, Self.path, Self.bearer)
            #expect(try tokenClaims(usual)["aud"] == "https://github.com/octo-org")
        }
    }

    @Test(
        "have one of five forms of sub (K27)",
        arguments: [
            ("claims: {repository: 'o/r'}", "repo:o/r:ref:refs/heads/main"),
            ("claims: {repository: 'o/r', event_name: 'pull_request'}", "repo:o/r:pull_request"),
            ("claims: {repository: 'o/r', environment: 'prod:eu'}", "repo:o/r:environment:prod%3Aeu"),
            ("immutableSubject: true, claims: {repository: 'o/r'}", "repo:o@123456/r@456789:ref:refs/heads/main"),
            ("subjectClaims: ['repo', 'context', 'actor'], claims: {repository: 'o/r'}", "repo:o/r:ref:refs/heads/main:actor:o"),
        ])
    func subjects(members: String, subject: String) async throws {
        try await DoorSandbox.run(DoorSandbox.job(members)) { sandbox async throws in
            let answer = try await sandbox.send(.get, Self.path, Self.bearer)
            #expect(try tokenClaims(answer)["sub"] == .string(subject))
        }
    }

    @Test("require the token of the job, and no browser (K27, K38)")
    func refusals() async throws {
        try await DoorSandbox.run(DoorSandbox.job("claims: {repository: 'o/r'}")) { sandbox async throws in
            #expect(try await sandbox.send(.get, Self.path).status == 401)
            #expect(try await sandbox.send(.get, Self.path, ["Authorization": "bearer x"]).status == 401)
            #expect(try await sandbox.send(.get, Self.path, Self.bearer.merging(["Origin": "null"]) { _, new in new }).status == 403)
            #expect(try await sandbox.send(.get, "/_actions/github-actions/other/token", Self.bearer).status == 404)
            #expect(try await sandbox.send(.get, "/_actions/other/deploy/token", Self.bearer).status == 404)
            #expect(try await sandbox.send(.get, "/_actions/github-actions", Self.bearer).status == 404)
        }
    }

    @Test("are at the path of the issuer, where the token names the job (K27)")
    func issuerPath() async throws {
        let jobs =
            "{name: 'a', requestToken: 'one', claims: {repository: 'o/a'}}, {name: 'b', requestToken: 'two', claims: {repository: 'o/b'}}"
        try await DoorSandbox.run(DoorSandbox.seed(jobs: jobs)) { sandbox async throws in
            let path = "/idp/github-actions/actions-token?api-version=2&audience=x"
            let answer = try await sandbox.send(.get, path, ["Authorization": "bearer two"])
            #expect(answer.status == 200)
            #expect(try tokenClaims(answer)["repository"] == "o/b")
            #expect(try tokenClaims(answer)["aud"] == "x")
            #expect(try await sandbox.send(.get, path, ["Authorization": "bearer three"]).status == 401)
            #expect(try await sandbox.send(.get, path, ["Authorization": "bearer two", "Origin": "null"]).status == 403)
            #expect(try await sandbox.send(.get, "/idp/none/actions-token", ["Authorization": "bearer two"]).status == 404)
        }
    }

    private static let buildkite = DoorSandbox.job(
        "service: 'buildkite', claims: {organization_slug: 'o', pipeline_slug: 'p', job_id: 'j-1'}")
    private static let agentPath = "/_actions/github-actions/deploy/v3/jobs/j-1/oidc/tokens"
    private static let agent = ["Authorization": "Token bearer"]

    @Test("are requested by agents of Buildkite (K30)")
    func agents() async throws {
        try await DoorSandbox.run(Self.buildkite) { sandbox async throws in
            let body = #"{"audience": "sts.amazonaws.com", "lifetime": 60, "claims": ["organization_id"]}"#
            let answer = try await sandbox.send(.post, Self.agentPath, Self.agent, body: body)
            #expect(answer.status == 200)
            #expect(answer.json.names == ["token"])
            let claims = try JSONWebToken(parsing: try #require(answer.member("token"))).claims
            #expect(claims["aud"] == "sts.amazonaws.com")
            #expect(claims["organization_id"] != nil)
            #expect((claims["exp"]?.integerValue ?? 0) - (claims["iat"]?.integerValue ?? 0) == 60)
            #expect(try await sandbox.send(.post, Self.agentPath, Self.bearer).status == 401)
            #expect(try await sandbox.send(.get, Self.agentPath, Self.agent).status == 405)
            let other = try await sandbox.send(.post, "/_actions/github-actions/deploy/v3/jobs/j-2/oidc/tokens", Self.agent)
            #expect(other.status == 404)
            #expect(try await sandbox.send(.get, Self.path, Self.bearer).status == 404)
        }
    }

    @Test(
        "are refused to agents whose requests have unknown members (K30)",
        arguments: [#"{"x": 1}"#, #"{"claims": ["actor"]}"#, #"{"lifetime": -1}"#, #"{"aws_session_tags": ["organization_slug"]}"#, "["])
    func refusedOrders(body: String) async throws {
        try await DoorSandbox.run(Self.buildkite) { sandbox async throws in
            #expect(try await sandbox.send(.post, Self.agentPath, Self.agent, body: body).status == 422)
        }
    }
}
