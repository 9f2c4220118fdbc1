import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The start of the web application flow: `/login/oauth/authorize`. (GitHub Docs, "Authorizing OAuth apps", "Troubleshooting authorization
/// request errors".)
struct GitHubAuthorizeEndpoint: AuthorizationEndpoint {
    let visit: Visit

    let unknownClient = FaultPage(status: .notFound, code: "not_found", explanation: "There is no OAuth app with this client ID.")

    private static let documentation = "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#"

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        guard let client = parameters.value("client_id").flatMap(visit.provider.client) else { throw unknownClient }
        guard let callback = client.redirectURIs.first else {
            throw FaultPage(code: "redirect_uri_missing", explanation: "The OAuth app has no callback URL.")
        }
        let redirectURI = parameters.value("redirect_uri") ?? callback
        var request = AuthorizationRequest(client: client, redirectURI: redirectURI)
        request.state = parameters["state"]
        guard
            GitHubRedirect.isAllowed(redirectURI, for: client) || visit.isConsoleCallback(redirectURI, state: parameters["state"])
        else {
            // The error goes to the callback URL of the registration, since the one of the request cannot be trusted.
            request.redirectURI = callback
            throw refusal(
                of: request, "redirect_uri_mismatch", "The redirect_uri MUST match the registered callback URL for this application.",
                "redirect-uri-mismatch")
        }
        if let type = parameters.value("response_type"), type != "code" {
            throw refusal(of: request, "unsupported_response_type", "The response type must be code.")
        }
        // Without scopes, the token has those that the user has granted the application before.
        request.includesGrantedScopes = parameters.value("scope") == nil
        request.scopes = GitHubScope.normalized(parameters["scope"] ?? "")
        request.loginHint = parameters.value("login")
        if parameters.value("prompt") == "select_account" { request.prompts = [.selectAccount] }
        do {
            request.challenge = try CodeChallenge(parameters, allowing: [.s256])
        } catch {
            throw refusal(of: request, "invalid_request", error.explanation)
        }
        return request
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        var approval = approval
        if request.includesGrantedScopes {
            let granted = try Consent(client: request.client, person: approval.person).scopes(in: visit) ?? []
            approval.scopes = GitHubScope.normalized(granted)
        }
        let code = try await visit.mint.code(approval, binding: request.binding, lifetime: Self.codeLifetime)
        return AuthorizationAnswer(to: request.redirectURI, mode: .query, fields: ["code": code, "state": request.state])
    }

    /// The lifetime of codes in seconds.
    private static let codeLifetime = 600

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) -> AuthorizationAnswer {
        refusal(of: request, reason.rawValue, "The user has denied your application access.", "access-denied")
    }

    private func refusal(
        of request: AuthorizationRequest, _ code: String, _ description: String, _ section: String? = nil
    ) -> AuthorizationAnswer {
        AuthorizationAnswer(
            to: request.redirectURI, mode: .query,
            fields: [
                "error": code, "error_description": description, "error_uri": section.map { Self.documentation + $0 },
                "state": request.state,
            ])
    }

    func meaning(ofScope scope: String) -> String { GitHubScope.meaning(of: scope) }

    /// Users can grant an application less access than it requests (GitHub Docs, "Requested scopes and granted scopes").
    func mayBeDeclined(_ scope: String) -> Bool { true }
}
