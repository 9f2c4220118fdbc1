import Cloud
import Exchange
import HTTPTypes
import Tokens
import WireFormats

/// The end of a session (OpenID Connect RP-Initiated Logout 1.0), and Keycloak's older way by refresh token.
struct LogoutEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject { ["end_session_endpoint": .string(visit.url(of: .endSession))] }

    func respond() async throws -> Response {
        try await visit.enter("Logout")
        let parameters: FormFields
        switch visit.method {
        case .get: parameters = try query()
        case .post: parameters = try await form()
        default:
            throw OAuthError(
                .invalidRequest, "The endpoint does not take \(visit.method.rawValue) requests.", status: .methodNotAllowed)
        }
        if visit.method == .post, let token = parameters.value("refresh_token") {
            return try await end(sessionOf: token, parameters)
        }
        return try await endBrowserSession(parameters)
    }

    private func query() throws -> FormFields {
        do { return try visit.query() } catch { throw OAuthError(.invalidRequest, error.explanation) }
    }

    private func form() async throws -> FormFields {
        do {
            return try await visit.form()
        } catch let fault as FormFault {
            throw OAuthError(.invalidRequest, fault.explanation)
        }
    }

    /// Everything that the person gave the client ends with the token.
    private func end(sessionOf token: String, _ form: FormFields) async throws -> Response {
        let client: Client
        do {
            client = try ClientAuthentication.client(of: form, headers: visit.exchange.headers, at: visit.provider)
        } catch {
            throw OAuthError(.invalidClient, "Invalid client or Invalid client credentials")
        }
        let grants = visit.cloud.grants
        guard let grant = try grants.find(token, kind: .refreshToken, at: visit.provider.name), grant.client == client.id else {
            throw OAuthError(.invalidGrant, "Invalid refresh token")
        }
        visit.exchange.note(caller: grant.person)
        try await grants.revokeAll(provider: grant.provider, client: grant.client, person: grant.person)
        return Response(status: .noContent, headers: .unstored)
    }

    /// The browser goes back to where the application asks, if that is one of its redirect URIs.
    private func endBrowserSession(_ parameters: FormFields) async throws -> Response {
        let hint = parameters.value("id_token_hint").flatMap { try? JSONWebToken(parsing: $0).claims }
        let client = (parameters.value("client_id") ?? hint?["aud"]?.stringValue ?? hint?["azp"]?.stringValue)
            .flatMap(visit.provider.client)
        let destination = parameters.value("post_logout_redirect_uri")
        if let destination {
            guard let client, client.redirectURIs.contains(destination) else {
                visit.exchange.note(errorCode: "invalid_request")
                return FaultPage(code: "invalid_request", explanation: "Invalid redirect uri").response(of: visit.provider)
            }
        }
        if let cookie = Cookie.session.value(in: visit) { try await visit.cloud.grants.revoke(cookie) }
        guard let destination else {
            return SignInPage(title: "Logged out", content: "<h1>Logged out</h1>\n<p>You are logged out.</p>")
                .response(of: visit.provider)
        }
        let state: FormFields = parameters.value("state").map { ["state": $0] } ?? [:]
        let separator = destination.contains("?") ? "&" : "?"
        return .redirect(to: destination + (state.fields.isEmpty ? "" : separator + state.encoded), headers: .unstored)
    }
}
