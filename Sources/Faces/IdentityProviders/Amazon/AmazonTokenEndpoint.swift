import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// Login with Amazon's token endpoint (Login with Amazon Developer Guide, "Access Token Request").
struct AmazonTokenEndpoint {
    let visit: Visit

    func respond() async throws -> Response {
        try await visit.enter("Token")
        let form = try await visit.form()
        if let name = form.repeatedName { throw OAuthError(.invalidRequest, "The request has a repeated parameter : \(name)") }
        let grantType = try required("grant_type", form)
        if grantType == "device_code" {
            return try await visit.refusing(unknownClient: AmazonDevices.invalidPair, unknownPerson: AmazonDevices.invalidPair) {
                let approval = try await AmazonDevices(visit: visit).redeem(form)
                let (access, refresh) = (try visit.mint.newAccessToken(approval), try visit.mint.newRefreshToken(approval))
                try await visit.grantIssuer.keep([access, refresh])
                return answer(approval, accessToken: access.token, refreshToken: refresh.token)
            }
        }
        guard grantType == "authorization_code" || grantType == "refresh_token" else {
            throw OAuthError(
                .unsupportedGrantType, "The authorization grant type is not supported by the authorization server")
        }
        let client = try authenticate(form)
        let isRefresh = grantType == "refresh_token"
        return try await visit.refusing(
            unknownClient: unknownClient(isInHeader: visit.call.headers.has(.authorization)),
            unknownPerson: Self.invalid(isRefresh ? "refresh_token" : "code")
        ) {
            try await isRefresh ? refresh(form, client: client) : redeemCode(form, client: client)
        }
    }

    private func required(_ name: String, _ form: FormFields) throws -> String {
        guard let value = form.value(name) else {
            throw OAuthError(.invalidRequest, "The request is missing a required parameter : \(name)")
        }
        return value
    }

    private func authenticate(_ form: FormFields) throws -> Client {
        if let client = applicationInBrowser(form) { return client }
        do {
            return try ClientAuthentication.client(of: form, headers: visit.call.headers, at: visit.provider)
        } catch {
            switch error.reason {
            case .missing: throw OAuthError(.invalidRequest, "The request is missing a required parameter : client_id")
            case .severalMethods:
                throw OAuthError(.invalidRequest, "The request has more than one mechanism for authenticating the client")
            case .malformed, .unknownClient, .wrongSecret, .missingSecret:
                throw unknownClient(isInHeader: error.usedHeader)
            }
        }
    }

    private func unknownClient(isInHeader: Bool) -> OAuthError {
        OAuthError(
            .invalidClient, "Client authentication failed", challenge: isInHeader ? "Basic realm=\"LoginWithAmazon\"" : nil)
    }

    private static func invalid(_ parameter: String) -> OAuthError {
        OAuthError(.invalidGrant, "The request has an invalid grant parameter : \(parameter)")
    }

    /// Returns the client of an application in a browser, which has no secret. The PKCE code verifier authenticates it; its codes cannot be
    /// redeemed without one. (Login with Amazon SDK for JavaScript, `retrieveToken`.)
    private func applicationInBrowser(_ form: FormFields) -> Client? {
        guard form.value("client_secret") == nil, visit.call.headers[.authorization] == nil,
            form.value("grant_type") == "authorization_code", form.value("code_verifier") != nil
        else { return nil }
        return form.value("client_id").flatMap(visit.provider.client)
    }

    private func redeemCode(_ form: FormFields, client: Client) async throws -> Response {
        let code = AuthorizationCode(text: try required("code", form), visit: visit)
        let redirectURI = try required("redirect_uri", form)
        do {
            let grant = try await code.check(by: client, redirectURI: redirectURI, verifier: form.value("code_verifier"))
            guard let approval = Approval(grant, at: visit.provider) else { throw AuthorizationCode.Fault.unknown }
            let (access, refresh) = (try visit.mint.newAccessToken(approval), try visit.mint.newRefreshToken(approval))
            try await code.spend(grant, on: [access, refresh])
            return answer(approval, accessToken: access.token, refreshToken: refresh.token)
        } catch let fault as AuthorizationCode.Fault {
            throw Self.invalid(Self.parameter(atFaultIn: fault))
        }
    }

    private static func parameter(atFaultIn fault: AuthorizationCode.Fault) -> String {
        switch fault {
        case .unknown, .expired, .alreadyUsed, .otherClient: "code"
        case .otherRedirectURI: "redirect_uri"
        case .missingVerifier, .unexpectedVerifier, .wrongVerifier: "code_verifier"
        }
    }

    private func refresh(_ form: FormFields, client: Client) async throws -> Response {
        let token = try required("refresh_token", form)
        guard let grant = try await visit.grantVerifier.verified(token, kind: .refreshToken)?.grant, grant.client == client.id,
            let approval = Approval(grant, at: visit.provider)
        else { throw Self.invalid("refresh_token") }
        return answer(approval, accessToken: try await visit.mint.accessToken(approval), refreshToken: token)
    }

    private func answer(_ approval: Approval, accessToken: String, refreshToken: String) -> Response {
        visit.call.note(caller: approval.person.name)
        let body: JSONValue = [
            "access_token": .string(accessToken), "refresh_token": .string(refreshToken), "token_type": "bearer",
            "expires_in": .integer(Int64(visit.provider.tokenLifetime)),
        ]
        return Response(
            status: .ok, contentType: AmazonFace.contentType, headers: .unstored, text: body.serialized())
    }
}
