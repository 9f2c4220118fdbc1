import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// Handles an authorization request through login and consent, in the same way for every provider.
///
/// A browser with a session skips the login page, and a user who agreed to the scopes before skips the consent page, unless the request
/// requires the page.
struct SignIn {
    let endpoint: any AuthorizationEndpoint
    /// The path that receives the pages' forms, relative to the provider's base URL.
    var formPath = SignIn.path

    var visit: Visit { endpoint.visit }

    /// The path that receives the forms of authorization endpoints.
    static let path = "/sign-in"

    private var action: String { visit.basePath + formPath }

    /// Starts with a request as it arrived.
    func begin(_ parameters: FormFields) async throws -> Response {
        try await responding {
            try await visit.enter("Authorize")
            let parameters = try await endpoint.resolve(parameters)
            let request = try await endpoint.request(parameters)
            if request.prompts.contains(.create) { return try await registrationPage(request, parameters) }
            let session = try BrowserSession(of: visit)
            if let session, isGoodEnough(session, for: request) {
                return try await consent(to: request, parameters, session: session)
            }
            if request.prompts.contains(.none) { throw try await endpoint.refusal(of: request, because: .loginRequired) }
            return try await loginPage(request, parameters, userName: request.loginHint ?? "")
        }
    }

    /// Starts with a request that also has the user name and the password, so that no page is needed.
    func begin(_ parameters: FormFields, userName: String, password: String) async throws -> Response {
        try await responding {
            try await visit.enter("Authorize")
            let parameters = try await endpoint.resolve(parameters)
            let request = try await endpoint.request(parameters)
            let person: Person
            do throws(LoginFault) { person = try await self.person(named: userName, password: password) } catch {
                return try await loginPage(request, parameters, userName: userName, fault: error)
            }
            return try await start(person, request, parameters)
        }
    }

    /// Handles the form of a page. Keycloak's forms have their single-use value in the query.
    func submit(_ fields: FormFields) async throws -> Response {
        try await responding {
            try await visit.enter("SignIn")
            guard let pending = try await taken(fields), [.login, .consent].contains(pending.stage) else { throw FaultPage.expiredForm }
            let request = try await endpoint.request(pending.parameters)
            let action = fields["action"] ?? (fields["accept"] == nil ? fields["cancel"].map { _ in "deny" } : "allow")
            if action == "deny" { throw try await endpoint.refusal(of: request, because: .accessDenied) }
            if pending.stage == .consent, let session = pending.session {
                if action == "allow" {
                    let declined = fields.all(named: "decline").filter(endpoint.mayBeDeclined)
                    let agreed = request.scopes.filter { !declined.contains($0) }
                    let consent = Consent(client: request.client, person: session.person)
                    try await consent.add(agreed, declined: request.scopes.filter(declined.contains), in: visit)
                    return try await complete(request, scopes: agreed, session: session, wasAsked: true)
                }
                return try await loginPage(request, pending.parameters)
            }
            let person: Person
            do throws(LoginFault) { person = try await self.person(choosing: fields) } catch {
                // A consent page whose session has ended contains no user name.
                let isAttempt = fields["username"] != nil || fields["person"] != nil
                return try await loginPage(
                    request, pending.parameters, userName: fields["username"] ?? "", fault: isAttempt ? error : nil)
            }
            return try await start(person, request, pending.parameters)
        }
    }

    /// Removes and returns the form that the fields belong to; `nil` if there is none.
    func taken(_ fields: FormFields) async throws -> PendingForm? {
        let form = fields["form"] ?? visit.call.queryFields?[RealmLoginPage.sessionCode]
        return try await PendingForm.take(form ?? "", in: visit)
    }

    /// Starts the browser's session of a person who has logged in, and continues with the request.
    func start(_ person: Person, _ request: AuthorizationRequest, _ parameters: FormFields) async throws -> Response {
        let (session, cookie) = try await BrowserSession.start(for: person, in: visit)
        var response = try await responding {
            try await consent(to: request, parameters, session: session)
        }
        response.headers.append(HTTPField(name: .setCookie, value: Cookie.session.setting(cookie, in: visit)))
        // Browsers request the accounts of a provider only after this. (W3C, "Login Status API".)
        if visit.provider.kind == .google { response.headers[.setLogin] = "logged-in" }
        return response
    }

    /// Returns the user of the login form: the selected one, or the one with the user name and password.
    private func person(choosing fields: FormFields) async throws(LoginFault) -> Person {
        guard let name = fields["person"] else {
            return try await self.person(named: fields["username"] ?? "", password: fields["password"] ?? "")
        }
        guard let known = visit.provider.person(named: name), visit.mayChoose(known) else { throw .wrongCredentials }
        return try enabled(known)
    }

    private func person(named name: String, password: String) async throws(LoginFault) -> Person {
        guard let known = visit.person(withLogin: name), await known.accepts(password: password) else { throw .wrongCredentials }
        return try enabled(known)
    }

    private func enabled(_ person: Person) throws(LoginFault) -> Person {
        guard person.isEnabled else { throw .disabledAccount }
        return person
    }

    private func isExpected(_ person: Person, by request: AuthorizationRequest) -> Bool {
        request.expectedSubject.map { visit.provider.subject(of: person, for: request.client) == $0 } ?? true
    }

    private func isGoodEnough(_ session: BrowserSession, for request: AuthorizationRequest) -> Bool {
        if request.prompts.contains(.login) || request.prompts.contains(.selectAccount) { return false }
        if !isExpected(session.person, by: request) { return false }
        if let domain = request.hostedDomain {
            guard let own = session.person.claims["hd"]?.stringValue, domain == "*" || own == domain else { return false }
        }
        guard let maximumAge = request.maximumAge else { return true }
        let clock = visit.cloud.clock
        return clock.now.seconds - clock.effective(session.authenticated).seconds <= maximumAge
    }

