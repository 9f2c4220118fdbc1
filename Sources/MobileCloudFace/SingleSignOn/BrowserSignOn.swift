import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The browser flow from the first URL to the token, by way of the realm's identity provider where nobody is logged in yet.
struct BrowserSignOn {
    let call: MobileCall

    /// `GET …/sso/token?clientID=…`
    func token() async throws -> Response {
        let request = try BrowserTokenRequest(query(), of: call)
        let target = call.http.request.target
        if let failure = try await PendingLogin.takeFailure(of: target, in: call) { throw failure }
        guard let user = try RelaySession.user(of: call, in: request.realm) else {
            return try await begin(at: request.provider, realm: request.realm, returningTo: target)
        }
        return try await answer(request, for: user)
    }

    /// `GET …/sso/redirect` without the answer of a provider: the same login, in place of one that there may be.
    /// - Parameter bySAML: whether the address is for providers of SAML alone.
    func login(bySAML: Bool = false) async throws -> Response {
        var fields = try query()
        if fields["clientID"] == nil {
            let backends = call.mobile.backends.values.filter { backend in
                backend.allowsBrowserSignOn && call.mobile.realms[backend.realm]?.signOn != nil
            }
            guard let backend = backends.first, backends.count == 1 else {
                throw MobileError(.malformedRequest, "Name the app that the login is for by its clientID.")
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
        guard let fields = FormFields(parsing: call.http.query) else {
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
                expires: now + .seconds(lifetime)))
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

    /// Seconds that a token lasts: there is no other one with which it could end.
    private func lifetime() throws(MobileError) -> Int64 {
        do {
            return try TokenTimeout(policy: .fromTimeoutSeconds, environment: call.mobile.environment.policies).lifetime(external: 0)
        } catch {
            throw MobileError(.signOnFailed, error.detail)
        }
    }
}

extension PendingLogin {
    /// Whom an identity provider has vouched for.
    struct Voucher {
        /// What leads to the user, by the rule of the realm.
        var name: String
        var mapping: SignOnProvider.UserMapping
        /// When the provider ends its session, if it says so.
        var end: Timestamp?
    }

    /// Ends the login and sends the browser back to the URL that it asked first, logged in or with the reason why not.
    /// - Parameter vouch: reads the provider's answer.
    func finish(in call: MobileCall, _ vouch: (Realm) async throws -> Voucher) async throws -> Response {
        var response = Response.redirect(to: call.baseURL + target, headers: .unstored)
        // A form was posted; the first URL is asked with GET.
        response.status = .seeOther
        do {
            guard let realm = call.mobile.realms[realm] else {
                throw MobileError(.singleSignOnNotSetUp, "The realm \(realm) is gone.")
            }
            let voucher = try await vouch(realm)
            let user = try Self.user(voucher, of: realm)
            call.http.note(caller: user.username)
            let cookie = try await RelaySession.start(for: user, in: realm, until: voucher.end, of: call)
            response.headers.append(RelayCookie.session.setting(cookie, in: call.http))
        } catch let error as MobileError {
            call.http.note(errorCode: error.kind.code, message: error.detail)
            try await fail(with: error, in: call)
        }
        return response
    }

    /// The account of whom the provider has named: people without one in the realm have no access, whoever vouches for them.
    private static func user(_ voucher: Voucher, of realm: Realm) throws(MobileError) -> MobileUser {
        guard let user = realm.user(voucher.name, by: voucher.mapping) else {
            let attribute = voucher.mapping == .uid ? "user name" : "email address"
            throw MobileError(.unknownUser, "The realm \(realm.key) has no user with the \(attribute) \(voucher.name).")
        }
        return user
    }
}
