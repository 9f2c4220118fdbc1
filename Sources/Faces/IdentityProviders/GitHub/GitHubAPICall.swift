import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// A request to the REST API with a user's access token. (GitHub Docs, "Authenticating to the REST API", "Scopes for OAuth apps".)
struct GitHubAPICall {
    let visit: Visit
    /// The scopes of which the token needs one; empty if it needs none.
    let accepted: [String]
    /// The page of the documentation, relative to its host.
    let page: String

    static let contentType = "application/json; charset=utf-8"

    /// Returns the user's approval of the token in the header `Authorization`.
    /// - Throws: `GitHubError`. A token without the scopes finds nothing.
    func approval() async throws -> Approval {
        guard try visit.query().value("access_token") == nil else { throw GitHubError.tokenInQuery }
        guard visit.call.headers.has(.authorization) else { throw GitHubError.requiresAuthentication(page) }
        guard let token = visit.authorization("bearer", "token") ?? basicToken, let grant = try await visit.grant(ofAccessToken: token),
            let approval = Approval(grant, at: visit.provider)
        else { throw GitHubError.badCredentials }
        visit.call.note(caller: approval.person.name)
        guard accepted.isEmpty || accepted.contains(where: approval.scopes.contains) else {
            var error = GitHubError.notFound(page)
            error.headers = headers(for: approval)
            throw error
        }
        return approval
    }

    /// The token of HTTP Basic: the password, or the user name without one.
    private var basicToken: String? {
        guard let (name, secret) = visit.call.headers.value(of: .authorization).flatMap(ClientAuthentication.basic) else { return nil }
        return secret.isEmpty || secret == "x-oauth-basic" ? name : secret
    }

    func answer(_ document: JSONValue, to approval: Approval) -> Response {
        var fields = HTTPFields.unstored
        for field in headers(for: approval) { fields.append(field) }
        return Response(status: .ok, contentType: Self.contentType, headers: fields, body: document.serializedBytes())
    }

    private func headers(for approval: Approval) -> HTTPFields {
        [
            .oauthScopes: approval.scopes.joined(separator: ", "), .acceptedOAuthScopes: accepted.joined(separator: ", "),
            .oauthClientID: approval.client.id,
        ]
    }
}

extension Visit {
    /// The base of the URLs of the REST API.
    var gitHubAPI: String { basePath.isEmpty ? "https://api.github.com" : baseURL }

    /// The base of the URLs of pages.
    var gitHubSite: String { basePath.isEmpty ? "https://github.com" : baseURL }
}

extension HTTPField.Name {
    static let oauthScopes = HTTPField.Name(literal: "X-OAuth-Scopes")
    static let acceptedOAuthScopes = HTTPField.Name(literal: "X-Accepted-OAuth-Scopes")
    static let oauthClientID = HTTPField.Name(literal: "X-OAuth-Client-Id")
    static let gitHubMediaType = HTTPField.Name(literal: "X-GitHub-Media-Type")
    static let gitHubRequestID = HTTPField.Name(literal: "X-GitHub-Request-Id")
}
