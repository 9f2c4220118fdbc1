import WireFormats

/// The claims of ID tokens that only some issuers have as condition keys of trust policies, since January 2026. They are not kept in the
/// session. (IAM User Guide, "Available keys for AWS OIDC federation"; Service Authorization Reference, "AWS Security Token Service".)
enum ProviderClaims {
    /// Returns the names of an issuer's claims; most have none.
    /// - Parameter issuer: host and path of the issuer's URL.
    static func names(of issuer: String) -> [String] {
        let host = Substring(issuer.utf8.prefix { $0 != UInt8(ascii: "/") })
        // All of them are at the standard port and in three domains. Other issuers are compared with no host.
        guard !host.utf8.contains(UInt8(ascii: ":")), domains.contains(where: { host.hasSuffix($0) }) else { return [] }
        switch host {
        case "token.actions.githubusercontent.com": return gitHub
        case "github.com": return issuer.hasPrefix("github.com/enterprises/") ? gitHub : []
        case "gitlab.com": return gitLab
        case "agent.buildkite.com": return buildkite
        case "oidc.circleci.com": return issuer.hasPrefix("oidc.circleci.com/org/") ? ["oidc.circleci.com/project-id"] : []
        default:
            if host.hasSuffix(".ghe.com"), host.hasPrefix("token.actions.") { return gitHub }
            if host.hasSuffix(".identity.oraclecloud.com"), host.hasPrefix("idcs-") { return ["rpst_id"] }
            let isBuildkite = host.hasSuffix(".buildkite.dev") || host.hasSuffix(".buildkite.site")
            return isBuildkite && host.hasPrefix("agent.") ? buildkite : []
        }
    }

    private static let domains = [".com", ".dev", ".site"]

    private static let gitHub = [
        "actor", "actor_id", "job_workflow_ref", "repository", "repository_id", "repository_owner_id", "workflow", "ref", "environment",
        "enterprise_id",
    ]

    private static let gitLab = [
        "namespace_id", "project_id", "user_id", "user_login", "user_email", "user_access_level", "ref_protected", "pipeline_source",
        "runner_environment",
    ]

    private static let buildkite = [
        "organization_slug", "organization_id", "pipeline_slug", "pipeline_id", "cluster_name", "cluster_id", "build_branch",
    ]

    /// Returns the value of a claim as that of a condition key; `nil` for one that has none.
    static func value(of claim: JSONValue?) -> String? {
        switch claim {
        case .string(let text): text
        case .integer(let number): String(number)
        case .bool(let flag): String(flag)
        default: nil
        }
    }
}
