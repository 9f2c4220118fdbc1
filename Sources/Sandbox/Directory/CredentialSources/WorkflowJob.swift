package import WireFormats

/// A job of GitHub Actions, which requests ID tokens of its issuer. (GitHub Docs, "OpenID Connect reference".)
package struct WorkflowJob: Sendable, Codable {
    /// The name, unique at the issuer.
    package var name: String
    /// The bearer token of its requests.
    package var requestToken: String
    /// Whether `sub` contains the IDs of owner and repository, as for repositories that were created after July 15, 2026.
    package var immutableSubject = false
    /// The claims from which `sub` is made; empty for the usual ones.
    package var subjectClaims: [String] = []
    /// The claims that differ from the usual ones, and `repository`. All values are texts.
    package var claims: JSONObject = [:]

    package init(name: String, requestToken: String) {
        self.name = name
        self.requestToken = requestToken
    }

    /// The repository: `OWNER/NAME`.
    package var repository: String { claims["repository"]?.stringValue ?? "" }

    /// The owner of the repository.
    package var owner: String { String(repository.prefix { $0 != "/" }) }
}
