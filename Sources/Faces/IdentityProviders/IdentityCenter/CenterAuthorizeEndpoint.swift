import Cloud
import Directory
import Federation
import WireFormats

/// The page where clients of IAM Identity Center send users for an authorization code, with PKCE.
/// (IAM Identity Center OIDC API Reference, "CreateToken"; RFC 6749 section 4.1, RFC 7636.)
struct CenterAuthorizeEndpoint: AuthorizationEndpoint {
    let visit: Visit
    let tokens: CenterTokens

    /// The path that receives the login forms.
    static let formPath = CenterTokens.Pages.authorization + "/sign-in"

    var signIn: SignIn { SignIn(endpoint: self, formPath: Self.formPath) }

    let unknownClient = FaultPage(
        code: "invalid_client", explanation: "The client is not registered with IAM Identity Center, or its registration has expired.")

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        guard let client = parameters.value("client_id").flatMap(tokens.client) else { throw unknownClient }
        guard let redirectURI = parameters.value("redirect_uri"), client.mayRedirect(to: redirectURI) else {
            throw FaultPage(code: "invalid_redirect_uri", explanation: "The redirect_uri is not one that the client has registered.")
        }
        var request = AuthorizationRequest(client: client.shown, redirectURI: redirectURI)
        request.state = parameters.value("state")
        func refusal(_ error: String, _ description: String) -> AuthorizationAnswer {
            answer(to: request, ["error": error, "error_description": description, "state": request.state])
        }
        guard parameters.value("response_type") == "code" else {
            throw refusal("unsupported_response_type", "The response_type must be code.")
        }
        guard client.mayUse(grantType: "authorization_code") else {
            throw refusal("unauthorized_client", "The client has not registered the grant type authorization_code.")
        }
        do throws(CodeChallengeFault) {
            request.challenge = try CodeChallenge(parameters, allowing: [.s256])
        } catch {
            throw refusal("invalid_request", error.explanation)
        }
        guard request.challenge != nil else { throw refusal("invalid_request", "A code_challenge is required.") }
        // Clients of Identity Center name the parameter in the plural.
        let scopes = (parameters.value("scopes") ?? parameters.value("scope") ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        if let unknown = scopes.first(where: { scope in !client.registration.scopes.contains { $0.equals(scope) } }) {
            throw refusal("invalid_scope", "The client has not registered the scope \(unknown).")
        }
        request.scopes = scopes
        // Any program of this machine can register a client with the name of another one.
        request.prompts = [.consent]
        return request
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        guard let client = tokens.client(request.client.id), let challenge = request.challenge else { throw unknownClient }
        let code = try await tokens.code(
            for: approval.person.name, to: client, redirectURI: request.redirectURI, challenge: challenge.value)
        return answer(to: request, ["code": code, "state": request.state])
    }

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) -> AuthorizationAnswer {
        answer(to: request, ["error": reason.rawValue, "state": request.state])
    }

    private func answer(to request: AuthorizationRequest, _ fields: KeyValuePairs<String, String?>) -> AuthorizationAnswer {
        AuthorizationAnswer(to: request.redirectURI, mode: .query, fields: fields)
    }

    /// Where the code goes, since any program can register the name of another one.
    func advice(on request: AuthorizationRequest) -> String? {
        Origin(url: request.redirectURI).map { "Afterwards your browser goes to \($0.authority)." }
    }

    func meaning(ofScope scope: String) -> String { Self.meaning(ofScope: scope) }

    /// Returns the meaning of a scope for the user who consents.
    static func meaning(ofScope scope: String) -> String {
        scope == "sso:account:access" ? "Use the accounts and permission sets that are assigned to you" : scope
    }
}
