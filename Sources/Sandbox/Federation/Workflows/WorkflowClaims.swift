package import Directory
package import WireFormats

/// The claims of the ID tokens of GitHub Actions. (GitHub Docs, "OpenID Connect reference".)
package struct WorkflowClaims: Sendable {
    /// The lifetime of tokens in seconds.
    package static let lifetime: Int64 = 300

    private let job: WorkflowJob
    /// The claims about the job, all of which are texts.
    private var texts: JSONObject

    /// The claims of a job: those of the seed, and the usual values of the others.
    package init(of job: WorkflowJob) {
        self.job = job
        let workflow = "\(job.repository)/.github/workflows/deploy.yml@refs/heads/main"
        let commit = "0123456789abcdef0123456789abcdef01234567"
        texts = [
            "repository": "", "repository_id": "456789", "repository_owner": .string(job.owner), "repository_owner_id": "123456",
            "repository_visibility": "private", "actor": .string(job.owner), "actor_id": "123456", "ref": "refs/heads/main",
            "ref_type": "branch", "ref_protected": "false", "base_ref": "", "head_ref": "", "sha": .string(commit), "workflow": "deploy",
            "workflow_ref": .string(workflow), "workflow_sha": .string(commit), "job_workflow_ref": .string(workflow),
            "job_workflow_sha": .string(commit), "event_name": "push", "run_id": "1", "run_number": "1", "run_attempt": "1",
            "check_run_id": "1", "runner_environment": "github-hosted",
        ]
        for (name, value) in job.claims.members { texts[name] = value }
    }

    /// Returns the value of a claim about the job; `nil` if there is none.
    package subscript(name: String) -> String? { texts[name]?.stringValue }

    /// The subject of the job.
    package var subject: String {
        guard job.subjectClaims.isEmpty else {
            return job.subjectClaims.map { name in
                switch name {
                case "repo": "repo:\(repository)"
                case "context": context
                default: "\(name):\(Self.escaped(self[name] ?? ""))"
                }
            }.joined(separator: ":")
        }
        return "repo:\(repository):\(context)"
    }

    /// The repository, with the IDs of owner and repository if they belong to the subject.
    private var repository: String {
        guard job.immutableSubject else { return job.repository }
        let name = job.repository.dropFirst(job.owner.count + 1)
        return "\(job.owner)@\(self["repository_owner_id"] ?? "")/\(name)@\(self["repository_id"] ?? "")"
    }

    /// What the job runs for: an environment, a pull request, or a branch or tag.
    private var context: String {
        if let environment = self["environment"] { return "environment:\(Self.escaped(environment))" }
        return self["event_name"] == "pull_request" ? "pull_request" : "ref:\(Self.escaped(self["ref"] ?? ""))"
    }

    /// Colons separate the parts of a subject.
    private static func escaped(_ value: String) -> String { value.replacing(":", with: "%3A") }

    /// Returns all claims of a token.
    /// - Parameters:
    ///   - audience: the audience; `nil` for the URL of the owner.
    ///   - identifier: the value of `jti`.
    package func claims(issuer: String, audience: String?, identifier: String, issued: Timestamp) -> JSONObject {
        let now = issued.seconds
        var claims: JSONObject = [
            "jti": .string(identifier), "sub": .string(subject), "aud": .string(audience ?? "https://github.com/\(job.owner)"),
        ]
        for (name, value) in texts.members { claims[name] = value }
        claims["iss"] = .string(issuer)
        claims["nbf"] = .integer(now)
        claims["exp"] = .integer(now + Self.lifetime)
        claims["iat"] = .integer(now)
        return claims
    }
}
