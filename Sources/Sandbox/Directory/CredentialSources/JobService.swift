package import WireFormats

/// A service whose jobs get ID tokens from an issuer. The raw value is the word in seeds.
package enum JobService: String, Sendable, Codable, CaseIterable {
    case github, gitlab, circleci, bitbucket, buildkite, terraform, kubernetes

    /// The row of the service.
    package var descriptor: JobServiceDescriptor {
        switch self {
        case .github: .github
        case .gitlab: .gitlab
        case .circleci: .circleci
        case .bitbucket: .bitbucket
        case .buildkite: .buildkite
        case .terraform: .terraform
        case .kubernetes: .kubernetes
        }
    }

    /// Returns whether a variable can be one that a service sets for a job: none that shells, loaders and interpreters obey.
    package static func isVariable(_ name: String) -> Bool {
        let isUppercase = name.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }
        guard isUppercase, name.utf8.first.map({ (0x41...0x5A).contains($0) }) == true else { return false }
        guard !obeyed.contains(where: { $0 == name }) else { return false }
        return name.hasSuffix("TOKEN") || name == "CI" || prefixes.contains { name.hasPrefix($0) }
    }

    /// The variables with the files that a workflow's commands are appended to, and with what an agent runs.
    /// (GitHub Docs, "Variables reference"; Buildkite Docs, "Environment variables".)
    private static let obeyed = [
        "GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", "BUILDKITE_BIN_PATH", "BUILDKITE_COMMAND",
        "BUILDKITE_CONFIG_PATH", "BUILDKITE_ENV_FILE", "BUILDKITE_HOOKS_PATH", "BUILDKITE_PLUGINS", "BUILDKITE_PLUGINS_PATH",
        "BUILDKITE_SHELL",
    ]

    private static let prefixes = ["BITBUCKET_", "BUILDKITE", "CI_", "CIRCLE", "GITHUB_", "GITLAB_", "TFC_"]
}

/// What is known of a service apart from the claims that follow from others. Each service has one row.
package struct JobServiceDescriptor: Sendable {
    /// How a job gets its tokens.
    package enum Delivery: Sendable {
        /// It requests them at a URL, with a bearer token.
        case url
        /// Its agent requests them with an access token.
        case agent
        /// The service sets environment variables.
        case variables
        /// The service writes a file, whose path is in an environment variable.
        case file
    }

    /// The name for people.
    package var title: String
    /// How a job gets its tokens.
    package var delivery: Delivery
    /// The lifetime of tokens in seconds.
    package var lifetime: Int64
    /// The seconds by which `nbf` precedes `iat`; `nil` for tokens without it.
    package var notBefore: Int64?
    /// Whether tokens have `jti`.
    package var hasIdentifier = true
    /// The claims that the seed must have.
    package var required: [String]
    /// The usual values of claims, which have the types of the service.
    package var usual: JSONObject
    /// The environment variables of each job, such as `CI`.
    package var variables: [(name: String, value: String)] = []

    /// Returns whether a value has the type of a claim. Claims of GitHub are texts, and other claims that are not known have any type.
    package func accepts(_ value: JSONValue, as claim: String) -> Bool {
        guard delivery != .url else { return value.stringValue != nil }
        return switch usual[claim] {
        case nil: true
        case .string: value.stringValue != nil
        case .integer: value.integerValue != nil
        case .bool: value.boolValue != nil
        case .array: value.arrayValue != nil
        case .object: value.objectValue != nil
        case .number, .null: false
        }
    }
}

private let usualCommit: JSONValue = "0123456789abcdef0123456789abcdef01234567"

extension JobServiceDescriptor {
    /// (GitHub Docs, "OpenID Connect reference".)
    fileprivate static let github = JobServiceDescriptor(
        title: "GitHub Actions", delivery: .url, lifetime: 300, notBefore: 0, required: ["repository"],
        usual: [
            "repository": "", "repository_id": "456789", "repository_owner": "", "repository_owner_id": "123456",
            "repository_visibility": "private", "actor": "", "actor_id": "123456", "ref": "refs/heads/main", "ref_type": "branch",
            "ref_protected": "false", "base_ref": "", "head_ref": "", "sha": usualCommit, "workflow": "deploy", "workflow_ref": "",
            "workflow_sha": usualCommit, "job_workflow_ref": "", "job_workflow_sha": usualCommit, "event_name": "push", "run_id": "1",
            "run_number": "1", "run_attempt": "1", "check_run_id": "1", "runner_environment": "github-hosted",
        ])

