import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// Google's token endpoint (Google Identity, "OpenID Connect", "Exchange code for access token and ID token").
struct GoogleTokenEndpoint {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("Token")
        let form = try await visit.form()
        if let name = form.repeatedName { throw Self.repeated(name) }
        let grantType = form.value("grant_type") ?? ""
        return try await visit.refusing(
            unknownClient: Self.unknownClient(of: grantType), unknownPerson: Self.unknownPerson(of: grantType)
        ) {
            try await respond(to: form)
        }
    }

    static let unknownClient = OAuthError(.invalidClient, "The OAuth client was not found.")

    private static func unknownClient(of grantType: String) -> OAuthError {
        grantType == GoogleServiceAccount.grantType ? GoogleServiceAccount.unknownAccount : unknownClient
    }

    private static func unknownPerson(of grantType: String) -> OAuthError {
        switch grantType {
        case "refresh_token": unknownRefreshToken
        case GoogleServiceAccount.grantType: GoogleServiceAccount.unknownPerson
        default: unknownPerson
        }
    }

    static let unknownPerson = OAuthError(.invalidGrant, "Bad Request")
    private static let unknownRefreshToken = OAuthError(.invalidGrant, "Token has been expired or revoked.")

    private func respond(to form: FormFields) async throws -> Response {
        switch form.value("grant_type") {
        case "authorization_code": return try await redeemCode(form)
        case "refresh_token": return try await refresh(form)
        case GoogleServiceAccount.grantType:
            guard let assertion = form.value("assertion") else {
                throw OAuthError(.invalidRequest, "Missing required parameter: assertion")
            }
            return try await GoogleServiceAccount.request(assertion, in: visit).answer(in: visit)
        case let type? where GoogleDevices.grantTypes.contains(type): return try await redeemDeviceCode(form)
        case nil: throw OAuthError(.invalidRequest, "Missing required parameter: grant_type")
        case let other?: throw OAuthError(.unsupportedGrantType, "Invalid grant_type: \(other)")
        }
    }

    static func repeated(_ name: String) -> OAuthError {
        OAuthError(.invalidRequest, "OAuth 2 parameters can only have a single value: \(name)")
    }

    private func authenticate(_ form: FormFields) throws -> Client {
        do {
            return try ClientAuthentication.client(of: form, headers: visit.call.headers, at: visit.provider)
        } catch {
            switch error.reason {
            case .missing: throw OAuthError(.invalidRequest, "Could not determine client ID from request.")
            case .severalMethods, .malformed:
                throw OAuthError(.invalidRequest, "Client authentication is malformed or was sent in two ways.")
            case .missingSecret: throw OAuthError(.invalidRequest, "client_secret is missing.")
            case .unknownClient: throw Self.unknownClient
            case .wrongSecret: throw OAuthError(.invalidClient, "Unauthorized")
            }
        }
    }

    private func redeemCode(_ form: FormFields) async throws -> Response {
        guard let text = form.value("code") else { throw OAuthError(.invalidRequest, "Missing required parameter: code") }
        let client = try authenticate(form)
        guard let redirectURI = form.value("redirect_uri") else {
            throw OAuthError(.invalidRequest, "Missing parameter: redirect_uri")
        }
        let code = AuthorizationCode(text: text, visit: visit)
        do {
            let grant = try await code.check(by: client, redirectURI: redirectURI, verifier: form.value("code_verifier"))
            guard let approval = Approval(grant, at: visit.provider) else { throw Self.unknownPerson }
            var access = try visit.mint.newAccessToken(approval)
            var refresh: IssuedGrant?
            if grant.details["offline"]?.boolValue == true {
                access.grant.details["offline"] = true
                refresh = try visit.mint.newRefreshToken(approval)
            }
            try await code.spend(grant, on: [access, refresh].compactMap { $0 })
            return try await answer(approval, accessToken: access.token, refreshToken: refresh?.token)
        } catch let fault as AuthorizationCode.Fault {
            throw Self.error(for: fault)
        }
    }

    private func redeemDeviceCode(_ form: FormFields) async throws -> Response {
        let client = try authenticate(form)
        let approval = try await GoogleDevices(visit: visit).redeem(form, by: client)
        var access = try visit.mint.newAccessToken(approval)
        access.grant.details["offline"] = true
        let refresh = try visit.mint.newRefreshToken(approval)
        try await visit.grantIssuer.keep([access, refresh])
        return try await answer(approval, accessToken: access.token, refreshToken: refresh.token)
    }

    private static func error(for fault: AuthorizationCode.Fault) -> OAuthError {
        switch fault {
        case .unknown: OAuthError(.invalidGrant, "Malformed auth code.")
        case .otherClient, .expired, .alreadyUsed: OAuthError(.invalidGrant, "Bad Request")
        case .otherRedirectURI: OAuthError(.redirectURIMismatch, "Bad Request")
        case .missingVerifier: OAuthError(.invalidGrant, "Missing code verifier.")
        case .wrongVerifier: OAuthError(.invalidGrant, "Invalid code verifier.")
        case .unexpectedVerifier: OAuthError(.invalidGrant, "code_verifier or verifier is not needed.")
        }
    }

    private func refresh(_ form: FormFields) async throws -> Response {
        guard let token = form.value("refresh_token") else {
            throw OAuthError(.invalidRequest, "Missing required parameter: refresh_token")
        }
        let client = try authenticate(form)
        guard let grant = try await visit.grantVerifier.verified(token, kind: .refreshToken)?.grant, grant.client == client.id,
            var approval = Approval(grant, at: visit.provider)
        else { throw Self.unknownRefreshToken }
        approval.nonce = nil
        approval.scopes = try scopes(of: form, within: approval.scopes)
        return try await answer(
            approval, accessToken: try await visit.mint.accessToken(approval, details: ["offline": true]), refreshToken: nil)
    }

    /// Returns the requested scopes, which must be among the granted ones (RFC 6749 section 6). The texts are as users of Google's
    /// libraries report them.
    private func scopes(of form: FormFields, within granted: [String]) throws -> [String] {
        let asked = (form.value("scope") ?? "").split(separator: " ").map(String.init)
        let invalid = asked.filter { GoogleScope.normalized($0) == nil }
        guard invalid.isEmpty else {
            throw OAuthError(.invalidScope, "Some requested scopes were invalid. {invalid=[\(invalid.joined(separator: ", "))]}")
        }
        let known = asked.compactMap(GoogleScope.normalized)
        guard known.allSatisfy(granted.contains) else { throw OAuthError(.invalidScope, "Bad Request") }
        return known.isEmpty ? granted : granted.filter(known.contains)
    }

    private func answer(_ approval: Approval, accessToken: String, refreshToken: String?) async throws -> Response {
        visit.call.note(caller: approval.person.name)
        var body: JSONObject = [
            "access_token": .string(accessToken), "expires_in": .integer(Int64(visit.provider.tokenLifetime)),
        ]
        if let refreshToken { body["refresh_token"] = .string(refreshToken) }
        body["scope"] = .string(GoogleScope.spelledOut(approval.scopes))
        body["token_type"] = "Bearer"
        if approval.scopes.contains(where: { ["openid", "email", "profile"].contains($0) }) {
            // The tokens of the older endpoint have an issuer without scheme, as all tokens had at that time.
            let claims: JSONObject = visit.path == "/o/oauth2/token" ? ["iss": "accounts.google.com"] : [:]
            body["id_token"] = .string(
                try await visit.mint.idToken(approval, issuer: visit.issuer, accessToken: accessToken, claims: claims))
        }
        return .json(.object(body), headers: .unstored)
    }
}
