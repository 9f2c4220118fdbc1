import WireFormats

/// A scope of GitHub's OAuth apps (GitHub Docs, "Scopes for OAuth apps").
struct GitHubScope {
    let name: String
    /// What the application may do, for the user who consents.
    let meaning: String
    /// The scopes whose access this one includes.
    var included: [String] = []

    /// Returns the scopes of a request, in alphabetical order: unknown ones are dropped, and those that another one includes.
    /// - Parameter text: names that are separated by spaces or commas.
    static func normalized(_ text: String) -> [String] {
        normalized(text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init))
    }

    /// Returns scopes as a token has them.
    static func normalized(_ names: [String]) -> [String] {
        let requested = all.filter { names.contains($0.name) }
        let included = requested.flatMap(\.included)
        return requested.map(\.name).filter { !included.contains($0) }.sorted()
    }

    static func meaning(of name: String) -> String { all.first { $0.name == name }?.meaning ?? name }

    /// All scopes, apart from those of GitHub Enterprise Server.
    private static let all: [GitHubScope] = [
        GitHubScope(
            name: "repo", meaning: "Read and change your repositories",
            included: ["repo:status", "repo_deployment", "public_repo", "repo:invite", "security_events"]),
        GitHubScope(name: "repo:status", meaning: "Read and change the status of commits"),
        GitHubScope(name: "repo_deployment", meaning: "Read and change the status of deployments"),
        GitHubScope(name: "public_repo", meaning: "Read and change your public repositories"),
        GitHubScope(name: "repo:invite", meaning: "Accept and decline invitations to repositories"),
        GitHubScope(name: "security_events", meaning: "Read and change security events"),
        GitHubScope(
            name: "admin:repo_hook", meaning: "Manage the webhooks of repositories", included: ["write:repo_hook", "read:repo_hook"]),
        GitHubScope(name: "write:repo_hook", meaning: "Read and change the webhooks of repositories", included: ["read:repo_hook"]),
        GitHubScope(name: "read:repo_hook", meaning: "Read the webhooks of repositories"),
        GitHubScope(name: "admin:org", meaning: "Manage your organizations", included: ["write:org", "read:org"]),
        GitHubScope(name: "write:org", meaning: "Read and change memberships of organizations", included: ["read:org"]),
        GitHubScope(name: "read:org", meaning: "Read memberships of organizations"),
        GitHubScope(name: "admin:public_key", meaning: "Manage your public keys", included: ["write:public_key", "read:public_key"]),
        GitHubScope(name: "write:public_key", meaning: "Read and add public keys", included: ["read:public_key"]),
        GitHubScope(name: "read:public_key", meaning: "Read your public keys"),
        GitHubScope(name: "admin:org_hook", meaning: "Manage the webhooks of organizations"),
        GitHubScope(name: "gist", meaning: "Change your gists"),
        GitHubScope(name: "notifications", meaning: "Read your notifications"),
        GitHubScope(name: "user", meaning: "Read and change your profile", included: ["read:user", "user:email", "user:follow"]),
        GitHubScope(name: "read:user", meaning: "Read your profile"),
        GitHubScope(name: "user:email", meaning: "Read your mail addresses"),
        GitHubScope(name: "user:follow", meaning: "Follow and unfollow users"),
        GitHubScope(name: "project", meaning: "Read and change your projects", included: ["read:project"]),
        GitHubScope(name: "read:project", meaning: "Read your projects"),
        GitHubScope(name: "delete_repo", meaning: "Delete your repositories"),
        GitHubScope(name: "write:packages", meaning: "Upload packages", included: ["read:packages"]),
        GitHubScope(name: "read:packages", meaning: "Download packages"),
        GitHubScope(name: "delete:packages", meaning: "Delete packages"),
        GitHubScope(name: "admin:gpg_key", meaning: "Manage your GPG keys", included: ["write:gpg_key", "read:gpg_key"]),
        GitHubScope(name: "write:gpg_key", meaning: "Read and add GPG keys", included: ["read:gpg_key"]),
        GitHubScope(name: "read:gpg_key", meaning: "Read your GPG keys"),
        GitHubScope(name: "codespace", meaning: "Manage your codespaces"),
        GitHubScope(name: "workflow", meaning: "Change workflow files"),
        GitHubScope(
            name: "admin:enterprise", meaning: "Manage your enterprises",
            included: ["manage_runners:enterprise", "manage_billing:enterprise", "read:enterprise"]),
        GitHubScope(name: "manage_runners:enterprise", meaning: "Manage the runners of enterprises"),
        GitHubScope(name: "manage_billing:enterprise", meaning: "Read and change the billing of enterprises"),
        GitHubScope(name: "read:enterprise", meaning: "Read the profile of enterprises"),
        GitHubScope(name: "read:audit_log", meaning: "Read audit logs"),
    ]
}