    /// (GitLab Docs, "OpenID Connect (OIDC) Authentication Using ID Tokens".)
    fileprivate static let gitlab = JobServiceDescriptor(
        title: "GitLab", delivery: .variables, lifetime: 3600, notBefore: 5, required: ["project_path"],
        usual: [
            "namespace_id": "72", "namespace_path": "", "project_id": "20", "project_path": "", "user_id": "1", "user_login": "developer",
            "user_email": "developer@example.com", "user_access_level": "developer", "pipeline_id": "574", "pipeline_source": "push",
            "job_id": "302", "ref": "main", "ref_type": "branch", "ref_path": "", "ref_protected": "false", "runner_id": 1,
            "runner_environment": "gitlab-hosted", "sha": usualCommit, "project_visibility": "private",
        ], variables: [("CI", "true"), ("GITLAB_CI", "true")])

    /// (CircleCI Docs, "OpenID Connect tokens".)
    fileprivate static let circleci = JobServiceDescriptor(
        title: "CircleCI", delivery: .variables, lifetime: 3600, hasIdentifier: false, required: ["oidc.circleci.com/project-id"],
        usual: [
            "oidc.circleci.com/project-id": "", "oidc.circleci.com/org-id": "",
            "oidc.circleci.com/context-ids": ["6a3e9a5c-0f4e-4d2b-9f3e-2f6d1c8b7a10"],
            "oidc.circleci.com/job-id": "0f8fad5b-d9cb-469f-a165-70867728950e",
            "oidc.circleci.com/pipeline-id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
            "oidc.circleci.com/workflow-id": "16fd2706-8baf-433b-82eb-8c7fada847da",
            "oidc.circleci.com/vcs-origin": "github.com/octo-org/octo-repo", "oidc.circleci.com/vcs-ref": "refs/heads/main",
            "oidc.circleci.com/ssh-rerun": false,
        ], variables: [("CI", "true"), ("CIRCLECI", "true")])

    /// (Bitbucket Cloud, "Integrate Pipelines with resource servers using OIDC".)
    fileprivate static let bitbucket = JobServiceDescriptor(
        title: "Bitbucket Pipelines", delivery: .variables, lifetime: 3600, hasIdentifier: false, required: ["repositoryUuid"],
        usual: [
            "workspaceUuid": "{3e2c8a40-7a0e-4d9e-8c0d-6a7f3b0b8d11}", "accountUuid": "{9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d}",
            "repositoryUuid": "", "pipelineUuid": "{1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed}",
            "pipelineRunUuid": "{2c5ea4c0-4067-41fe-9bad-9b1deb4d3b7d}", "stepUuid": "{6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b}",
            "branchName": "main",
        ], variables: [("CI", "true")])

    /// (Buildkite Docs, "buildkite-agent oidc".)
    fileprivate static let buildkite = JobServiceDescriptor(
        title: "Buildkite", delivery: .agent, lifetime: 300, notBefore: 0, hasIdentifier: false,
        required: ["organization_slug", "pipeline_slug"],
        usual: [
            "organization_slug": "", "pipeline_slug": "", "build_number": 1, "build_branch": "main", "build_commit": usualCommit,
            "step_key": "deploy", "job_id": "0184990a-477b-4fa8-9968-496074483cee", "agent_id": "0184990a-4782-42b5-afc1-16715b10b8ff",
            "organization_id": "0184990a-477b-4fa8-9968-496074483c77", "pipeline_id": "0184990a-4782-42b5-afc1-16715b10b110",
            "cluster_id": "0184990a-4782-42b5-afc1-16715b10b2a0", "cluster_name": "default",
        ], variables: [("CI", "true"), ("BUILDKITE", "true")])

    /// (HCP Terraform, "Workload identity tokens".)
    fileprivate static let terraform = JobServiceDescriptor(
        title: "HCP Terraform", delivery: .variables, lifetime: 7200, notBefore: 5,
        required: ["terraform_organization_name", "terraform_workspace_name"],
        usual: [
            "terraform_organization_id": "org-GRNbCjYNpBB6NEBH", "terraform_organization_name": "",
            "terraform_project_id": "prj-vegSA59s1XPwMr2t", "terraform_project_name": "Default Project",
            "terraform_workspace_id": "ws-mbsd5E3Ktt5Rg2Xm", "terraform_workspace_name": "", "terraform_full_workspace": "",
            "terraform_run_id": "run-X3n1AUXNGWbfECsJ", "terraform_run_phase": "apply",
        ])

    /// (Kubernetes, "Managing Service Accounts", "Schema for service account private claims".)
    fileprivate static let kubernetes = JobServiceDescriptor(
        title: "Kubernetes", delivery: .file, lifetime: 3600, notBefore: 0, required: ["kubernetes.io"], usual: ["kubernetes.io": [:]])
}
