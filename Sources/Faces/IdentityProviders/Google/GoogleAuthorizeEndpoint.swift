import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// Google's authorization endpoint. It shows invalid requests to the user and redirects to the application only when access is denied.
/// (Google Identity, "OpenID Connect", "Using OAuth 2.0 for Web Server Applications", "for Client-side Web Applications".)
struct GoogleAuthorizeEndpoint: AuthorizationEndpoint {
    let visit: Visit

    let unknownClient = FaultPage(status: .unauthorized, code: "invalid_client", explanation: "The OAuth client was not found.")

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        if let name = parameters.repeatedName { throw fault("OAuth 2 parameters can only have a single value: \(name)") }
        let identifier = try required("client_id", parameters)
        guard let client = visit.provider.client(identifier) else {
            throw unknownClient
        }
        let redirectURI = try required("redirect_uri", parameters)
        // Applications register the first of the two out-of-band URIs and may use either.
        let isOutOfBand = OutOfBandPage.isMeant(by: redirectURI) && client.redirects(to: OutOfBandPage.redirectURI)
        guard isOutOfBand || client.redirects(to: redirectURI) || visit.isConsoleCallback(redirectURI, state: parameters["state"]) else {
            throw FaultPage(
                code: "redirect_uri_mismatch",
                explanation:
                    "The redirect URI in the request, \(redirectURI), does not match the ones authorized for the OAuth client.")
        }
        var request = AuthorizationRequest(client: client, redirectURI: redirectURI)
        request.nonce = parameters.value("nonce")
        try readResponse(parameters, into: &request)
        for scope in try required("scope", parameters).split(separator: " ") {
            guard let name = GoogleScope.normalized(String(scope)) else {
                throw FaultPage(code: "invalid_scope", explanation: "Some requested scopes were invalid: \(scope)")
            }
            if !request.scopes.contains(name) { request.scopes.append(name) }
        }
        if request.scopes.isEmpty { throw fault("Missing required parameter: scope") }
        request.state = parameters["state"]
        try readPerson(parameters, into: &request)
        try readChoices(parameters, into: &request)
        do {
            request.challenge = try CodeChallenge(parameters, allowing: [.plain, .s256])
        } catch {
            throw fault(error.explanation)
        }
        return request
    }

    /// Reads the response type and mode. (OAuth 2.0 Multiple Response Type Encoding Practices.)
    private func readResponse(_ parameters: FormFields, into request: inout AuthorizationRequest) throws {
        let text = try required("response_type", parameters)
        let types = text.split(separator: " ").map { AuthorizationRequest.ResponseType(rawValue: String($0)) }
        let known: [Set<AuthorizationRequest.ResponseType>] = [
            [.code], [.token], [.idToken], [.code, .token], [.code, .idToken], [.token, .idToken], [.code, .token, .idToken], [.none],
        ]
        let asked = Set(types.compactMap { $0 })
        guard !types.contains(nil), asked.count == types.count, known.contains(asked) else {
            throw FaultPage(code: "unsupported_response_type", explanation: "Invalid response_type: \(text)")
        }
        request.responseTypes = asked
        guard !OutOfBandPage.isMeant(by: request.redirectURI) || asked == [.code] else {
            throw fault("Invalid response_type for \(request.redirectURI): \(text)")
        }
        // Responses in the browser's address are easy to replay (OpenID Connect Core 1.0 section 3.2.2.1).
        if asked.contains(.idToken), request.nonce == nil { throw fault("Missing required parameter: nonce") }
        let isFront = asked != [.code] && asked != [.none]
        switch parameters.value("response_mode") {
        case nil: request.responseMode = isFront ? .fragment : .query
        case "query" where !isFront: request.responseMode = .query
        case "fragment": request.responseMode = .fragment
        case "form_post": request.responseMode = .formPost
        case let mode?: throw fault("Invalid response_mode: \(mode)")
        }
    }

    /// Reads the expected user: the hint is an e-mail address or identifier, and `hd` the domain of the organization.
    private func readPerson(_ parameters: FormFields, into request: inout AuthorizationRequest) throws {
        if let hint = parameters.value("login_hint") {
            let people = visit.provider.people
            let hinted = people[hint] ?? people.first(.subject(TextKey(hint))) ?? people.first(.mail(TextKey(hint)))
            request.loginHint = hinted?.name ?? hint
            request.expectedSubject = hinted?.subject
        }
        request.hostedDomain = parameters.value("hd")
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
        // The parameter of older applications.
        switch parameters.value("approval_prompt") {
        case nil, "auto": break
        case "force":
            if parameters.value("prompt") != nil { throw fault("Conflict params: approval_prompt and prompt") }
            request.prompts.insert(.consent)
        default: throw fault("Invalid approval_prompt")
        }
        if request.prompts.contains(.none), request.prompts.count > 1 { throw fault("Invalid prompt: none excludes all others") }
        switch parameters.value("include_granted_scopes") {
        case nil, "false": break
        case "true": request.includesGrantedScopes = true
        default: throw fault("Invalid include_granted_scopes")
        }
    }

    private func required(_ name: String, _ parameters: FormFields) throws -> String {
        guard let value = parameters.value(name) else { throw fault("Missing required parameter: \(name)") }
        return value
    }

    private func fault(_ explanation: String) -> FaultPage { FaultPage(code: "invalid_request", explanation: explanation) }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        var approval = approval
        // Incremental authorization: the tokens include the scopes granted before.
        if request.includesGrantedScopes {
            let granted = try Consent(client: request.client, person: approval.person).scopes(in: visit) ?? []
            approval.scopes += granted.filter { !approval.scopes.contains($0) }
        }
        let types = request.responseTypes
        var binding = request.binding
        // A refresh token is issued only after the consent page, not with every login.
        if !wasAsked { binding["offline"] = nil }
        let code = types.contains(.code) ? try await visit.mint.code(approval, binding: binding) : nil
        let accessToken = types.contains(.token) ? try await visit.mint.accessToken(approval) : nil
        var idToken: String?
        if types.contains(.idToken) {
            idToken = try await visit.mint.idToken(approval, issuer: visit.issuer, accessToken: accessToken, code: code)
        }
        return AuthorizationAnswer(
            to: request.redirectURI, mode: request.responseMode,
            fields: [
                "state": request.state, "code": code, "access_token": accessToken,
                "token_type": accessToken.map { _ in "Bearer" },
                "expires_in": accessToken.map { _ in String(visit.provider.tokenLifetime) },
                "id_token": idToken, "scope": types == [.none] ? nil : GoogleScope.spelledOut(approval.scopes), "authuser": "0",
                "hd": approval.person.claims["hd"]?.stringValue, "prompt": wasAsked ? "consent" : "none",
            ])
    }

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) -> AuthorizationAnswer {
        switch reason {
        case .accessDenied:
            AuthorizationAnswer(
                to: request.redirectURI, mode: request.responseMode, fields: ["error": reason.rawValue, "state": request.state])
        case .loginRequired, .consentRequired:
            // Google has the same response for both, according to reports of applications.
            AuthorizationAnswer(
                to: request.redirectURI, mode: request.responseMode,
                fields: ["state": request.state, "error_subtype": "access_denied", "error": "interaction_required"])
        }
    }

    func meaning(ofScope scope: String) -> String { Self.meaning(of: scope) }

    static func meaning(of scope: String) -> String {
        switch scope {
        case "openid": "Associate you with your personal info on Google"
        case "email": "See your primary Google Account email address"
        case "profile": "See your personal info"
        default: "Use a Google service on your behalf"
        }
    }
}
