import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// Login with Amazon's authorization endpoint, with the code and the token flow.
/// (Login with Amazon Developer Guide, "Authorization Code Grant", "Implicit Grant".)
struct AmazonAuthorizeEndpoint: AuthorizationEndpoint {
    let visit: Visit

    let unknownClient = FaultPage(code: "invalid_client", explanation: "An unknown client was specified.")

    static let scopes = ["profile", "profile:user_id", "postal_code"]

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        let clientID = parameters.value("client_id") ?? ""
        guard clientID.utf8.count <= 100 else {
            throw FaultPage(code: "invalid_request", explanation: "The request has an invalid parameter : client_id")
        }
        guard let client = visit.provider.client(clientID) else {
            throw unknownClient
        }
        guard let redirectURI = parameters.value("redirect_uri"),
            client.redirectURIs.contains(redirectURI) || visit.isConsoleCallback(redirectURI, state: parameters["state"])
        else {
            throw FaultPage(
                code: "invalid_request",
                explanation: "The redirect URI you provided has not been whitelisted for your application.")
        }
        var request = AuthorizationRequest(client: client, redirectURI: redirectURI)
        request.state = parameters["state"]
        guard let type = parameters.value("response_type") else { throw missing("response_type", request) }
        switch type {
        case "code": break
        case "token":
            request.responseTypes = [.token]
            // Amazon's script sends this parameter in the query when it redirects the browser.
            request.responseMode = parameters.value("response_mode") == "query" ? .query : .fragment
        default:
            throw refusal(
                of: request, "unsupported_response_type",
                "The authorization server does not support obtaining this response type.")
        }
        // Applications created since 2021 can only request codes.
        if let types = client.metadata.responseTypes, !types.contains(type) {
            throw refusal(
                of: request, "unauthorized_client", "The client is not authorized to request an authorization code using this method.")
        }
        guard let scope = parameters.value("scope") else { throw missing("scope", request) }
        for name in scope.split(separator: " ").map(String.init) where !request.scopes.contains(name) {
            request.scopes.append(name)
        }
        guard !request.scopes.isEmpty, request.scopes.allSatisfy(Self.scopes.contains) else {
            throw refusal(of: request, "invalid_scope", "An unknown scope was requested.")
        }
        if let name = parameters.repeatedName {
            throw refusal(of: request, "invalid_request", "The request has a repeated parameter : \(name)")
        }
        do {
            request.challenge = try CodeChallenge(parameters, allowing: [.plain, .s256])
        } catch {
            throw refusal(of: request, "invalid_request", error.explanation)
        }
        return request
    }

    private func missing(_ name: String, _ request: AuthorizationRequest) -> AuthorizationAnswer {
        refusal(of: request, "invalid_request", "The request is missing a required parameter : \(name)")
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        let scope = request.scopes.joined(separator: " ")
        if request.responseTypes == [.token] {
            return AuthorizationAnswer(
                to: request.redirectURI, mode: request.responseMode,
                fields: [
                    "access_token": try await visit.mint.accessToken(approval), "token_type": "bearer",
                    "expires_in": String(visit.provider.tokenLifetime), "scope": scope, "state": request.state,
                ])
        }
        return AuthorizationAnswer(
            to: request.redirectURI, mode: .query,
            fields: [
                "code": try await visit.mint.code(approval, binding: request.binding), "scope": scope, "state": request.state,
            ])
    }

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) -> AuthorizationAnswer {
        refusal(of: request, reason.rawValue, "Access not permitted.")
    }

    private func refusal(of request: AuthorizationRequest, _ code: String, _ description: String) -> AuthorizationAnswer {
        AuthorizationAnswer(
            to: request.redirectURI, mode: request.responseMode,
            fields: ["error": code, "error_description": description, "state": request.state])
    }

    func meaning(ofScope scope: String) -> String { Self.meaning(of: scope) }

    static func meaning(of scope: String) -> String {
        switch scope {
        case "profile": "See your name and email address"
        case "profile:user_id": "Know your user identifier"
        case "postal_code": "See your postal code"
        default: scope
        }
    }
}
