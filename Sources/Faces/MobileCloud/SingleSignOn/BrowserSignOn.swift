import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The browser flow from the first URL to the token. If no user is logged in, it goes through the realm's identity provider.
struct BrowserSignOn {
    let call: MobileCall

    /// Handles `GET …/sso/token?clientID=…`.
    func token() async throws -> Response {
        let request = try BrowserTokenRequest(query(), of: call)
        let target = call.http.request.target
        if let failure = try await PendingLogin.takeFailure(of: target, in: call) { throw failure }
        guard let user = try RelaySession.user(of: call, in: request.realm) else {
            return try await begin(at: request.provider, realm: request.realm, returningTo: target)
        }
        return try await answer(request, for: user)
    }

    /// Handles `GET …/sso/redirect` without a provider's response: starts a new login, even if the browser has a session.
    /// - Parameter bySAML: whether the URL is for SAML identity providers only.
    func login(bySAML: Bool = false) async throws -> Response {
        var fields = try query()
        if fields["clientID"] == nil {
            let backends = call.mobile.backends.values.filter { backend in
                backend.allowsBrowserSignOn && call.mobile.realms[backend.realm]?.signOn != nil
            }
            guard let backend = backends.first, backends.count == 1 else {
                throw MobileError(.malformedRequest, "The query parameter clientID is required: it names the app to log in to.")
            }
            fields.fields.append(.init(name: "clientID", value: backend.clientID))
        }
        let request = try BrowserTokenRequest(fields, of: call)
        if bySAML, case .openIDConnect = request.provider {
            throw MobileError(.singleSignOnNotSetUp, "The realm \(request.realm.key) logs in by OpenID Connect, not by SAML.")
        }
        return try await begin(at: request.provider, realm: request.realm, returningTo: SingleSignOn.tokenPath + "?" + fields.encoded)
    }

    private func query() throws(MobileError) -> FormFields {
        guard let fields = call.http.queryFields else {
            throw MobileError(.malformedRequest, "The query is not well-formed.")
        }
        return fields
    }

    private func begin(at provider: SignOnProvider, realm: Realm, returningTo target: String) async throws -> Response {
        let login = PendingLogin(realm: realm.key, target: target, expected: [:])
        switch provider {
        case .saml(let saml): return try await AuthenticationRequest(call: call, settings: saml).send(for: login)
        case .openIDConnect(let client): return try await OpenIDLogin(call: call, settings: client).send(for: login)
        }
    }

    private func answer(_ request: BrowserTokenRequest, for user: MobileUser) async throws -> Response {
        let now = call.cloud.clock.now
        let lifetime = try self.lifetime()
        let token = try await MobileTokens(cloud: call.cloud).issue(
            .init(
                backendID: request.backend.id, username: user.username, virtual: nil, method: .singleSignOn, issued: now,
                expires: now + .seconds(lifetime)), in: call.mobile)
        call.http.note(caller: user.username)
        if let redirectURI = request.redirectURI {
            var fields: FormFields = ["access_token": token, "token_type": "Bearer", "expires_in": String(lifetime)]
            if let state = request.state { fields.fields.append(.init(name: "state", value: state)) }
            return RelayPage.posting(fields, to: redirectURI)
        }
        guard request.wantsJSON else { return RelayPage.token(token, lifetime: lifetime, of: user, for: request.backend) }
        var headers = HTTPFields.unstored
        headers[.xContentTypeOptions] = "nosniff"
        return .json(
            ["access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(lifetime)], headers: headers)
    }

    /// Returns the lifetime of a token in seconds. It cannot depend on an external token, since there is none.
    private func lifetime() throws(MobileError) -> Int64 {
        do {
            return try TokenTimeout(policy: .fromTimeoutSeconds, environment: call.mobile.environment.policies).lifetime(external: 0)
        } catch {
            throw MobileError(.signOnFailed, error.detail)
        }
    }
}

extension PendingLogin {
    /// The user that an identity provider has authenticated.
    struct ProviderUser {
        /// The value that identifies the user, as the realm's mapping defines.
        var name: String
        var mapping: SignOnProvider.UserMapping
        /// The end of the identity provider's session, if it states one.
        var end: Timestamp?
    }

    /// Finishes the login and redirects the browser to the URL that it first requested. A failure is stored for that URL.
    /// - Parameter verify: verifies the provider's response and returns the user.
    func finish(in call: MobileCall, _ verify: (Realm) async throws -> ProviderUser) async throws -> Response {
        var response = Response.redirect(to: call.baseURL + target, headers: .unstored)
        // 303, because the first URL is requested with GET, even after a posted form.
        response.status = .seeOther
        do {
            guard let realm = call.mobile.realms[realm] else {
                throw MobileError(.singleSignOnNotSetUp, "The realm \(realm) does not exist any more.")
            }
            let providerUser = try await verify(realm)
            let user = try Self.user(providerUser, of: realm)
            call.http.note(caller: user.username)
            let cookie = try await RelaySession.start(for: user, in: realm, until: providerUser.end, of: call)
            response.headers.append(RelayCookie.session.setting(cookie, in: call.http))
        } catch let error as MobileError {
            call.http.note(errorCode: error.kind.code, message: error.detail)
            try await fail(with: error, in: call)
        }
        return response
    }

    /// Returns the realm's user that the provider named. Users without an account in the realm have no access.
    private static func user(_ providerUser: ProviderUser, of realm: Realm) throws(MobileError) -> MobileUser {
        guard let user = realm.user(providerUser.name, by: providerUser.mapping) else {
            let attribute = providerUser.mapping == .uid ? "user name" : "email address"
            throw MobileError(.unknownUser, "The realm \(realm.key) has no user with the \(attribute) \(providerUser.name).")
        }
        return user
    }
}
