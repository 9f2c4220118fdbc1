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

    /// Starts a logout from the provider's own page and notifies every service provider of the session in turn.
    func begin() async throws -> Response {
        try await visit.enter("Logout")
        let session = try await end()
        let sequence = LogoutSequence(session, end: .page)
        return try await begin(sequence, after: session, isLast: sequence.isFinished)
    }

    /// Starts the sequence of redirects.
    /// - Parameters:
    ///   - session: the session that has ended, if there was one.
    ///   - isLast: whether no service provider must be notified and none waits for a response.
    private func begin(_ sequence: LogoutSequence, after session: BrowserSession?, isLast: Bool) async throws -> Response {
        var sequence = sequence
        let next = try await sequence.next(in: visit, settings)
        return session.map { FrontChannelLogout.response(of: $0, before: next, isLast: isLast, in: visit) } ?? next
    }

    /// Ends the browser's session and notifies OpenID Connect clients through the back channel.
    private func end() async throws -> BrowserSession? {
        guard let session = try await BrowserSession.end(in: visit) else { return nil }
        visit.call.note(caller: session.person.name)
        await LogoutNotice(session: session, visit: visit).send()
        return session
    }

    /// Handles a message of a service provider.
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
        case .response: return try await continueLogout(message, of: serviceProvider)
        }
    }

    /// Ends the browser's session on request of a service provider.
    private func begin(_ message: ReceivedMessage, of serviceProvider: ServiceProvider) async throws -> Response {
        let root = message.document
        guard root.isNamed("LogoutRequest", in: SAML.protocol), let id = root.attribute("ID"), (1...256).contains(id.utf8.count) else {
            throw FaultPage(code: "invalid_request", explanation: "The message is not a logout request.")
        }
        // Requests must be authenticated (Profiles, section 4.4.3.1). For service providers without a registered key, the browser's session
        // suffices.
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
        let answer = LogoutSequence.Answer(
            entityID: serviceProvider.entityID, requestID: id, relayState: message.relayState, binding: service.binding)
        do {
            let ended = try await concernsSession(root, of: serviceProvider) ? end() : nil
            let sequence = LogoutSequence(ended, except: serviceProvider.entityID, end: .answer(answer))
            return try await begin(sequence, after: ended, isLast: false)
        } catch let status as SAMLStatus {
            visit.call.note(errorCode: status.name, message: status.message)
            return try await LogoutSequence.respond(to: answer, status: status, in: visit, settings)
        }
    }

    /// Returns whether the request is for the browser's session; `false` if that session has already ended.
    private func concernsSession(_ root: XMLElement, of serviceProvider: ServiceProvider) throws -> Bool {
        guard root.attribute("Version") == "2.0" else { throw SAMLStatus(.versionMismatch, nil, "The version must be 2.0.") }
        if let text = root.attribute("NotOnOrAfter") {
            // The time is the service provider's, which uses the wall clock.
            switch SAMLTime.parse(text) {
            case .success(let end) where visit.call.arrived < end: break
            case .success: throw SAMLStatus(.requester, .requestDenied, "The request is too old.")
            case .failure(let fault):
                throw SAMLStatus(.requester, .requestDenied, "The request's NotOnOrAfter \(fault.explanation).")
            }
        }
        guard let name = root.child("NameID", in: SAML.assertion) else {
            throw SAMLStatus(.requester, .requestUnsupported, "The request must name the user by a NameID.")
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

    /// Continues with the response of a service provider, whether or not it ended its session.
    private func continueLogout(_ message: ReceivedMessage, of serviceProvider: ServiceProvider) async throws -> Response {
        let root = message.document
        let isSigned = (try? message.isSigned(by: serviceProvider)) ?? false
        guard root.attribute("Destination").map({ visit.isEndpoint($0, at: [SAMLPaths.logout]) }) ?? !isSigned else {
            throw FaultPage(code: "wrong_destination", explanation: "The response's Destination is not this endpoint.")
        }
        guard root.isNamed("LogoutResponse", in: SAML.protocol), let id = root.attribute("InResponseTo"),
            var sequence = try await LogoutSequence.take(awaiting: serviceProvider.entityID, under: id, in: visit)
        else {
            throw FaultPage(code: "invalid_request", explanation: "The message does not answer a logout request from this provider.")
        }
        let code = root.child("Status", in: SAML.protocol)?.child("StatusCode", in: SAML.protocol)
        let isSuccess = code?.attribute("Value") == SAML.StatusCode.success.rawValue && code?.children.isEmpty == true
        if !isSuccess || !(isSigned || serviceProvider.signingCertificates.isEmpty) { sequence.isPartial = true }
        return try await sequence.next(in: visit, settings)
    }
}
