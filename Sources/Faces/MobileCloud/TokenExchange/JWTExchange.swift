import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Logging
import Tokens
import WireFormats

/// `POST /mobile/platform/auth/token`: issues one of our tokens for an external issuer's JWT.
/// (Using Oracle Mobile Cloud Service, "JWT Tokens and Virtual Users"; REST API for Oracle Mobile Cloud Service, "Exchange Token".)
struct JWTExchange {
    let call: MobileCall

    private static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    func respond() async throws -> Response {
        guard call.path == ["mobile", "platform", "auth", "token"] else {
            throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
        guard call.method == .post else { throw MobileError.methodNotAllowed(.post) }
        try await call.enter("exchangeToken")
        let form = try await call.http.form()
        if let name = form.repeatedName { throw OAuthError(.invalidRequest, "\(name) is repeated.") }
        guard let grantType = form.value("grant_type") else { throw OAuthError(.invalidRequest, "grant_type is missing.") }
        guard grantType == Self.grantType else { throw OAuthError(.unsupportedGrantType, "grant_type must be \(Self.grantType).") }
        guard let assertion = form.value("assertion") else { throw OAuthError(.invalidRequest, "assertion is missing.") }
        let client = try await ExchangingClient(call, form)
        guard MobileCaller.Method.jwtBearer.isOpen(at: client.backend) else {
            throw OAuthError(.unauthorizedClient, "The backend must have both HTTP Basic and OAuth Consumer on, and Facebook Login off.")
        }
        do {
            return try await exchange(assertion, for: client)
        } catch let error as ExternalTokenError {
            throw OAuthError(.invalidGrant, error.detail)
        }
    }

    private func exchange(_ assertion: String, for client: ExchangingClient) async throws -> Response {
        let token = try ExternalToken(parsing: assertion)
        let (issuer, certificates) = try trustedIssuer(token.issuer)
        guard client.isProven || !issuer.requiresClientAuthentication else {
            throw PresentedClient.refusal("The issuer of the token requires client authentication.")
        }
        guard issuer.isEnabled else { throw ExternalTokenError("Issuer \(token.issuer) is disabled.") }
        try await verify(token, of: issuer, certificates)
        try token.checkTimes(call.cloud.clock)
        let address = EnvironmentAddress(call: call.http)
        try token.checkAudience(issuer.audiences, isRequired: call.mobile.environment.policies.requiresTokenAudience) {
            address.isMeant(by: $0, paths: EnvironmentAddress.ofJWTExchange)
        }
        let username = try token.username(issuer.usernameAttribute)
        if let attribute = issuer.clientIDAttribute, token.claims[attribute]?.stringValue == username {
            throw ExternalTokenError("The token from issuer \(token.issuer) is a client's, which must not become a user's.")
        }
        guard issuer.filters.allSatisfy({ $0.isSatisfied(by: token.claims) }) else {
            throw ExternalTokenError("The token from issuer \(token.issuer) does not satisfy the issuer's filters.")
        }
        guard issuer.allows(client.backend) else {
            throw ExternalTokenError("Tokens from issuer \(token.issuer) must not be used with the backend \(client.backend.key).")
        }
        let user = try user(username, of: issuer, token, backend: client.backend)
        call.http.note(caller: user.name)
        let timeout = try TokenTimeout(
            seconds: issuer.tokenTimeout, policy: issuer.timeoutPolicy, environment: call.mobile.environment.policies)
        var answer = try await user.token(
            for: client.backend, method: .jwtBearer, lifetime: timeout.lifetime(external: token.lifetime(call.cloud.clock)), call)
        answer["id_token"] = .null
        return .json(.object(answer), headers: .unstored)
    }

    /// Returns the configured issuer, and the interval at which certificates are read.
    private func trustedIssuer(_ name: String) throws -> (TrustedIssuer, ReloadInterval) {
        let configuration = call.relay.configuration(for: name, call)
        do {
            let issuer = try configuration.issuer(name, directory: call.cloud.directory, names: call.http.names)
            return (issuer, configuration.certificatesReload)
        } catch {
            var refusal = ExternalTokenError.notConfigured(name)
            let faults =
                switch error {
                case .notConfigured: configuration.faults
                case .malformed(let fault): [fault]
                }
            if !faults.isEmpty {
                refusal.detail += " \(AuthTokenConfiguration.policy): " + faults.map(\.text).joined(separator: " ")
                call.relay.logger.warning(
                    "The configuration of the token exchange is malformed", metadata: ["faults": "\(faults.map(\.text))"])
            }
            throw refusal
        }
    }

    private func verify(_ token: ExternalToken, of issuer: TrustedIssuer, _ certificates: ReloadInterval) async throws {
        let keys: [VerificationKey]
        do {
            switch issuer.keys {
            case .nowhere: throw KeyNotFound("The configuration has neither jwks nor certificateSubjectNames for it.")
            case .published(let published):
                keys = try await call.relay.publishedKeys.signers(of: token.token, issuer: issuer.name, published, call)
            case .certificates(let subjects):
                keys = try await call.relay.certificates.keys(of: subjects, reload: certificates, call)
            }
        } catch let error as KeyNotFound {
            throw ExternalTokenError.noKey(token.issuer, error.reason)
        }
        guard try await token.isSigned(by: keys, in: call.cloud) else {
            throw ExternalTokenError("The signature of the token from issuer \(token.issuer) is wrong.")
        }
    }

    private func user(
        _ name: String, of issuer: TrustedIssuer, _ token: ExternalToken, backend: MobileBackend
    ) throws(ExternalTokenError) -> RelayedUser {
        let roles = issuer.roles.roles(of: token.claims)
        guard !issuer.enablesVirtualUsers else {
            return .virtual(name, issuer: issuer.name, roles: roles + issuer.issuerRoles, call.mobile)
        }
        do {
            return try .provisioned(name, by: issuer.userMapping, roles: roles, backend: backend, call.mobile)
        } catch {
            throw ExternalTokenError(error.detail)
        }
    }
}
