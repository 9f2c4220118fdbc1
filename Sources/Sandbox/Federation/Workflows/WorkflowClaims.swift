package import Directory
package import WireFormats

/// The claims of the ID tokens of a job.
package struct WorkflowClaims: Sendable {
    /// What a job requests of a token.
    package struct Request: Sendable {
        /// The audience; `nil` for those of the job, or the usual one of the service.
        package var audience: String?
        /// The lifetime in seconds; `nil` for that of the job, or the usual one of the service.
        package var lifetime: Int64?
        /// The optional claims, which only Buildkite has.
        package var claims: [String] = []

        package init() {}
    }

    private let job: WorkflowJob
    private let issuer: String
    /// The claims about the job.
    private let values: JSONObject

    /// The claims of a job: those of the seed, and the usual values of the others.
    package init(of job: WorkflowJob, issuer: String) {
        self.job = job
        self.issuer = issuer
        var values = job.service.descriptor.usual
        // Some usual values follow from claims of the seed.
        for (name, value) in job.claims.members { values[name] = value }
        for (name, value) in JobSubject(job: job, values: values, issuer: issuer).derived where job.claims[name] == nil {
            values[name] = value
        }
        self.values = values
    }

    /// Returns the value of a claim about the job; `nil` if there is none.
    package subscript(name: String) -> String? { values[name]?.stringValue }

    /// The subject of the job.
    package var subject: String { self["sub"] ?? JobSubject(job: job, values: values, issuer: issuer).text }

    /// Returns all claims of a token.
    /// - Parameter identifier: the value of `jti`.
    package func claims(_ request: Request = Request(), identifier: String, issued: Timestamp) -> JSONObject {
        let row = job.service.descriptor
        let now = issued.seconds
        var claims: JSONObject = [:]
        if row.hasIdentifier { claims["jti"] = .string(identifier) }
        claims["sub"] = .string(subject)
        claims["aud"] = audience(request.audience)
        for (name, value) in values.members where !isOptional(name) || request.claims.contains(where: { $0 == name }) {
            claims[name] = value
        }
        claims["iss"] = .string(issuer)
        if let notBefore = row.notBefore { claims["nbf"] = .integer(now - notBefore) }
        claims["exp"] = .integer(now + (request.lifetime ?? job.lifetime.map(Int64.init) ?? row.lifetime))
        claims["iat"] = .integer(now)
        return claims
    }

    /// Returns whether tokens have a claim only on request.
    private func isOptional(_ name: String) -> Bool { job.service == .buildkite && Self.optionalClaims.contains { $0 == name } }

    /// The claims that a job of Buildkite may request. (Buildkite Docs, "buildkite-agent oidc", "Optional claims".)
    package static let optionalClaims = ["organization_id", "pipeline_id", "cluster_id", "cluster_name"]

    /// The claims whose values GitHub Actions also sets as variables of a job, such as `GITHUB_REF`. (GitHub Docs, "Variables reference".)
    package static let shownToJobs = [
        "repository", "repository_id", "repository_owner", "repository_owner_id", "workflow", "workflow_ref", "workflow_sha", "actor",
        "actor_id", "sha", "ref", "ref_type", "ref_protected", "base_ref", "head_ref", "event_name", "run_id", "run_number", "run_attempt",
    ]

    /// The value of `aud`.
    private func audience(_ requested: String?) -> JSONValue {
        let own = job.audiences ?? []
        let audiences = requested.map { [$0] } ?? (own.isEmpty ? [usualAudience] : own)
        let isList = audiences.count > 1 || [.bitbucket, .kubernetes].contains(job.service)
        return isList ? .array(audiences.map { .string($0) }) : .string(audiences[0])
    }

    private var usualAudience: String {
        switch job.service {
        case .github: "https://github.com/\(job.owner)"
        case .gitlab, .kubernetes: "sts.amazonaws.com"
        case .circleci: self["oidc.circleci.com/org-id"] ?? ""
        case .bitbucket: "ari:cloud:bitbucket::workspace/\((self["workspaceUuid"] ?? "").filter { $0 != "{" && $0 != "}" })"
        case .buildkite: "https://buildkite.com/\(self["organization_slug"] ?? "")"
        case .terraform: "aws.workload.identity"
        }
    }
}
