import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `GET /mobile/platform/sso/exchange-token` with an external issuer's token: a SAML assertion, or a JWT of an issuer that is registered
/// with its certificates. (Using Oracle Mobile Cloud Service, "SAML Tokens and Virtual Users".)
struct AssertionExchange {
    let call: MobileCall

    func respond() async throws -> Response {
        guard call.method == .get else { throw MobileError.methodNotAllowed(.get) }
        try await call.enter("exchangeExternalToken")
        let backend = try call.namedBackend()
        try MobileCaller.Method.exchange.admit(to: backend)
        guard case .bearer(let text) = try PresentedCredentials(call.http.headers) else {
            throw MobileError(.notAuthenticated, "Send the token to exchange as 'Authorization: Bearer <token>'.")
        }
        let identity: ExternalIdentity
        let timeout: TokenTimeout
        do {
            identity = try await self.identity(text)
            timeout = try TokenTimeout(environment: call.mobile.environment.policies)
        } catch let error as ExternalTokenError {
            throw MobileError(.invalidToken, error.detail)
        }
        let user = try user(identity, backend)
        call.http.note(caller: user.name)
        let answer = try await user.token(
            for: backend, method: .exchange, lifetime: timeout.lifetime(external: identity.lifetime), call)
        return .json(.object(answer), headers: .unstored)
    }

    /// Verifies the token and returns its user.
    private func identity(_ text: String) async throws -> ExternalIdentity {
        switch try ExternalTokenText(text) {
        case .assertion(let document): return try await ExternalIdentity(assertion: document, issuers: registry)
        case .jwt(let text): return try await ExternalIdentity(jwt: text, issuers: registry)
        }
    }

    private var registry: RegisteredIssuers { RegisteredIssuers(call: call) }

    private func user(_ identity: ExternalIdentity, _ backend: MobileBackend) throws(MobileError) -> RelayedUser {
        guard !identity.issuer.enablesVirtualUsers else {
            return .virtual(identity.name, issuer: identity.issuer.name, roles: identity.roles, call.mobile)
        }
        do {
            return try .provisioned(identity.name, by: .uid, roles: identity.roles, backend: backend, call.mobile)
        } catch {
            throw MobileError(.forbidden, error.detail)
        }
    }
}
