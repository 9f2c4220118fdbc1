import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// The end session endpoint, to which applications redirect users for logout (OpenID Connect RP-Initiated Logout 1.0).
struct LogoutEndpoint {
    let visit: Visit

    /// The path that receives the confirmation form, relative to the provider's base URL.
    static let confirmationPath = "/sign-out"

    static func metadata(_ visit: Visit) -> JSONObject {
        [
            "end_session_endpoint": .string(visit.url(of: .endSession)),
            "backchannel_logout_supported": true,
            "backchannel_logout_session_supported": true,
            "frontchannel_logout_supported": true,
            "frontchannel_logout_session_supported": true,
        ]
    }

    func respond() async throws -> Response {
        try await visit.enter("Logout")
        let parameters = try await parameters()
        if let page = visit.resubmissionPage(parameters) { return page }
        return try await respond(to: parameters)
    }

    /// Returns the parameters of the query or of the body (section 2).
    func parameters() async throws -> FormFields {
        do {
            return visit.method == .get ? try visit.query() : try await visit.form()
        } catch FormFault.otherContentType where visit.call.headers[.contentType] == nil {
            // All parameters are optional.
            return [:]
        } catch let fault as FormFault {
            throw OAuthError(.invalidRequest, fault.explanation)
        }
    }

    /// - Parameter needsConfirmation: whether the user must confirm, unless a hint names the user.
    func respond(to parameters: FormFields, needsConfirmation: Bool = true) async throws -> Response {
        try await responding {
            let request = try await LogoutRequest(parameters, at: visit)
            guard needsConfirmation, let session = try BrowserSession(of: visit), !request.isConfirmed(for: session) else {
                return try await finish(request)
            }
            visit.call.note(caller: session.person.name)
            let pending = PendingForm(stage: .logout, parameters: parameters, session: session)
            let (form, browser) = try await pending.keep(for: request.client, in: visit)
            var response = LogoutPage(
                client: request.client, person: session.person, action: visit.basePath + Self.confirmationPath, form: form
            )
            .page.response(of: visit.provider)
            response.headers.append(HTTPField(name: .setCookie, value: Cookie.browser.setting(browser, in: visit)))
            return response
        }
    }

    /// Handles the confirmation form.
    func confirm(_ fields: FormFields) async throws -> Response {
        try await responding {
            try await visit.enter("LogoutConfirmation")
            guard let pending = try await PendingForm.take(fields["form"] ?? "", in: visit), pending.stage == .logout else {
                throw FaultPage.expiredForm
            }
            let request = try await LogoutRequest(pending.parameters, at: visit)
            guard fields["action"] == "logout" else { return LogoutPage.stayed.response(of: visit.provider) }
            // The session has changed since the page was shown, so another user would be logged out.
            if pending.session == nil, try BrowserSession(of: visit) != nil { return try await respond(to: pending.parameters) }
            return try await finish(request)
        }
    }

    private func finish(_ request: LogoutRequest) async throws -> Response {
        let answer = request.destination.map { destination in
            AuthorizationAnswer(to: destination, mode: .query, fields: ["state": request.state])
        }
        let end = answer?.response(of: visit.provider) ?? LogoutPage.done.response(of: visit.provider)
        guard let session = try await BrowserSession.end(in: visit) else { return end }
        visit.call.note(caller: session.person.name)
        await LogoutNotice(session: session, visit: visit, hint: request.hint).send()
        var (next, isLast) = (end, answer == nil)
        if let settings = visit.provider.saml {
            // SAML service providers are notified through the browser before it continues to the application.
            var sequence = LogoutSequence(session, end: answer.map { LogoutSequence.End.url($0.url) } ?? .page)
            if !sequence.isFinished { (next, isLast) = (try await sequence.next(in: visit, settings), false) }
        }
        return FrontChannelLogout.response(of: session, before: next, isLast: isLast, in: visit)
    }

    /// Shows errors to the user, since there is no application to send them to.
    private func responding(_ body: () async throws -> Response) async throws -> Response {
        do {
            return try await body()
        } catch let page as FaultPage {
            return page.shown(in: visit)
        }
    }
}

/// The parameters of a logout request (RP-Initiated Logout 1.0 section 2).
struct LogoutRequest {
    var client: Client?
    var hint: IDTokenHint?
    /// The URL to continue to, one of those that the client has registered.
    var destination: String?
    var state: String?

    /// Reads and checks the parameters.
    /// - Throws: `FaultPage` for an invalid hint, client or URL (section 4). In that case no session ends and the browser is not
    ///   redirected.
    init(_ parameters: FormFields, at visit: Visit) async throws {
        if let name = parameters.repeatedName {
            throw FaultPage(code: "invalid_request", explanation: "The parameter \(name) is repeated.")
        }
        if let text = parameters.value("id_token_hint") {
            guard let hint = try await IDTokenHint(text, at: visit) else {
                throw FaultPage(code: "invalid_request", explanation: "The id_token_hint is not an ID token of this provider.")
            }
            self.hint = hint
        }
        if let id = parameters.value("client_id") {
            guard let client = visit.provider.client(id) else {
                throw FaultPage(code: "invalid_client", explanation: "The client_id is not that of a registered application.")
            }
            guard hint?.audiences.contains(id) ?? true else {
                throw FaultPage(code: "invalid_request", explanation: "The id_token_hint was not issued to the application of client_id.")
            }
            self.client = client
        } else if let hint {
            let id = hint.authorizedParty ?? (hint.audiences.count == 1 ? hint.audiences[0] : nil)
            client = id.flatMap(visit.provider.client)
        }
        state = parameters.value("state")
        destination = parameters.value("post_logout_redirect_uri")
        if let destination {
            // Microsoft Entra ID and Auth0 need no client, as long as one has registered the URL.
            if client == nil, visit.provider.product != nil {
                client = visit.provider.clients.first { visit.mayLeave($0, to: destination) }
            }
            guard let client else {
                throw FaultPage(
                    code: "invalid_request",
                    explanation: "A post_logout_redirect_uri needs the id_token_hint or the client_id of a registered application.")
            }
            guard visit.mayLeave(client, to: destination) else { throw visit.manners.refusals.logoutRedirectURI(client) }
        }
    }

    /// Returns whether the hint names the user who is logged in. Otherwise the user must confirm (section 2), because another site may have
    /// sent the request.
    func isConfirmed(for session: BrowserSession) -> Bool { hint?.isAbout(session) == true }
}