    private func consent(
        to request: AuthorizationRequest, _ parameters: FormFields, session: BrowserSession
    ) async throws -> Response {
        visit.call.note(caller: session.person.name)
        // The application expects another user (OpenID Connect Core 1.0 sections 3.1.2.1 and 5.5.1).
        if !isExpected(session.person, by: request) {
            throw try await endpoint.refusal(of: request, because: .loginRequired)
        }
        let consent = Consent(client: request.client, person: session.person)
        if try request.needsNoConsent || (!request.prompts.contains(.consent) && consent.covers(request.scopes, in: visit)) {
            let declined = try consent.declined(in: visit)
            let agreed = request.scopes.filter { !declined.contains($0) }
            return try await complete(request, scopes: agreed, session: session, wasAsked: false)
        }
        if request.prompts.contains(.none) { throw try await endpoint.refusal(of: request, because: .consentRequired) }
        let pending = PendingForm(stage: .consent, parameters: parameters, session: session)
        return try await show(pending, for: request.client) { form in
            ConsentPage(
                client: request.client, person: session.person,
                scopes: request.scopes.map { ($0, endpoint.meaning(ofScope: $0), endpoint.mayBeDeclined($0)) }, action: action, form: form,
                advice: endpoint.advice(on: request), isRealm: visit.manners.isRealm
            ).page
        }
    }

    /// Issues the response.
    /// - Parameter scopes: the scopes that the user agreed to.
    private func complete(
        _ request: AuthorizationRequest, scopes: [String], session: BrowserSession, wasAsked: Bool
    ) async throws -> Response {
        visit.call.note(caller: session.person.name)
        var approval = Approval(
            provider: visit.provider, client: request.client, person: session.person, scopes: scopes,
            nonce: request.nonce,
            authenticated: session.authenticated, sessionID: session.id)
        approval.claims = request.claims
        approval.audiences = request.resources
        approval.authenticationContext = request.authenticationContext
        let answer = try await endpoint.answer(to: request, approval: approval, wasAsked: wasAsked)
        if let participant = answer.participant, try await !session.join(participant, in: visit) {
            // Otherwise the application would not be notified of the logout.
            throw FaultPage.endedSession
        }
        return try await answer.response(in: visit)
    }

    private func loginPage(
        _ request: AuthorizationRequest, _ parameters: FormFields, userName: String = "", fault: LoginFault? = nil
    ) async throws -> Response {
        try await show(PendingForm(stage: .login, parameters: parameters), for: request.client) { form in
            if visit.manners.isRealm {
                return RealmLoginPage(
                    provider: visit.provider, client: request.client, action: action, form: form, userName: userName, fault: fault,
                    registration: registrationURL(parameters)
                ).page
            }
            return LoginPage(
                client: request.client, action: action, form: form,
                people: visit.provider.people.filter(visit.mayChoose), userName: userName, fault: fault.map(visit.text(of:))
            ).page
        }
    }

    func show(_ pending: PendingForm, for client: Client, page: (String) -> SignInPage) async throws -> Response {
        let (form, browser) = try await pending.keep(for: client, in: visit)
        var response = page(form).response(of: visit.provider)
        response.headers.append(HTTPField(name: .setCookie, value: Cookie.browser.setting(browser, in: visit)))
        return response
    }

    /// Converts errors to a page or a redirect, and records them in the journal.
    func responding(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let page as FaultPage {
            return page.shown(in: visit)
        } catch let fault as InjectedFault {
            return FaultPage(fault).shown(in: visit)
        } catch GrantRefusal.client {
            return endpoint.unknownClient.shown(in: visit)
        } catch GrantRefusal.person, GrantRefusal.access {
            // The removal of the person has ended the session.
            return FaultPage.endedSession.shown(in: visit)
        } catch let answer as AuthorizationAnswer {
            visit.call.note(
                errorCode: answer.errorCode ?? answer.fields["error"] ?? "refused", message: answer.fields["error_description"])
            return try await answer.response(in: visit)
        }
    }
}

extension HTTPField.Name {
    /// Whether the user is logged in at this site. (W3C, "Login Status API".)
    fileprivate static let setLogin = HTTPField.Name(literal: "Set-Login")
}

extension Visit {
    /// Returns whether a person can be chosen at the login page without a password. From other machines, administrators of realms cannot.
    func mayChoose(_ person: Person) -> Bool {
        guard !call.isFromThisMachine else { return true }
        return !provider.effectiveRoles(of: person.keycloak).contains { role in
            role == KeycloakRealm.adminRole || role.client.map { TextKey($0) } == TextKey(KeycloakRealm.managementClient)
        }
    }
}

/// Why a login failed.
enum LoginFault: Error {
    case wrongCredentials, disabledAccount
}

extension Visit {
    /// Returns the text of the login page for a failed login.
    func text(of fault: LoginFault) -> String {
        switch fault {
        case .wrongCredentials: manners.refusals.wrongCredentials
        case .disabledAccount: disabledAccount
        }
    }

    /// Returns the person who logs in with a name: the user name or, in a realm, also the e-mail address. Keycloak's user names are in
    /// lower case.
    func person(withLogin name: String) -> Person? {
        guard manners.logsInByMail else { return provider.person(named: name) }
        let folded = name.trimmed.lowercased()
        // A user name that equals the e-mail address of another person does not hide that person.
        if folded.contains("@"), let person = provider.people.first(.foldedMail(TextKey(folded))) { return person }
        return provider.person(named: name) ?? provider.person(named: folded)
    }
}
