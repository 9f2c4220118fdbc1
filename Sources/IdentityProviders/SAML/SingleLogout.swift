import Calls
import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// Single logout through the browser (SAML 2.0 Core section 3.7, Profiles section 4.4).
struct SingleLogout {
    let visit: Visit
    let settings: SAMLIdentityProvider

    /// Begins at our own page: tells every service provider of the session in turn.
    func begin() async throws -> Response {
        try await visit.enter("Logout")
        let session = try await end()
        let tour = LogoutTour(session, end: .page)
        return try await begin(tour, after: session, isLast: tour.isOver)
    }

    /// - Parameters:
    ///   - session: the one that has ended, if there was one.
    ///   - isLast: whether nobody need be told by the browser, and nobody waits for it.
    private func begin(_ tour: LogoutTour, after session: BrowserSession?, isLast: Bool) async throws -> Response {
        var tour = tour
        let next = try await tour.next(in: visit, settings)
        return session.map { FrontChannelLogout.response(of: $0, before: next, isLast: isLast, in: visit) } ?? next
    }

    /// Ends the browser's session, and tells the clients of OpenID Connect behind its back.
    private func end() async throws -> BrowserSession? {
        guard let session = try await BrowserSession.end(in: visit) else { return nil }
        visit.call.note(caller: session.person.name)
        await LogoutNotice(session: session, visit: visit).send()
        return session
    }

    /// Goes on with a message of a service provider.
    func respond(to message: ReceivedMessage) async throws -> Response {
        try await visit.enter("SingleLogout")
        guard let issuer = message.document.child("Issuer", in: SAML.assertion)?.text,
            let serviceProvider = settings.serviceProvider(issuer)
        else {
            throw FaultPage(
                code: "unknown_service_provider", explanation: "The message's issuer is not a service provider that is registered here.")
        }
        switch message.kind {
        case .request: return try await begin(message, of: serviceProvider)
        case .response: return try await goOn(message, of: serviceProvider)
        }
    }

    /// Ends the session that the browser shows, on behalf of a service provider.
    private func begin(_ message: ReceivedMessage, of serviceProvider: ServiceProvider) async throws -> Response {
        let root = message.document
        guard root.isNamed("LogoutRequest", in: SAML.protocol), let id = root.attribute("ID"), (1...256).contains(id.utf8.count) else {
            throw FaultPage(code: "invalid_request", explanation: "The message is not a logout request.")
        }
        // Requests must be authenticated (Profiles, section 4.4.3.1); for those who registered no key the browser's session speaks.
        let isSigned = try message.isSigned(by: serviceProvider)
        guard isSigned || serviceProvider.signingCertificates.isEmpty else {
            throw FaultPage(code: "signature_missing", explanation: "\(serviceProvider.name) must sign its logout requests.")
        }
        guard root.attribute("Destination").map({ visit.isEndpoint($0, at: [SAMLPaths.logout]) }) ?? !isSigned else {
            throw FaultPage(code: "wrong_destination", explanation: "The request's Destination is not this endpoint.")
        }
        let services = serviceProvider.singleLogoutServices
        guard let service = services.first(where: { $0.binding == message.binding }) ?? services.first else {
            throw FaultPage(
                code: "invalid_request", explanation: "\(serviceProvider.name) has no logout endpoint.")
        }
        let answer = LogoutTour.Answer(
            entityID: serviceProvider.entityID, requestID: id, relayState: message.relayState, binding: service.binding)
        do {
            let ended = try await concernsSession(root, of: serviceProvider) ? end() : nil
            let tour = LogoutTour(ended, except: serviceProvider.entityID, end: .answer(answer))
            return try await begin(tour, after: ended, isLast: false)
        } catch let status as SAMLStatus {
            visit.call.note(errorCode: status.name, message: status.message)
            return try await LogoutTour.respond(to: answer, status: status, in: visit, settings)
        }
    }

    /// Whether the request is about the browser's session. One that is over already needs no end.
    private func concernsSession(_ root: XMLElement, of serviceProvider: ServiceProvider) throws -> Bool {
        guard root.attribute("Version") == "2.0" else { throw SAMLStatus(.versionMismatch, nil, "The version must be 2.0.") }
        if let text = root.attribute("NotOnOrAfter") {
            // Of the service provider's clock, which is the wall clock.
            guard let end = Timestamp(iso8601: text), visit.call.arrived < end else {
                throw SAMLStatus(.requester, .requestDenied, "The request is too old.")
            }
        }
        guard let name = root.child("NameID", in: SAML.assertion) else {
            throw SAMLStatus(.requester, .requestUnsupported, "The request must name the person by a NameID.")
        }
        guard let session = try BrowserSession(of: visit) else { return false }
        let indices = root.children(named: "SessionIndex", in: SAML.protocol).map(\.text)
        guard indices.isEmpty || indices.contains(session.id) else { return false }
        let isKnown = session.participants.contains { participant in
            guard case .serviceProvider(serviceProvider.entityID, let nameID) = participant,
                let given = try? XMLElement(parsing: Array(nameID.utf8))
            else { return false }
            return given.text == name.text
        }
        guard isKnown else { throw SAMLStatus(.requester, .unknownPrincipal, "The session has no user with this name ID.") }
        return true
    }

    /// A service provider has ended its session, or not.
    private func goOn(_ message: ReceivedMessage, of serviceProvider: ServiceProvider) async throws -> Response {
        let root = message.document
        let isSigned = (try? message.isSigned(by: serviceProvider)) ?? false
        guard root.attribute("Destination").map({ visit.isEndpoint($0, at: [SAMLPaths.logout]) }) ?? !isSigned else {
            throw FaultPage(code: "wrong_destination", explanation: "The response's Destination is not this endpoint.")
        }
        guard root.isNamed("LogoutResponse", in: SAML.protocol), let id = root.attribute("InResponseTo"),
            var tour = try await LogoutTour.take(awaiting: serviceProvider.entityID, under: id, in: visit)
        else {
            throw FaultPage(code: "invalid_request", explanation: "The message does not answer a logout request from this provider.")
        }
        let code = root.child("Status", in: SAML.protocol)?.child("StatusCode", in: SAML.protocol)
        let isSuccess = code?.attribute("Value") == SAML.StatusCode.success.rawValue && code?.children.isEmpty == true
        if !isSuccess || !(isSigned || serviceProvider.signingCertificates.isEmpty) { tour.isPartial = true }
        return try await tour.next(in: visit, settings)
    }
}
