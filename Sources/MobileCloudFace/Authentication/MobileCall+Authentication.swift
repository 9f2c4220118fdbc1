import Calls
import Cloud
import Cryptography
import Directory
import HTTPTypes
import WireFormats

extension MobileCall {
    /// Who makes the call, by whichever of the methods it presents.
    /// (Using Oracle Mobile Cloud Service, "Authenticating with HTTP Basic in Direct REST Calls", "Authenticating with OAuth in Direct REST
    /// Calls", "Facebook Login".)
    /// - Throws: ``MobileError`` where nobody has proved anything.
    func authenticate() async throws -> MobileCaller {
        guard let credentials = try PresentedCredentials(http.headers) else {
            throw MobileError(.notAuthenticated, "The call carries no credentials.")
        }
        // Custom code hands on what it was sent, the name of the social provider among it; its credential says who calls.
        if case .bearer(let token) = credentials, let caller = try customCodeCaller(token) { return caller }
        let social = try SocialCredentials(http.headers)
        switch credentials {
        case .bearer(let token):
            guard social == nil else {
                throw MobileError(.malformedRequest, "The token of a social provider goes with the anonymous key, not with another token.")
            }
            return try caller(by: try await MobileTokens(cloud: cloud).read(token))
        case .basic(let name, let password):
            let caller = try basicCaller(name, password)
            guard let social else { return caller }
            return try await SocialLogin(call: self, credentials: social).caller(asNobody: caller)
        }
    }

    /// The backend that the call names in `Oracle-Mobile-Backend-ID`.
    /// - Throws: ``MobileError``.
    func namedBackend() throws(MobileError) -> MobileBackend {
        guard let id = http.headers[.backendID], !id.isEmpty else {
            throw MobileError(.missingBackendID, "The header Oracle-Mobile-Backend-ID is missing.")
        }
        guard let backend = mobile.backend(id: id) else {
            // As the service says it; its client ID here is the backend ID.
            throw MobileError(
                .unknownBackend,
                "We cannot find the active mobile backend for the given clientId \(id) and BASIC schema. Specify a valid clientId and try again."
            )
        }
        return backend
    }

    /// A user of the backend's realm, or nobody: the anonymous key is told from a user's credentials by its name.
    private func basicCaller(_ name: String, _ password: String) throws(MobileError) -> MobileCaller {
        let backend = try namedBackend()
        try MobileCaller.Method.basic.admit(to: backend)
        if name == backend.anonymousUser {
            guard constantTimeEquals(password, backend.anonymousPassword) else {
                throw MobileError(.invalidCredentials, "The anonymous key is wrong.")
            }
            return MobileCaller(backend: backend, identity: .anonymous, method: .basic, roles: [])
        }
        guard backend.facebook == nil else {
            throw MobileError(
                .authenticationMethodOff, "The backend \(backend.key) is for Facebook Login and accepts no other credentials.")
        }
        guard let user = mobile.realms[backend.realm]?.user(named: name), let expected = user.password,
            constantTimeEquals(password, expected)
        else {
            throw MobileError(.invalidCredentials, "The realm \(backend.realm) has no user \(name) with this password.")
        }
        return MobileCaller(backend: backend, identity: .user(user), method: .basic, roles: Set(user.roles))
    }

    /// Who has a token of ours. It says its backend itself: a header with another one changes nothing.
    private func caller(by token: MobileTokens.Content) throws(MobileError) -> MobileCaller {
        guard let backend = mobile.backend(id: token.backendID) else {
            throw MobileError(.invalidToken, "The mobile backend that the token is for does not exist any more.")
        }
        try token.method.admit(to: backend)
        guard let username = token.username else {
            return MobileCaller(backend: backend, identity: .anonymous, method: token.method, roles: [])
        }
        if let virtual = token.virtual {
            return MobileCaller(
                backend: backend, identity: .virtual(name: username, issuer: virtual.issuer), method: token.method,
                roles: Set(virtual.roles))
        }
        guard let user = mobile.realms[backend.realm]?.user(named: username), user.id == token.userID else {
            throw MobileError(.invalidToken, "The user \(username) that the token is for does not exist any more.")
        }
        return MobileCaller(
            backend: backend, identity: .user(user), method: token.method, roles: Set(user.roles).union(token.furtherRoles))
    }
}

extension MobileCaller.Method {
    /// - Throws: ``MobileError`` where the backend lets nobody in by it.
    func admit(to backend: MobileBackend) throws(MobileError) {
        guard !isOpen(at: backend) else { return }
        throw MobileError(.authenticationMethodOff, "\(title) is not enabled in the mobile backend \(backend.key).")
    }
}

extension HTTPField.Name {
    static let backendID = HTTPField.Name(literal: "Oracle-Mobile-Backend-ID")
    static let socialIdentityProvider = HTTPField.Name(literal: "Oracle-Mobile-Social-Identity-Provider")
    static let socialAccessToken = HTTPField.Name(literal: "Oracle-Mobile-Social-Access-Token")
}
