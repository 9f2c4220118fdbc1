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
}
