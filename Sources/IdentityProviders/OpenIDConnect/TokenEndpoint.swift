import Cloud
import Exchange
import Federation
import HTTPTypes
import WireFormats

/// The token endpoint (RFC 6749 section 3.2, OpenID Connect Core 1.0 sections 3.1.3 and 12).
struct TokenEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "token_endpoint": .string(visit.url(of: .token)),
            "grant_types_supported": ["refresh_token", "client_credentials", "password"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
        ]
    }

    func respond() async throws -> Response {
        try await visit.enter("Token")
        let form = try await self.form()
        let client = try authenticate(form)
        guard let grantType = form.value("grant_type") else { throw OAuthError(.invalidRequest, "The grant_type is missing.") }
        switch grantType {
        case "authorization_code": return try await redeemCode(form, client: client)
        case "refresh_token": return try await refresh(form, client: client)
        case FurtherGrant.clientCredentials.rawValue: return try await serveClient(form, client: client)
        case FurtherGrant.password.rawValue: return try await servePassword(form, client: client)
        default: throw OAuthError(.unsupportedGrantType, "The grant_type \(grantType) is not supported.")
        }
    }

    func form() async throws -> FormFields {
        let form: FormFields
        do {
            form = try await visit.form()
        } catch let fault as FormFault {
            throw OAuthError(.invalidRequest, fault.explanation, status: fault == .notPosted ? .methodNotAllowed : nil)
        }
        if let name = form.repeatedName { throw OAuthError(.invalidRequest, "The parameter \(name) is repeated.") }
        return form
    }

    func authenticate(_ form: FormFields) throws -> Client {
        do {
            return try ClientAuthentication.client(of: form, headers: visit.exchange.headers, at: visit.provider)
        } catch {
            let challenge = error.usedHeader ? "Basic realm=\"\(visit.provider.name)\", charset=\"UTF-8\"" : nil
            switch error.reason {
            case .severalMethods:
                throw OAuthError(.invalidRequest, "The client must authenticate in one way only.")
            case .missing: throw OAuthError(.invalidClient, "The client did not authenticate.", challenge: challenge)
            case .malformed: throw OAuthError(.invalidClient, "The Authorization header is malformed.", challenge: challenge)
            case .unknownClient, .wrongSecret, .missingSecret:
                let description =
                    visit.isRealm
                    ? "Invalid client or Invalid client credentials" : "The client is unknown or its secret is wrong."
                throw OAuthError(.invalidClient, description, challenge: challenge)
            }
        }
    }

    private func redeemCode(_ form: FormFields, client: Client) async throws -> Response {
        guard let text = form.value("code") else { throw OAuthError(.invalidRequest, "The code is missing.") }
        guard let redirectURI = form.value("redirect_uri") else {
            throw OAuthError(.invalidRequest, "The redirect_uri is missing.")
        }
        let code = AuthorizationCode(text: text, visit: visit)
        let grant: Grant
        do {
            grant = try await code.redeem(by: client, redirectURI: redirectURI, verifier: form.value("code_verifier"))
        } catch let fault as AuthorizationCode.Fault {
            throw OAuthError(.invalidGrant, Self.explanation(of: fault))
        }
        guard let approval = Approval(grant, at: visit.provider) else {
            throw OAuthError(.invalidGrant, "The person of the code is unknown.")
        }
        let accessToken = try await accessToken(approval)
        // Keycloak gives one to everybody.
        let isOffline = visit.isRealm || grant.details["offline"]?.boolValue == true
        let refreshToken = isOffline ? try await visit.mint.refreshToken(approval) : nil
        try await code.remember([accessToken, refreshToken], issuedOn: grant)
        return try await answer(approval, accessToken: accessToken, refreshToken: refreshToken)
    }

    private static func explanation(of fault: AuthorizationCode.Fault) -> String {
        switch fault {
        case .unknown, .otherClient: "The code is unknown, or was given to another client."
        case .expired: "The code has expired."
        case .alreadyUsed: "The code was used before; the tokens issued on it are revoked."
        case .otherRedirectURI: "The redirect_uri is not the one of the authorization request."
        case .missingVerifier: "The code_verifier is missing."
        case .unexpectedVerifier: "There was no code_challenge, so that there can be no code_verifier."
        case .wrongVerifier: "The code_verifier does not fit the code_challenge."
        }
    }

    private func refresh(_ form: FormFields, client: Client) async throws -> Response {
        guard let token = form.value("refresh_token") else { throw OAuthError(.invalidRequest, "The refresh_token is missing.") }
        guard let grant = try visit.cloud.grants.find(token, kind: .refreshToken, at: visit.provider.name),
            grant.client == client.id,
            var approval = Approval(grant, at: visit.provider)
        else { throw OAuthError(.invalidGrant, "The refresh_token is unknown, has expired or was given to another client.") }
        // The nonce belongs to the authorization request alone (OpenID Connect Core 1.0 section 12.2).
        approval.nonce = nil
        if let scope = form.value("scope") {
            let scopes = scope.split(separator: " ").map(String.init)
            guard scopes.allSatisfy(approval.scopes.contains) else {
                throw OAuthError(.invalidScope, "The scope is wider than the one that was granted.")
            }
            approval.scopes = scopes
        }
        // Keycloak's refresh tokens are for one use each.
        let next = visit.isRealm ? try await visit.mint.refreshToken(approval) : nil
        if next != nil { try await visit.cloud.grants.revoke(token) }
        return try await answer(approval, accessToken: try await accessToken(approval), refreshToken: next)
    }

    /// Opaque, but for those who ask as of Keycloak.
    func accessToken(_ approval: Approval) async throws -> String {
        visit.isRealm
            ? try await visit.mint.signedAccessToken(SignedAccess(approval), issuer: visit.issuer)
            : try await visit.mint.accessToken(approval)
    }

    func answer(_ approval: Approval, accessToken: String, refreshToken: String?) async throws -> Response {
        visit.exchange.note(caller: approval.person.name)
        var body: JSONObject = [
            "access_token": .string(accessToken), "token_type": "Bearer",
            "expires_in": .integer(Int64(visit.provider.tokenLifetime)),
            "scope": .string(approval.scopes.joined(separator: " ")),
        ]
        if let refreshToken { body["refresh_token"] = .string(refreshToken) }
        if visit.isRealm {
            body["refresh_expires_in"] = .integer(Int64(TokenMint.refreshTokenLifetime(of: .openIDConnect)))
            body["not-before-policy"] = 0
        }
        if approval.scopes.contains("openid") {
            let further: JSONObject =
                visit.isRealm
                ? [
                    "typ": "ID", "azp": .string(approval.client.id), "acr": "1",
                    "preferred_username": .string(SignedAccess(approval).userName),
                ] : [:]
            body["id_token"] = .string(
                try await visit.mint.idToken(approval, issuer: visit.issuer, accessToken: accessToken, claims: further))
        }
        return .json(.object(body), headers: .unstored)
    }
}
