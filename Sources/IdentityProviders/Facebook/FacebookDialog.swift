import Cloud
import Federation
import WireFormats

/// The login dialog (Meta for Developers, "Manually Build a Login Flow"). It shows faults of the request to the person, and
/// tells the application refusals only.
struct FacebookDialog: AuthorizationEndpoint {
    let visit: Visit

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        if let name = parameters.repeatedName {
            throw FaultPage(code: "100", explanation: "(#100) The parameter \(name) is repeated.")
        }
        guard let client = visit.provider.client(parameters.value("client_id") ?? parameters.value("app_id") ?? "") else {
            throw FaultPage(code: "101", explanation: "Invalid App ID: The provided app ID does not look like a valid app ID.")
        }
        guard let redirectURI = parameters.value("redirect_uri"), client.redirectURIs.contains(redirectURI) else {
            throw FaultPage(
                code: "191",
                explanation:
                    "URL Blocked: This redirect failed because the redirect URI is not whitelisted in the app's Client OAuth "
                    + "Settings.")
        }
        var request = AuthorizationRequest(client: client, redirectURI: redirectURI)
        request.state = parameters["state"]
        request.responseTypes = try responseTypes(parameters.value("response_type") ?? "code")
        request.scopes = ["public_profile"]
        for scope in (parameters.value("scope") ?? "").split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard scope.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2E })
            else { throw FaultPage(code: "100", explanation: "Invalid Scopes: \(scope).") }
            if !request.scopes.contains(String(scope)) { request.scopes.append(String(scope)) }
        }
        switch parameters.value("auth_type") {
        case "reauthenticate": request.prompts = [.login]
        case "rerequest": request.prompts = [.consent]
        default: break
        }
        return request
    }

    private func responseTypes(_ text: String) throws -> Set<AuthorizationRequest.ResponseType> {
        let types = try text.split(whereSeparator: { $0 == "," || $0 == " " }).map { name in
            guard let type = AuthorizationRequest.ResponseType(rawValue: String(name)) else {
                throw FaultPage(code: "100", explanation: "(#100) Param response_type: \(name) is not supported.")
            }
            return type
        }
        return types.contains(.token) ? Set(types) : Set(types).union([.code])
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        let types = request.responseTypes
        var accessToken: String?
        if types.contains(.token) { accessToken = try await visit.mint.accessToken(approval) }
        var code: String?
        if types.contains(.code) { code = try await visit.mint.code(approval, binding: request.binding) }
        var answer = AuthorizationAnswer(
            to: request.redirectURI, mode: accessToken == nil ? .query : .fragment,
            fields: [
                "access_token": accessToken,
                "expires_in": accessToken.map { _ in String(visit.provider.tokenLifetime) },
                "code": code,
                "granted_scopes": types.contains(.grantedScopes) ? request.scopes.joined(separator: ",") : nil,
                "denied_scopes": types.contains(.grantedScopes) ? "" : nil,
                "state": request.state,
            ])
        // Facebook keeps a fragment of its own from travelling on.
        answer.suffix = "#_=_"
        return answer
    }

    func refusal(of request: AuthorizationRequest, because reason: Refusal) -> AuthorizationAnswer {
        var answer = AuthorizationAnswer(
            to: request.redirectURI, mode: .query,
            fields: [
                "error": reason.rawValue, "error_code": "200", "error_description": "Permissions error",
                "error_reason": "user_denied", "state": request.state,
            ])
        answer.suffix = "#_=_"
        return answer
    }

    func meaning(ofScope scope: String) -> String {
        switch scope {
        case "public_profile": "See your name and profile picture"
        case "email": "See your email address"
        case "user_friends": "See your friends who use the app"
        default: "Use your permission"
        }
    }
}
