import Cloud
import Federation
import Tokens
import WireFormats

/// The authorization endpoint (OpenID Connect Core 1.0 section 3.1.2): the code flow, with RFC 9700's advice.
struct AuthorizeEndpoint: AuthorizationEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "authorization_endpoint": .string(visit.url(of: .authorization)),
            "scopes_supported": .array(OpenIDConnectMetadata.scopes.map { .string($0) }),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "name", "given_name", "family_name", "picture",
                "locale", "email", "email_verified",
            ],
            "code_challenge_methods_supported": ["S256"],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "authorization_response_iss_parameter_supported": true,
            "claims_parameter_supported": false,
            "request_parameter_supported": false,
            // Absent would mean true.
            "request_uri_parameter_supported": false,
        ]
    }

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        let repeated = Set(["client_id", "redirect_uri"]).filter { parameters.all(named: $0).count > 1 }
        guard repeated.isEmpty else {
            throw FaultPage(code: "invalid_request", explanation: "The request names its client or its redirect URI twice.")
        }
        guard let client = visit.provider.client(parameters["client_id"] ?? "") else {
            throw FaultPage(
                code: "invalid_client", explanation: "The request's client_id is not that of a registered application.")
        }
        guard let redirectURI = parameters["redirect_uri"], client.redirectURIs.contains(redirectURI) else {
            throw FaultPage(
                code: "invalid_request",
                explanation: "The request's redirect_uri is not one that \(client.name) has registered. It must match exactly.")
        }
        var request = AuthorizationRequest(client: client, redirectURI: redirectURI)
        request.state = parameters["state"]
        do {
            try read(parameters, into: &request)
        } catch let fault as Fault {
            throw answer(
                to: request, [("error", fault.code), ("error_description", fault.description)])
        }
        return request
    }

    /// An error that the application is told (RFC 6749 section 4.1.2.1, OpenID Connect Core 1.0 section 3.1.2.6).
    private struct Fault: Error {
        var code: String
        var description: String

        init(_ code: String, _ description: String) {
            self.code = code
            self.description = OAuthError.printable(description)
        }
    }

    private func read(_ parameters: FormFields, into request: inout AuthorizationRequest) throws {
        if let mode = parameters.value("response_mode") {
            guard let mode = AuthorizationAnswer.Mode(rawValue: mode) else {
                throw Fault("invalid_request", "The response_mode is unknown.")
            }
            request.responseMode = mode
        }
        if let name = parameters.repeatedName { throw Fault("invalid_request", "The parameter \(name) is repeated.") }
        if parameters["request"] != nil { throw Fault("request_not_supported", "Request objects are not supported.") }
        if parameters["request_uri"] != nil { throw Fault("request_uri_not_supported", "Request objects are not supported.") }
        if parameters["registration"] != nil {
            throw Fault("registration_not_supported", "The registration parameter is not supported.")
        }
        guard let type = parameters.value("response_type") else {
            throw Fault("invalid_request", "The response_type is missing.")
        }
        guard type == "code" else { throw Fault("unsupported_response_type", "The response_type must be code.") }
        let scopes = (parameters.value("scope") ?? "").split(separator: " ").map(String.init)
        // Unknown ones are left out (OpenID Connect Core 1.0 section 3.1.2.1).
        request.scopes = OpenIDConnectMetadata.scopes.filter(scopes.contains)
        request.isOffline = request.scopes.contains("offline_access")
        request.nonce = parameters.value("nonce")
        request.loginHint = parameters.value("login_hint")
        try readPrompts(parameters, into: &request)
        if let hint = parameters.value("id_token_hint") {
            guard let subject = try? JSONWebToken(parsing: hint).claims["sub"]?.stringValue else {
                throw Fault("invalid_request", "The id_token_hint is not an ID token.")
            }
            request.expectedSubject = subject
        }
        do {
            request.challenge = try CodeChallenge(parameters, allowing: [.s256])
        } catch {
            throw Fault("invalid_request", error.explanation)
        }
        if request.client.secret == nil, request.challenge == nil {
            throw Fault("invalid_request", "A public client must send a code_challenge.")
        }
    }

    private func readPrompts(_ parameters: FormFields, into request: inout AuthorizationRequest) throws {
        for name in (parameters.value("prompt") ?? "").split(separator: " ") {
            guard let prompt = AuthorizationRequest.Prompt(rawValue: String(name)) else {
                throw Fault("invalid_request", "The prompt \(name) is unknown.")
            }
            request.prompts.insert(prompt)
        }
        if request.prompts.contains(.none), request.prompts.count > 1 {
            throw Fault("invalid_request", "The prompt none excludes all others.")
        }
        if let text = parameters.value("max_age") {
            guard let seconds = Int64(text), seconds >= 0 else {
                throw Fault("invalid_request", "The max_age is not a number of seconds.")
            }
            request.maximumAge = seconds
        }
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        let code = try await visit.mint.code(approval, binding: request.binding)
        return answer(to: request, [("code", code)])
    }

    func refusal(of request: AuthorizationRequest, because reason: Refusal) -> AuthorizationAnswer {
        let description =
            switch reason {
            case .accessDenied: "The person refused."
            case .loginRequired: "Nobody is logged in, and the request forbids to ask."
            case .consentRequired: "The person has not consented, and the request forbids to ask."
            }
        return answer(to: request, [("error", reason.rawValue), ("error_description", description)])
    }

    /// Adds the state, and the issuer that keeps answers of different issuers apart (RFC 9207).
    private func answer(to request: AuthorizationRequest, _ fields: [(String, String)]) -> AuthorizationAnswer {
        var answer = AuthorizationAnswer(
            to: request.redirectURI, mode: request.responseMode, fields: ["state": request.state, "iss": visit.issuer])
        answer.fields.fields.insert(contentsOf: fields.map { .init(name: $0.0, value: $0.1) }, at: 0)
        return answer
    }

    func meaning(ofScope scope: String) -> String {
        switch scope {
        case "openid": "Know who you are"
        case "profile": "See your name and profile"
        case "email": "See your email address"
        case "address": "See your postal address"
        case "phone": "See your phone number"
        case "offline_access": "Keep this access while you are away"
        default: scope
        }
    }
}
