import Cloud
import Federation
import HTTPTypes
import WireFormats

/// Google's authorization endpoint. It shows faults of the request to the person, and tells the application refusals only.
/// (Google Identity, "OpenID Connect", "Using OAuth 2.0 for Web Server Applications".)
struct GoogleAuthorizeEndpoint: AuthorizationEndpoint {
    let visit: Visit

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        if let name = parameters.repeatedName { throw fault("OAuth 2 parameters can only have a single value: \(name)") }
        let identifier = try required("client_id", parameters)
        guard let client = visit.provider.client(identifier) else {
            throw FaultPage(status: .unauthorized, code: "invalid_client", explanation: "The OAuth client was not found.")
        }
        let redirectURI = try required("redirect_uri", parameters)
        guard client.redirectURIs.contains(redirectURI) else {
            throw FaultPage(
                code: "redirect_uri_mismatch",
                explanation:
                    "The redirect URI in the request, \(redirectURI), does not match the ones authorized for the OAuth client.")
        }
        var request = AuthorizationRequest(client: client, redirectURI: redirectURI)
        guard try required("response_type", parameters) == "code" else {
            throw FaultPage(code: "unsupported_response_type", explanation: "The response_type must be code.")
        }
        for scope in try required("scope", parameters).split(separator: " ") {
            guard let name = GoogleScope.normalized(String(scope)) else {
                throw FaultPage(code: "invalid_scope", explanation: "Some requested scopes were invalid: \(scope)")
            }
            if !request.scopes.contains(name) { request.scopes.append(name) }
        }
        request.state = parameters["state"]
        request.nonce = parameters.value("nonce")
        request.loginHint = parameters.value("login_hint")
        try readChoices(parameters, into: &request)
        do {
            request.challenge = try CodeChallenge(parameters, allowing: [.plain, .s256])
        } catch {
            throw fault(error.explanation)
        }
        return request
    }

    private func readChoices(_ parameters: FormFields, into request: inout AuthorizationRequest) throws {
        switch parameters.value("access_type") {
        case nil, "online": break
        case "offline": request.isOffline = true
        default: throw fault("Invalid access_type")
        }
        for name in (parameters.value("prompt") ?? "").split(separator: " ") {
            guard let prompt = AuthorizationRequest.Prompt(rawValue: String(name)) else { throw fault("Invalid prompt: \(name)") }
            request.prompts.insert(prompt)
        }
        if request.prompts.contains(.none), request.prompts.count > 1 { throw fault("Invalid prompt: none excludes all others") }
    }

    private func required(_ name: String, _ parameters: FormFields) throws -> String {
        guard let value = parameters.value(name) else { throw fault("Missing required parameter: \(name)") }
        return value
    }

    private func fault(_ explanation: String) -> FaultPage { FaultPage(code: "invalid_request", explanation: explanation) }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        var binding = request.binding
        // A refresh token comes with the consent only, not with every login after it.
        if !wasAsked { binding["offline"] = nil }
        return AuthorizationAnswer(
            to: request.redirectURI, mode: .query,
            fields: [
                "state": request.state, "code": try await visit.mint.code(approval, binding: binding),
                "scope": GoogleScope.spelledOut(request.scopes), "authuser": "0", "prompt": wasAsked ? "consent" : "none",
            ])
    }

    func refusal(of request: AuthorizationRequest, because reason: Refusal) -> AuthorizationAnswer {
        AuthorizationAnswer(to: request.redirectURI, mode: .query, fields: ["error": reason.rawValue, "state": request.state])
    }

    func meaning(ofScope scope: String) -> String {
        switch scope {
        case "openid": "Associate you with your personal info on Google"
        case "email": "See your primary Google Account email address"
        case "profile": "See your personal info"
        default: "Use a Google service on your behalf"
        }
    }
}
