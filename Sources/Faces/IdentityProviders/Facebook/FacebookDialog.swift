import Cloud
import Directory
import Federation
import WireFormats

/// The login dialog (Meta for Developers, "Manually Build a Login Flow").
///
/// It shows invalid requests to the user and redirects to the application only when access is denied. Every `display` shows the same page.
struct FacebookDialog: AuthorizationEndpoint {
    let visit: Visit
    /// The version in the path.
    var version: GraphVersion?

    let unknownClient = FaultPage(code: "101", explanation: "Invalid App ID: The provided app ID does not look like a valid app ID.")

    func request(_ parameters: FormFields) throws -> AuthorizationRequest {
        if let name = parameters.repeatedName {
            throw FaultPage(code: "100", explanation: "(#100) The parameter \(name) is repeated.")
        }
        guard let client = visit.provider.client(parameters.value("client_id") ?? parameters.value("app_id") ?? "") else {
            throw unknownClient
        }
        guard let redirectURI = parameters.value("redirect_uri"),
            client.redirectURIs.contains(redirectURI) || FacebookRedirect.isBuiltIn(redirectURI, of: client, in: visit)
                || visit.isConsoleCallback(redirectURI, state: parameters["state"])
        else {
            throw FaultPage(
                code: "191",
                explanation:
                    "URL Blocked: This redirect failed because the redirect URI is not whitelisted in the app's Client OAuth "
                    + "Settings.")
        }
        var request = AuthorizationRequest(client: client, redirectURI: redirectURI)
        request.state = parameters["state"]
        request.responseTypes = try responseTypes(parameters)
        // The SDKs ask for the lists of scopes with a parameter of its own, also beside a code. (Meta for Developers, "FB.login".)
        if let wish = parameters.value("return_scopes"), wish == "true" || wish == "1" { request.responseTypes.insert(.grantedScopes) }
        request.scopes = ["public_profile"]
        for scope in (parameters.value("scope") ?? "").split(whereSeparator: { $0 == "," || $0 == " " }) {
            guard scope.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2E })
            else { throw FaultPage(code: "100", explanation: "Invalid Scopes: \(scope).") }
            if !request.scopes.contains(String(scope)) { request.scopes.append(String(scope)) }
        }
        try readOpenID(parameters, into: &request)
        for type in (parameters.value("auth_type") ?? "").split(separator: ",") {
            switch type {
            case "reauthenticate": request.prompts.insert(.login)
            case "rerequest", "reauthorize": request.prompts.insert(.consent)
            default: break
            }
        }
        return request
    }

    /// Reads what concerns ID tokens, and the challenge of PKCE.
    private func readOpenID(_ parameters: FormFields, into request: inout AuthorizationRequest) throws {
        let isOpenID = request.scopes.contains(FacebookIDToken.scope)
        request.nonce = parameters.value(isOpenID ? "nonce" : "auth_nonce")
        if request.responseTypes.contains(.idToken), !isOpenID {
            throw FaultPage(code: "100", explanation: "(#100) Param response_type: id_token needs the scope openid.")
        }
        do {
            request.challenge = try CodeChallenge(parameters, allowing: [.plain, .s256])
        } catch {
            throw FaultPage(code: "100", explanation: "(#100) \(error.explanation)")
        }
    }

    /// Returns the requested parts from `response_type` or, for the oldest clients, `type`.
    private func responseTypes(_ parameters: FormFields) throws -> Set<AuthorizationRequest.ResponseType> {
        let text: String
        switch parameters.value("type") {
        case "user_agent": text = parameters.value("response_type") ?? "token"
        default: text = parameters.value("response_type") ?? "code"
        }
        var types: Set<AuthorizationRequest.ResponseType> = []
        for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            switch name {
            case "code": types.insert(.code)
            case "token": types.insert(.token)
            case "id_token": types.insert(.idToken)
            case "granted_scopes": types.insert(.grantedScopes)
            case "signed_request": types.insert(.signedRequest)
            case "graph_domain": types.insert(.graphDomain)
            default: throw FaultPage(code: "100", explanation: "(#100) Param response_type: \(name) is not supported.")
            }
        }
        return types.isDisjoint(with: [.token, .idToken]) ? types.union([.code]) : types
    }

    func answer(to request: AuthorizationRequest, approval: Approval, wasAsked: Bool) async throws -> AuthorizationAnswer {
        let types = request.responseTypes
        let consent = Consent(client: request.client, person: approval.person)
        // A token has all permissions that the user has granted the app so far.
        var approval = approval
        approval.scopes = try consent.scopes(in: visit) ?? approval.scopes
        let accessToken = types.contains(.token) ? try await visit.mint.accessToken(approval) : nil
        let code = types.contains(.code) ? try await visit.mint.code(approval, binding: request.binding) : nil
        let signedRequest = types.contains(.signedRequest) ? try await self.signedRequest(approval) : nil
        let idToken =
            types.contains(.idToken)
            ? try await FacebookIDToken(visit: visit, approval: approval, version: self.version).text(accessToken: accessToken) : nil
        let now = visit.cloud.clock.now
        let version = version ?? request.client.facebook?.version ?? .current
        let knowsDataAccess = accessToken != nil && version >= GraphDebugToken.dataAccessSince
        var answer = AuthorizationAnswer(
            to: request.redirectURI, mode: accessToken == nil && idToken == nil ? .query : .fragment,
            fields: [
                "access_token": accessToken,
                "id_token": idToken,
                "data_access_expiration_time": knowsDataAccess ? String(now.seconds + GraphDebugToken.dataAccessLifetime) : nil,
                "expires_in": accessToken.map { _ in String(visit.provider.tokenLifetime) },
                "code": code,
                "signed_request": signedRequest,
                "graph_domain": types.contains(.graphDomain) ? "facebook" : nil,
                "granted_scopes": types.contains(.grantedScopes) ? approval.scopes.joined(separator: ",") : nil,
                "denied_scopes": types.contains(.grantedScopes) ? try consent.declined(in: visit).joined(separator: ",") : nil,
                "state": request.state,
            ])
        // With its own fragment, Facebook prevents browsers from keeping the fragment of the dialog's URL.
        answer.suffix = "#_=_"
        return answer
    }

    /// Returns a signed request with a code that must be redeemed with an empty redirect URI, like the JavaScript SDK's.
    private func signedRequest(_ approval: Approval) async throws -> String {
        guard let secret = approval.client.secret else {
            throw FaultPage(code: "100", explanation: "(#100) The app has no secret to sign a signed_request with.")
        }
        let code = try await visit.mint.code(approval, binding: ["redirect_uri": ""])
        return SignedRequest(
            userID: approval.client.facebookID(of: approval.person, version: version), issuedAt: visit.cloud.clock.now,
            further: ["code": .string(code)]
        ).text(secret: secret)
    }

    func refusal(of request: AuthorizationRequest, because reason: AuthorizationRefusal) -> AuthorizationAnswer {
        // The dialogs that mobile SDKs show within the app have an error of their own.
        guard request.redirectURI != FacebookRedirect.webDialog else {
            return AuthorizationAnswer(
                to: request.redirectURI, mode: .query,
                fields: ["error_code": "4201", "error_message": "User canceled the Dialog flow", "state": request.state])
        }
        var answer = AuthorizationAnswer(
            to: request.redirectURI, mode: .query,
            fields: [
                "error": reason.rawValue, "error_code": "200", "error_description": "Permissions error",
                "error_reason": "user_denied", "state": request.state,
            ])
        answer.suffix = "#_=_"
        return answer
    }

    func mayBeDeclined(_ scope: String) -> Bool { scope != "public_profile" && scope != FacebookIDToken.scope }

    func meaning(ofScope scope: String) -> String { Self.meaning(of: scope) }

    static func meaning(of scope: String) -> String {
        switch scope {
        case "public_profile": "See your name and profile picture"
        case FacebookIDToken.scope: "Know who you are"
        case "email": "See your email address"
        case "user_friends": "See your friends who use the app"
        case "user_birthday": "See your birthday"
        default: "Use your permission"
        }
    }
}
