import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// An authorization request to a user pool. (Amazon Cognito Developer Guide, "Authorize endpoint".)
struct HostedRequest: Sendable {
    let client: UserPoolClient
    let redirectURI: String
    /// Whether the answer has tokens in place of a code.
    let isImplicit: Bool
    let scopes: [String]
    let state: String?
    let nonce: String?
    /// The challenge with the method S256 (RFC 7636); `nil` if there is none.
    let challenge: String?
    /// The identity provider that the request leads to; `nil` for the login page.
    let provider: UserPoolIdentityProvider?

    /// Reads and checks a request.
    /// - Throws: `HostedRedirect`.
    init(_ parameters: FormFields, in visit: HostedVisit) throws {
        let id = parameters.value("client_id")
        func mismatch(_ note: String) -> HostedRedirect { .errorPage("redirect_mismatch", client: id, note, in: visit) }
        guard let client = visit.client(id) else { throw mismatch("There is no such app client.") }
        let settings = client.oauthSettings
        guard let uri = parameters.value("redirect_uri") ?? settings.defaultRedirectURI, settings.callbackURLs.contains(uri) else {
            throw mismatch("redirect_uri is not a callback URL of the app client.")
        }
        let givenState = parameters.value("state")
        func refusal(_ code: String, _ note: String) -> HostedRedirect { Self.refusal(code, note, to: uri, state: givenState) }
        self.client = client
        redirectURI = uri
        state = givenState
        nonce = parameters.value("nonce")
        if let name = parameters.repeatedName { throw refusal("invalid_request", "The parameter \(name) is given twice.") }
        switch parameters.value("response_type") {
        case "code":
            isImplicit = false
            guard settings.allows(.code) else { throw refusal("unauthorized_client", "The app client cannot use codes.") }
        case "token":
            isImplicit = true
            guard settings.allows(.implicit) else { throw refusal("unauthorized_client", "The app client cannot use the implicit grant.") }
        default: throw refusal("invalid_request", "response_type must be code or token.")
        }
        let (challenge, method) = (parameters.value("code_challenge"), parameters.value("code_challenge_method"))
        guard (challenge == nil) == (method == nil), method.map({ $0 == "S256" }) ?? true, challenge.map(PKCE.isChallenge) ?? true else {
            throw refusal("invalid_request", "code_challenge needs code_challenge_method=S256 and the digest of a verifier.")
        }
        self.challenge = challenge
        guard let scopes = client.scopes(asked: parameters.value("scope"), in: visit.pools), !scopes.isEmpty else {
            throw refusal("invalid_scope", "The app client cannot ask for these scopes.")
        }
        self.scopes = scopes
        let providers = visit.pools.identityProviders(of: visit.pool.id).filter { settings.providers.contains($0.name) }
        if let name = parameters.value("identity_provider") {
            provider = providers.first { $0.name == name }
            guard provider != nil || name == UserPoolClient.OAuth.ownProvider else {
                throw refusal("invalid_request", "The app client has no such identity provider.")
            }
        } else if let identifier = parameters.value("idp_identifier") {
            provider = providers.first { $0.identifiers.contains(identifier) }
            guard provider != nil else { throw refusal("invalid_request", "The app client has no identity provider with this identifier.") }
        } else {
            // With one provider only, there is nothing to choose.
            provider = providers.count == 1 && !settings.allowsOwnUsers ? providers[0] : nil
        }
    }

    /// Returns the redirect with an error to the app.
    /// - Parameters:
    ///   - note: what the journal shows.
    ///   - description: the description for the app.
    func refusal(_ code: String, _ note: String, description: String) -> HostedRedirect {
        Self.refusal(code, note, description: description, to: redirectURI, state: state)
    }

    private static func refusal(
        _ code: String, _ note: String, description: String? = nil, to uri: String, state: String?
    ) -> HostedRedirect {
        var fields: FormFields = ["error": code]
        if let description { fields.fields.append(.init(name: "error_description", value: description)) }
        if let state { fields.fields.append(.init(name: "state", value: state)) }
        return HostedRedirect(location: uri + (uri.contains("?") ? "&" : "?") + fields.encoded, code: code, note: note)
    }

    /// The validity of a code in seconds. (Amazon Cognito Developer Guide, "Token endpoint".)
    private static let codeLifetime = 300

    /// Issues a code, or the tokens of the implicit grant.
    func answer(_ session: HostedSession, in visit: HostedVisit) async throws -> Response {
        visit.call.note(caller: "\(visit.pool.arn)/\(session.user.username)")
        let location: String
        if isImplicit {
            location = try await tokens(session, in: visit)
        } else {
            location = try await code(session, in: visit)
        }
        return .redirect(to: location, headers: .unstored)
    }

    private func code(_ session: HostedSession, in visit: HostedVisit) async throws -> String {
        var details: JSONObject = [
            "redirect_uri": .string(redirectURI), "scope": .string(scopes.joined(separator: " ")),
            "authenticated": .integer(session.authenticated.milliseconds),
        ]
        if let challenge { details["code_challenge"] = .string(challenge) }
        if let nonce { details["nonce"] = .string(nonce) }
        let now = visit.cloud.clock.now
        let grant = Grant(
            kind: .code, provider: visit.pool.grantName, client: client.id, person: session.user.sub, issued: now,
            expires: now + .seconds(Self.codeLifetime), details: details)
        let code = try UserPoolIdentifier.newUUID()
        try await visit.cloud.grantIssuer.keep(grant, under: code)
        var fields: FormFields = ["code": code]
        if let state { fields.fields.append(.init(name: "state", value: state)) }
        return redirectURI + (redirectURI.contains("?") ? "&" : "?") + fields.encoded
    }

    private func tokens(_ session: HostedSession, in visit: HostedVisit) async throws -> String {
        let (user, changes) = try await visit.tokenChanges(for: session.user, at: client, scopes: scopes)
        let begun = try await visit.logins.begin(
            user, at: client, of: visit.pool, authenticated: session.authenticated, scopes: scopes, spending: nil)
        guard let login = begun?.login else { throw HostedFault.unavailable("The login could not begin.") }
        let tokens = try await visit.logins.tokens(for: user, at: client, of: visit.pool, in: login, nonce: nonce, changes: changes)
        var fields: FormFields = [:]
        func append(_ name: String, _ value: String?) {
            if let value { fields.fields.append(.init(name: name, value: value)) }
        }
        append("id_token", tokens.idToken)
        append("access_token", tokens.accessToken)
        append("token_type", "bearer")
        append("expires_in", String(tokens.lifetime))
        append("state", state)
        return redirectURI + "#" + fields.encoded
    }
}
