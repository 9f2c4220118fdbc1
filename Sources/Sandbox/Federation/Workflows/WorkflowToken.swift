package import Cloud
import Cryptography
package import Directory
import Tokens
import WireFormats

/// An ID token of a job, and what the environment of the job has of it.
package enum WorkflowToken {
    /// Returns a new token, as the service issues it.
    /// - Throws: an error of the keys, or of the random generator.
    package static func make(
        for job: WorkflowJob, of provider: IdentityProvider, _ request: WorkflowClaims.Request = .init(), in cloud: Cloud
    ) async throws -> String {
        try await sign(claims(of: job, provider, request, cloud), by: provider, in: cloud)
    }

    /// Returns the environment variables of a job: those that say which service runs it, and those with tokens.
    /// - Throws: an error of the keys, or of the random generator.
    package static func variables(
        of job: WorkflowJob, _ provider: IdentityProvider, in cloud: Cloud
    ) async throws -> [(name: String, value: String)] {
        var variables = job.service.descriptor.variables
        let token = try await make(for: job, of: provider, in: cloud)
        switch job.service {
        case .gitlab: variables.append((job.variable ?? "GITLAB_OIDC_TOKEN", token))
        case .circleci:
            variables.append(("CIRCLE_OIDC_TOKEN", token))
            var claims = try claims(of: job, provider, .init(), cloud)
            if job.claims["sub"] == nil {
                claims["sub"] = .string(JobSubject(job: job, values: claims, issuer: provider.issuer ?? "").circleSecond)
            }
            variables.append(("CIRCLE_OIDC_TOKEN_V2", try await sign(claims, by: provider, in: cloud)))
        case .bitbucket: variables.append(("BITBUCKET_STEP_OIDC_TOKEN", token))
        case .terraform: variables.append(("TFC_WORKLOAD_IDENTITY_TOKEN", token))
        case .buildkite: variables.append(("BUILDKITE_JOB_ID", WorkflowClaims(of: job, issuer: provider.issuer ?? "")["job_id"] ?? ""))
        case .github, .kubernetes: break
        }
        return variables
    }

    private static func claims(
        of job: WorkflowJob, _ provider: IdentityProvider, _ request: WorkflowClaims.Request, _ cloud: Cloud
    ) throws -> JSONObject {
        WorkflowClaims(of: job, issuer: provider.issuer ?? "").claims(
            request, identifier: SignedAccess.identifier(try randomBytes(16)), issued: cloud.clock.now)
    }

    private static func sign(_ claims: JSONObject, by provider: IdentityProvider, in cloud: Cloud) async throws -> String {
        let key = try await cloud.signingKey(for: provider.name, algorithm: provider.signingAlgorithm ?? .rs256)
        return try JSONWebToken.sign(claims: claims, key: key)
    }
}
