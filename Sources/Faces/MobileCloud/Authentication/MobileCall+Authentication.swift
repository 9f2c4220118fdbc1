import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

extension MobileCall {
    /// Authenticates the caller by the method that the request uses.
    /// (Using Oracle Mobile Cloud Service, "Authenticating with HTTP Basic in Direct REST Calls", "Authenticating with OAuth in Direct REST
    /// Calls", "Facebook Login".)
    /// - Throws: ``MobileError`` if the request has no credentials, or invalid ones.
    func authenticate() async throws -> MobileCaller {
        guard let credentials = try PresentedCredentials(http.headers) else {
            throw MobileError(.notAuthenticated, "The call carries no credentials.")
        }
        // Custom code may forward the headers of its own request, such as the social provider's name. Its credential identifies the caller.
        if case .bearer(let token) = credentials, let caller = try customCodeCaller(token) { return caller }
        let social = try SocialCredentials(http.headers)
        switch credentials {
        case .bearer(let token):
            guard social == nil else {
                throw MobileError(.malformedRequest, "The token of a social provider goes with the anonymous key, not with another token.")
            }
            var run = DecidingRun<MobileError>()
            return try caller(by: try await MobileTokens(cloud: cloud).read(token), &run)
        case .basic(let name, let password):
            let caller = try basicCaller(name, password)
            guard let social else { return caller }
            return try await SocialLogin(call: self, credentials: social).caller(replacing: caller)
        }
    }

    /// Returns the backend that the request names in `Oracle-Mobile-Backend-ID`.
    /// - Throws: ``MobileError``.
    func namedBackend() throws(MobileError) -> MobileBackend {
        guard let id = http.headers[.backendID], !id.isEmpty else {
            throw MobileError(.missingBackendID, "The header Oracle-Mobile-Backend-ID is missing.")
        }
        guard let backend = mobile.backend(id: id) else {
            // The service's own message; the client ID in it is the backend ID here.
            throw MobileError(
                .unknownBackend,
                "We cannot find the active mobile backend for the given clientId \(id) and BASIC schema. Specify a valid clientId and try again."
            )
        }
        return backend
    }

    /// Returns a user of the backend's realm, or the anonymous caller. The user name decides whether the credentials are the anonymous key.
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

    /// Returns the caller that one of our tokens identifies. The token names its backend; a header with another one is ignored.
    func caller<Run: CheckRun>(
        by token: MobileTokens.Content, _ run: inout Run
    ) throws(MobileError) -> MobileCaller where Run.Failure == MobileError {
        let backend = try run.find("backend") { () throws(MobileError) in
            guard let backend = mobile.backend(id: token.backendID) else {
                throw MobileError(.invalidToken, "The mobile backend that the token is for does not exist any more.")
            }
            return backend
        }
        try run.check("method") { () throws(MobileError) in try token.method.admit(to: backend) }
        return try run.find("user") { () throws(MobileError) in try caller(by: token, at: backend) }
    }

    private func caller(by token: MobileTokens.Content, at backend: MobileBackend) throws(MobileError) -> MobileCaller {
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
    /// - Throws: ``MobileError`` if the backend does not allow this method.
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
