import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

/// The OAuth token endpoint: client credentials and password grants. (RFC 6749 sections 4.3 and 4.4; Using Oracle Mobile Cloud Service,
/// "Authenticating with OAuth in Direct REST Calls".)
struct MobileTokenEndpoint {
    let call: MobileCall

    /// The paths of the service and its successors, and the one in the chapter's example.
    static let paths: Set<String> = Set(["/oam/oauth2/tokens", "/oauth2/v1/token", "/token"].flatMap { [$0, $0 + "/"] })

    static let contentType = "application/json;charset=UTF-8"

    /// The challenge for a client that has not authenticated.
    static let challenge = "Basic realm=\"mobile cloud\", charset=\"UTF-8\""

    /// The lifetime in seconds of a token of client credentials, as the chapter shows.
    private static let clientTokenLifetime = 604_800
    /// The lifetime in seconds of a user's token. No other value is documented, so it is that of tokens from the JWT exchange.
    private static let userTokenLifetime = 28_800

    func respond() async throws -> Response {
        guard call.http.method == .post else { throw MobileError.methodNotAllowed(.post) }
        try await call.enter("Token")
        let form = TokenForm(try await call.http.formText())
        if let name = form.fields.repeatedName { throw OAuthError(.invalidRequest, "The parameter \(name) occurs twice.") }
        guard let client = try PresentedClient(form.fields, headers: call.http.headers) else {
            throw PresentedClient.refusal("The client does not authenticate.")
        }
        let backend = try client.backend(in: call.mobile)
        guard let grant = form.fields.value("grant_type") else { throw OAuthError(.invalidRequest, "The parameter grant_type is missing.") }
        guard ["client_credentials", "password"].contains(grant) else {
            throw OAuthError(.unsupportedGrantType, "The grant_type is neither client_credentials nor password.")
        }
        guard MobileCaller.Method.oauth.isOpen(at: backend) else {
            throw OAuthError(.unauthorizedClient, "OAuth Consumer is not enabled in the mobile backend \(backend.key).")
        }
        return grant == "password" ? try await userToken(form, backend) : try await clientToken(backend)
    }

    /// Issues an anonymous token for client credentials.
    private func clientToken(_ backend: MobileBackend) async throws -> Response {
        let token = try await issue(for: backend, username: nil, lifetime: Self.clientTokenLifetime)
        return answer([
            "oracle_client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "expires_in": .integer(Int64(Self.clientTokenLifetime)), "token_type": "Bearer", "oracle_tk_context": "client_assertion",
            "access_token": .string(token),
        ])
    }

    private func userToken(_ form: TokenForm, _ backend: MobileBackend) async throws -> Response {
        let credentials = form.credentials
        guard !credentials.isEmpty else { throw OAuthError(.invalidRequest, "The parameters username and password are needed.") }
        let realm = call.mobile.realms[backend.realm]
        let user = credentials.lazy.compactMap { username, password -> MobileUser? in
            guard let user = realm?.user(named: username), let expected = user.password, constantTimeEquals(password, expected) else {
                return nil
            }
            return user
        }.first
        guard let user else { throw OAuthError(.invalidGrant, "The user name or the password is wrong.") }
        call.http.note(caller: user.username)
        let token = try await issue(for: backend, username: user.username, lifetime: Self.userTokenLifetime)
        return answer([
            "expires_in": .integer(Int64(Self.userTokenLifetime)), "token_type": "Bearer", "oracle_tk_context": "user_assertion",
            "oracle_grant_type": "password", "access_token": .string(token),
        ])
    }

    private func issue(for backend: MobileBackend, username: String?, lifetime: Int) async throws -> String {
        let now = call.cloud.clock.now
        return try await MobileTokens(cloud: call.cloud).issue(
            .init(
                backendID: backend.id, username: username, method: .oauth, issued: now, expires: now + .seconds(lifetime)), in: call.mobile)
    }

    private func answer(_ body: JSONObject) -> Response {
        Response(status: .ok, contentType: Self.contentType, headers: .unstored, text: JSONValue.object(body).serialized())
    }
}
