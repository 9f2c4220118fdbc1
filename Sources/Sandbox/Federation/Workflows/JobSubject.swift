import Directory
import WireFormats

/// The subject of a job, and the claims that follow from others. Each service has its own form.
struct JobSubject {
    let job: WorkflowJob
    let values: JSONObject
    let issuer: String

    private func value(_ name: String) -> String { values[name]?.stringValue ?? "" }

    /// The subject.
    var text: String {
        switch job.service {
        case .github: gitHub
        case .gitlab: "project_path:\(value("project_path")):ref_type:\(value("ref_type")):ref:\(value("ref"))"
        case .circleci: "org/\(value("oidc.circleci.com/org-id"))/project/\(value("oidc.circleci.com/project-id"))/user/\(Self.circleUser)"
        case .bitbucket:
            [value("repositoryUuid"), value("deploymentEnvironmentUuid"), value("stepUuid")].filter { !$0.isEmpty }.joined(separator: ":")
        case .buildkite:
            "organization:\(value("organization_slug")):pipeline:\(value("pipeline_slug")):ref:\(buildReference):commit:\(value("build_commit")):step:\(value("step_key"))"
        case .terraform: "\(workspace):run_phase:\(value("terraform_run_phase"))"
        case .kubernetes:
            "system:serviceaccount:\(values["kubernetes.io"]?["namespace"]?.stringValue ?? ""):\(values["kubernetes.io"]?["serviceaccount"]?["name"]?.stringValue ?? "")"
        }
    }

    /// The usual values that follow from other claims.
    var derived: [(name: String, value: JSONValue)] {
        switch job.service {
        case .github:
            let isPullRequest = value("event_name") == "pull_request"
            let reference = isPullRequest && job.claims["ref"] == nil ? "refs/pull/1/merge" : value("ref")
            let workflow = JSONValue.string("\(job.repository)/.github/workflows/deploy.yml@\(reference)")
            return [
                ("repository_owner", .string(job.owner)), ("actor", .string(job.owner)), ("workflow_ref", workflow),
                ("job_workflow_ref", workflow), ("ref", .string(reference)),
                ("ref_type", reference.hasPrefix("refs/tags/") ? "tag" : "branch"), ("base_ref", isPullRequest ? "main" : ""),
                ("head_ref", isPullRequest ? "feature" : ""),
            ]
        case .gitlab:
            let path = value("project_path").split(separator: "/").dropLast().joined(separator: "/")
            let kind = value("ref_type") == "tag" ? "tags" : "heads"
            return [("namespace_path", .string(path)), ("ref_path", .string("refs/\(kind)/\(value("ref"))"))]
        case .circleci:
            let organization = issuer.split(separator: "/").last.map { String($0) } ?? ""
            return [("oidc.circleci.com/org-id", .string(organization))]
        case .terraform: return [("terraform_full_workspace", .string(workspace))]
        case .bitbucket, .buildkite, .kubernetes: return []
        }
    }

    /// The user who started jobs of CircleCI.
    private static let circleUser = "2f6d1c8b-7a10-4d2b-9f3e-6a3e9a5c0f4e"

    /// The subject of CircleCI's second variable.
    var circleSecond: String {
        "\(text)/vcs-origin/\(value("oidc.circleci.com/vcs-origin"))/vcs-ref/\(value("oidc.circleci.com/vcs-ref"))"
    }

    private var buildReference: String {
        let tag = value("build_tag")
        return tag.isEmpty ? "refs/heads/\(value("build_branch"))" : "refs/tags/\(tag)"
    }

    private var workspace: String {
        "organization:\(value("terraform_organization_name")):project:\(value("terraform_project_name")):workspace:\(value("terraform_workspace_name"))"
    }

    // MARK: GitHub

    private var gitHub: String {
        guard job.subjectClaims.isEmpty else {
            return job.subjectClaims.map { name in
                switch name {
                case "repo": "repo:\(repository)"
                case "context": context
                default: "\(name):\(Self.escaped(value(name)))"
                }
            }.joined(separator: ":")
        }
        return "repo:\(repository):\(context)"
    }

    /// The repository, with the IDs of owner and repository if they belong to the subject.
    private var repository: String {
        guard job.immutableSubject else { return job.repository }
        let name = job.repository.dropFirst(job.owner.count + 1)
        return "\(job.owner)@\(value("repository_owner_id"))/\(name)@\(value("repository_id"))"
    }

    /// What the job runs for: an environment, a pull request, or a branch or tag.
    private var context: String {
        if let environment = values["environment"]?.stringValue { return "environment:\(Self.escaped(environment))" }
        return value("event_name") == "pull_request" ? "pull_request" : "ref:\(Self.escaped(value("ref")))"
    }

    /// Colons separate the parts of a subject.
    private static func escaped(_ value: String) -> String { value.replacing(":", with: "%3A") }
}
