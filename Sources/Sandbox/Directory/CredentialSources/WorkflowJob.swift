package import WireFormats

/// A job of a service such as GitHub Actions, which gets ID tokens of its issuer. (GitHub Docs, "OpenID Connect reference".)
package struct WorkflowJob: Sendable, Codable {
    /// The name, unique at the issuer.
    package var name: String
    /// The token of its requests; empty for services that set variables or write files.
    package var requestToken: String
    /// Whether `sub` contains the IDs of owner and repository, as for repositories that were created after July 15, 2026.
    package var immutableSubject = false
    /// The claims from which `sub` is made; empty for the usual ones.
    package var subjectClaims: [String] = []
    /// The claims that differ from the usual ones, and those that have no usual value.
    package var claims: JSONObject = [:]
    /// The service; `nil` for GitHub Actions.
    package var givenService: JobService?
    /// The audiences of tokens that the job does not request itself; `nil` for the usual one.
    package var audiences: [String]?
    /// The lifetime of tokens in seconds; `nil` for that of the service.
    package var lifetime: Int?
    /// The environment variable with the token; `nil` for that of the service.
    package var variable: String?
    /// The ARN of the role in the environment of the job; `nil` for none.
    package var role: String?

    package init(name: String, requestToken: String) {
        self.name = name
        self.requestToken = requestToken
    }

    /// The service.
    package var service: JobService { givenService ?? .github }

    /// The repository: `OWNER/NAME`.
    package var repository: String { claims["repository"]?.stringValue ?? "" }

    /// The owner of the repository.
    package var owner: String { String(repository.prefix { $0 != "/" }) }
}
