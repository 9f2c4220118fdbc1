import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// The authorization endpoint: the code flow (OpenID Connect Core 1.0 section 3.1), and the implicit and hybrid flows for clients that have
/// registered their response types (sections 3.2 and 3.3). It follows the recommendations of RFC 9700.
struct AuthorizeEndpoint: AuthorizationEndpoint {
    let visit: Visit

    /// Handles requests through the pages.
    var signIn: SignIn {
        SignIn(endpoint: self, formPath: visit.manners.isRealm ? RealmLoginPage.formPath : SignIn.path)
    }

    /// The claims that describe an ID token itself.
    private static let tokenClaims = [
        "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "c_hash", "s_hash", "sid", "acr", "amr",
    ]

    static func metadata(_ visit: Visit) -> JSONObject {
        let challengeMethods: [JSONValue] = visit.manners.acceptsPlainChallenges ? ["plain", "S256"] : ["S256"]
        let prompts: [JSONValue] = ["none", "login", "consent", "select_account"]
        let furtherPrompts: [JSONValue] = visit.manners.registersPeople ? ["create"] : []
        return [
            "authorization_endpoint": .string(visit.url(of: .authorization)),
            "scopes_supported": .array(OpenIDConnectMetadata.supportedScopes(of: visit.provider).map { .string($0) }),
            "response_types_supported": .array(ResponseTypes.supported.map { .string($0) }),
            "response_modes_supported": .array(ResponseTypes.modes.map { .string($0) }),
            "authorization_signing_alg_values_supported": .array(ClientMetadata.signingAlgorithms.map { .string($0) }),
            "grant_types_supported": ["authorization_code", "implicit"],
            "subject_types_supported": ["public", "pairwise"],
            "acr_values_supported": .array(AuthenticationContext.supported.map { .string($0) }),
            "display_values_supported": ["page"],
            "claim_types_supported": ["normal"],
            "claims_supported": .array((tokenClaims + Person.claimsOfScopes.flatMap { $0.claims }).map { .string($0) }),
            "code_challenge_methods_supported": .array(challengeMethods),
            "prompt_values_supported": .array(prompts + furtherPrompts),
            "authorization_response_iss_parameter_supported": true,
            "claims_parameter_supported": true,
        ]
    }

    func request(_ parameters: FormFields) async throws -> AuthorizationRequest {
        var request = try self.destination(of: parameters)
        do {
            try ResponseTypes.read(parameters, into: &request, as: visit.manners)
            try await read(parameters, into: &request)
        } catch let fault as AuthorizationFault {
            throw answer(to: request, fault)
        }
        return request
    }

    /// Returns a request with the client and the redirect URI.
    /// - Throws: `FaultPage` if there is no valid client and redirect URI for an error response.
    func destination(of parameters: FormFields) throws -> AuthorizationRequest {
        let client = try self.client(of: parameters)
        guard let redirectURI = parameters["redirect_uri"],
            visit.mayRedirect(client, to: redirectURI) || visit.isConsoleCallback(redirectURI, state: parameters["state"])
        else { throw visit.manners.refusals.redirectURI(client) }
        var request = AuthorizationRequest(client: client, redirectURI: redirectURI)
        request.state = parameters["state"]
        return request
    }

    /// Returns the client of a request.
    /// - Throws: `FaultPage`.
    func client(of parameters: FormFields) throws -> Client {
        let repeated = Set(["client_id", "redirect_uri"]).filter { parameters.all(named: $0).count > 1 }
        guard repeated.isEmpty else {
            throw FaultPage(code: "invalid_request", explanation: "The request names its client or its redirect URI twice.")
        }
        guard let client = visit.provider.client(parameters["client_id"] ?? "") else {
            throw unknownClient
        }
        return client
    }

    var unknownClient: FaultPage { visit.manners.refusals.unknownClientPage }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        var fields: [(String, String)] = []
        var code: String?
        var accessToken: String?
        if request.responseTypes.contains(.code) {
            let issued = try await visit.mint.code(approval, binding: request.binding)
            fields.append(("code", issued))
            code = issued
        }
        if request.responseTypes.contains(.token) {
            let issued: String
            if let token = try visit.sealedAccessToken(approval) {
                issued = token
            } else {
                let kept = try await visit.newAccessToken(approval)
                try await visit.grantIssuer.keep([kept])
                issued = kept.token
            }
            fields += [
                ("access_token", issued), ("token_type", "Bearer"), ("expires_in", String(approval.accessTokenLifetime)),
                ("scope", approval.scopes.joined(separator: " ")),
            ]
            accessToken = issued
        }
        var idToken: String?
        if request.responseTypes.contains(.idToken) {
            let issued: String
            do {
                issued = try await visit.idToken(
                    approval, accessToken: accessToken, code: code, state: request.state, claims: try visit.realmClaims(of: approval))
            } catch let error as OAuthError {
                return self.answer(to: request, AuthorizationFault(error.code, error.description))
            }
            fields.append(("id_token", issued))
            idToken = issued
        }
        fields += productFields(approval, request, wasAsked: wasAsked)
        // Browser applications use the session state (OpenID Connect Session Management 1.0 section 2).
        if approval.scopes.contains("openid"), let session = approval.sessionID, SignInPage.source(of: request.redirectURI) != nil {
            fields.append(("session_state", session))
        }
        var answer = answer(to: request, fields)
        // The system's browser passes only the URL to an app, which reads the token from the query.
        if !request.receivesToken, let name = request.client.tokenParameter, SignInPage.source(of: request.redirectURI) == nil,
            let token = idToken ?? accessToken
        {
            answer.mode = .query
            answer.fields.fields.append(.init(name: name, value: token))
        }
        if !request.responseTypes.contains(.none) { answer.participant = .client(id: request.client.id) }
        return answer
    }

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) -> AuthorizationAnswer {
        let (code, description) = visit.manners.refusals.nothingIssued(reason)
        return answer(to: request, [("error", code)] + (description.map { [("error_description", $0)] } ?? []))
    }

    func answer(to request: AuthorizationRequest, _ fault: AuthorizationFault) -> AuthorizationAnswer {
        let description = fault.description.isEmpty ? [] : [("error_description", fault.description)]
        return answer(to: request, [("error", fault.code.rawValue)] + description)
    }

    /// Returns a response with the state and the issuer, which distinguishes responses of different issuers (RFC 9207).
    private func answer(to request: AuthorizationRequest, _ fields: [(String, String)]) -> AuthorizationAnswer {
        var answer = AuthorizationAnswer(
            to: request.redirectURI, mode: request.responseMode, fields: ["state": request.state, "iss": visit.issuer])
        if request.receivesToken { answer.tokenReceiver = request.client }
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
        case "name": "See your name"
        case "offline_access": "Keep this access while you are away"
        default: visit.provider.apis.flatMap(\.scopes).first { $0.name == scope }?.text ?? scope
        }
    }
}
