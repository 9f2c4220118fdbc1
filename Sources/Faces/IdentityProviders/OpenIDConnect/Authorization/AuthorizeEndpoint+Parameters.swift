import Calls
import Cloud
import Directory
import Federation
import WireFormats

extension AuthorizeEndpoint {
    /// Reads the parameters of a request other than response type and mode (OpenID Connect Core 1.0 section 3.1.2.1). Unknown parameters
    /// are ignored.
    /// - Throws: `AuthorizationFault`.
    func read(_ parameters: FormFields, into request: inout AuthorizationRequest) async throws {
        if let name = visit.repeatedParameter(of: parameters) {
            throw AuthorizationFault(.invalidRequest, visit.manners.refusals.repeatedParameter(name).description)
        }
        if parameters["registration"] != nil {
            throw AuthorizationFault(.registrationNotSupported, "The registration parameter is not supported.")
        }
        if parameters["authorization_details"] != nil {
            throw AuthorizationFault(.invalidRequest, RequestObject.unsupportedDetails)
        }
        try readScopes(parameters, into: &request)
        request.isOffline = request.scopes.contains("offline_access")
        // Any page can register a client, so users are asked before such a one learns who they are.
        let asksByDefault = request.client.isOpenlyRegistered == true || visit.manners.requiresConsent
        request.needsNoConsent = !(request.client.requiresConsent ?? asksByDefault)
        try readProduct(parameters, into: &request)
        request.nonce = parameters.value("nonce")
        if request.responseTypes.contains(.idToken) {
            guard request.scopes.contains("openid") else {
                throw AuthorizationFault(.invalidScope, "An ID token needs the scope openid.")
            }
            // A nonce is required (sections 3.2.2.1 and 3.3.2.11), but not at Apple.
            guard request.nonce != nil || visit.provider.product == .apple else {
                throw visit.manners.refusals.missingNonce
            }
        }
        request.loginHint = parameters.value("login_hint")
        // Requests through the browser have no DPoP proof (RFC 9449 section 5.2).
        if request.responseTypes.contains(.token), request.client.metadata.dpopBoundAccessTokens == true {
            throw AuthorizationFault(.invalidRequest, "The client's access tokens are bound to a key. Only the token endpoint issues them.")
        }
        request.keyThumbprint = parameters.value("dpop_jkt")
        try readPrompts(parameters, into: &request)
        try readClaims(parameters, into: &request)
        if let hint = parameters.value("id_token_hint") {
            guard let claims = try await IDTokenHint(hint, at: visit), claims.audiences.contains(request.client.id) else {
                throw AuthorizationFault(.invalidRequest, "The id_token_hint is not an ID token that was issued to the client here.")
            }
            if let other = request.expectedSubject, other != claims.subject {
                throw AuthorizationFault(.invalidRequest, "The id_token_hint and the claims parameter name different users.")
            }
            request.expectedSubject = claims.subject
        }
        do {
            request.challenge = try CodeChallenge(parameters, allowing: visit.manners.acceptsPlainChallenges ? [.plain, .s256] : [.s256])
        } catch {
            throw visit.manners.refusals.challenge(error)
        }
        if visit.manners.requiresChallenge, request.client.isPublic, request.responseTypes.contains(.code), request.challenge == nil {
            throw AuthorizationFault(.invalidRequest, "A public client must send a code_challenge.")
        }
    }

    private func readScopes(_ parameters: FormFields, into request: inout AuthorizationRequest) throws(AuthorizationFault) {
        let audiences: [String]
        do throws(ResourceIndicators.Fault) {
            audiences = try visit.selectedAudiences(of: parameters, for: request.client)
        } catch {
            throw AuthorizationFault(.invalidTarget, error.explanation)
        }
        do throws(ScopeRules.Fault) {
            // Keycloak grants these to every client.
            let granted = try ScopeRules(visit: visit, client: request.client).granted(
                parameters.value("scope"), byDefault: visit.manners.addsDefaultScopes ? ["profile", "email"] : [], at: audiences)
            // Offline access without a code is ignored (section 11).
            request.scopes = granted.scopes.filter { $0 != "offline_access" || request.responseTypes.contains(.code) }
            request.resources = granted.audiences
        } catch {
            throw AuthorizationFault(.invalidScope, error.explanation)
        }
    }

    private func readPrompts(_ parameters: FormFields, into request: inout AuthorizationRequest) throws(AuthorizationFault) {
        for name in (parameters.value("prompt") ?? "").split(separator: " ") {
            guard let prompt = AuthorizationRequest.Prompt(rawValue: String(name)), prompt != .create || visit.manners.registersPeople
            else {
                throw AuthorizationFault(.invalidRequest, "The prompt \(name) is unknown.")
            }
            request.prompts.insert(prompt)
        }
        if request.prompts.contains(.none), request.prompts.count > 1 {
            throw AuthorizationFault(.invalidRequest, "The prompt none excludes all others.")
        }
        request.maximumAge = request.client.metadata.defaultMaxAge
        if let text = parameters.value("max_age") {
            guard let seconds = Int64(digits: text) else {
                throw AuthorizationFault(.invalidRequest, "The max_age is not a number of seconds.")
            }
            request.maximumAge = seconds
        }
        // No existing login satisfies a maximum age of zero (section 3.1.2.1).
        if request.maximumAge == 0 { request.prompts.insert(.login) }
    }

    private func readClaims(_ parameters: FormFields, into request: inout AuthorizationRequest) throws(AuthorizationFault) {
        let asked = try parameters.value("claims").map(ClaimsParameter.init) ?? ClaimsParameter()
        request.claims = asked.names
        request.expectedSubject = asked.subject
        let wished = parameters.value("acr_values")?.split(separator: " ").map(String.init) ?? request.client.metadata.defaultACRValues
        guard let context = asked.context ?? wished.map({ .init(values: $0, isEssential: false) }) else { return }
        request.authenticationContext = AuthenticationContext.reached(of: context.values)
        if context.isEssential, !context.values.isEmpty, !context.values.contains(where: AuthenticationContext.supported.contains) {
            throw AuthorizationFault(.unmetAuthenticationRequirements, "None of the authentication contexts can be reached.")
        }
    }
}

/// The authentication contexts (`acr`) that a login satisfies.
enum AuthenticationContext {
    /// A password: the number of Keycloak's lowest level, and SAML's name.
    static let supported = ["1", "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"]

    /// Returns the first requested context that a login satisfies, or the default one.
    static func reached(of wishes: [String]) -> String { wishes.first(where: supported.contains) ?? supported[0] }
}

extension Client {
    /// Returns whether the client has registered the URI. The port of a native application's loopback address may differ (RFC 8252 section
    /// 7.3, RFC 9700 section 2.1).
    func redirects(to uri: String) -> Bool {
        if redirectURIs.contains(uri) { return true }
        guard metadata.applicationType == "native", let address = LoopbackURI(uri) else { return false }
        return redirectURIs.contains { LoopbackURI($0) == address }
    }
}

/// A loopback URI without its port.
private struct LoopbackURI: Equatable {
    var host: String
    /// The path and query.
    var rest: String

    init?(_ uri: String) {
        guard uri.hasPrefix("http://") else { return nil }
        var rest = uri.dropFirst("http://".count)
        let end =
            rest.hasPrefix("[")
            ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex { $0 == ":" || $0 == "/" || $0 == "?" }
        let host = String(rest[..<(end ?? rest.endIndex)])
        guard HostNames.isThisMachine(host) else { return nil }
        rest = rest.dropFirst(host.count)
        if rest.hasPrefix(":") {
            let port = rest.dropFirst().prefix { $0 != "/" && $0 != "?" }
            guard UInt16(digits: port) != nil else { return nil }
            rest = rest.dropFirst(1 + port.count)
        }
        guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?"), !rest.contains("#") else { return nil }
        self.host = host
        // An empty path equals the root (RFC 3986 section 6.2.3).
        self.rest = rest.hasPrefix("/") ? String(rest) : "/" + rest
    }
}
