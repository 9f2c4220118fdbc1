import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// The sequence of redirects after a logout through all SAML service providers of the session (SAML 2.0 Profiles section 4.4.3).
///
/// Between two redirects it is stored under the identifier of the current logout request, which the service provider's response contains.
struct LogoutSequence {
    /// A service provider to notify, with the name of the user there.
    private struct Stop {
        var entityID: String
        /// The serialized element `NameID`.
        var nameID: String
    }

    /// The last step, after all service providers.
    enum End {
        /// A page with the result.
        case page
        /// A redirect to the application's URL.
        case url(String)
        /// A response to the service provider that requested the logout.
        case answer(Answer)
    }

    /// A logout request that waits for its response.
    struct Answer {
        var entityID: String
        var requestID: String
        var relayState: String?
        var binding: SAML.Binding
    }

    private var stops: [Stop]
    private var sessionIndex: String
    private var end: End
    /// Whether a service provider could not be notified, or did not confirm.
    var isPartial = false

    /// The number of seconds within which a service provider must respond.
    private static let timeout = 600

    /// Creates the sequence for a session.
    /// - Parameters:
    ///   - session: the session that has ended; `nil` if there was none.
    ///   - entityID: the service provider that requested the logout and need not be notified.
    init(_ session: BrowserSession?, except entityID: String? = nil, end: End) {
        sessionIndex = session?.id ?? ""
        self.end = end
        stops = []
        for case .serviceProvider(let other, let nameID) in session?.participants ?? [] where other != entityID {
            // If the user signed on repeatedly, only the newest name is valid.
            stops.removeAll { $0.entityID == other }
            stops.append(Stop(entityID: other, nameID: nameID))
        }
    }

    /// Whether no service provider remains.
    var isFinished: Bool { stops.isEmpty }

    /// Redirects the browser to the next service provider, or to the last step.
    mutating func next(in visit: Visit, _ settings: SAMLIdentityProvider) async throws -> Response {
        while let stop = stops.first {
            stops.removeFirst()
            guard let serviceProvider = settings.serviceProvider(stop.entityID), let service = serviceProvider.singleLogoutServices.first,
                let name = try? XMLElement(parsing: Array(stop.nameID.utf8))
            else {
                isPartial = true
                continue
            }
            let id = try SAMLIdentifier.make()
            try await keep(awaiting: stop.entityID, under: id, in: visit)
            let now = visit.cloud.clock.now
            let request = XMLElement(
                "samlp:LogoutRequest", in: SAML.protocol,
                attributes: [
                    "Destination": service.location, "ID": id, "IssueInstant": now.iso8601,
                    "NotOnOrAfter": (now + .seconds(Self.timeout)).iso8601, "Version": "2.0",
                ],
                [
                    .element(XMLElement("saml:Issuer", in: SAML.assertion, text: visit.entityID(settings))),
                    .element(name), .element(XMLElement("samlp:SessionIndex", in: SAML.protocol, text: sessionIndex)),
                ])
            return try await Self.send(
                .request, request, to: service.location, service.binding, serviceProvider, relayState: nil, in: visit)
        }
        switch end {
        case .page: return page(of: visit)
        case .url(let url): return .redirect(to: url, headers: .unstored)
        case .answer(let answer):
            return try await Self.respond(
                to: answer, status: isPartial ? SAMLStatus(.success, .partialLogout) : .success, in: visit, settings)
        }
    }

    /// Responds to a service provider's logout request (SAML 2.0 Core section 3.7.2).
    static func respond(
        to answer: Answer, status: SAMLStatus, in visit: Visit, _ settings: SAMLIdentityProvider
    ) async throws -> Response {
        guard let serviceProvider = settings.serviceProvider(answer.entityID),
            let service = serviceProvider.singleLogoutServices.first(where: { $0.binding == answer.binding })
        else {
            throw FaultPage(code: "unknown_service_provider", explanation: "The service provider that sent the request no longer exists.")
        }
        let location = service.responseLocation ?? service.location
        let response = XMLElement(
            "samlp:LogoutResponse", in: SAML.protocol,
            attributes: [
                "Destination": location, "ID": try SAMLIdentifier.make(), "InResponseTo": answer.requestID,
                "IssueInstant": visit.cloud.clock.now.iso8601, "Version": "2.0",
            ],
            [
                .element(XMLElement("saml:Issuer", in: SAML.assertion, text: visit.entityID(settings))),
                .element(status.element),
            ])
        return try await send(.response, response, to: location, service.binding, serviceProvider, relayState: answer.relayState, in: visit)
    }

    /// Sends a message. Logout messages are always signed (SAML 2.0 Profiles sections 4.4.4.1 and 4.4.4.2).
    private static func send(
        _ kind: SAMLRedirect.Kind, _ message: XMLElement, to location: String, _ binding: SAML.Binding, _ receiver: ServiceProvider,
        relayState: String?, in visit: Visit
    ) async throws -> Response {
        let signer = try await SAMLSigner(of: visit.provider, hash: receiver.signatureHash, in: visit.cloud)
        guard binding == .httpPOST else {
            let query = try signer.query(kind, message, relayState: relayState)
            return .redirect(to: SAMLFace.url(location, with: query), headers: .unstored)
        }
        var answer = AuthorizationAnswer(to: location, mode: .formPost, fields: [:])
        answer.fields.fields.append(.init(name: kind.rawValue, value: try signer.sign(message).serialized().base64))
        if let relayState { answer.fields.fields.append(.init(name: "RelayState", value: relayState)) }
        return answer.response(of: visit.provider)
    }

    private func page(of visit: Visit) -> Response {
        var page = LogoutPage.done
        if isPartial {
            page.content = "\(page.content)\n<p class=\"alert\" role=\"alert\">Not every site has confirmed it. Close the browser.</p>"
        }
        return page.response(of: visit.provider)
    }
}

extension LogoutSequence {
    private func keep(awaiting entityID: String, under id: String, in visit: Visit) async throws {
        let now = visit.cloud.clock.now
        var details: JSONObject = [
            "awaiting": .string(entityID), "session": .string(sessionIndex), "partial": .bool(isPartial),
            "stops": .array(stops.map { ["service_provider": .string($0.entityID), "name_id": .string($0.nameID)] }),
        ]
        switch end {
        case .page: break
        case .url(let url): details["url"] = .string(url)
        case .answer(let answer):
            details["answer"] = [
                "service_provider": .string(answer.entityID), "request": .string(answer.requestID),
                "binding": .string(answer.binding.rawValue),
                "relay_state": answer.relayState.map(JSONValue.string) ?? .null,
            ]
        }
        let grant = Grant(
            kind: .logoutSequence, provider: visit.provider.name, client: "", person: "", issued: now,
            expires: now + .seconds(Self.timeout), details: details)
        try await visit.grantIssuer.keep(grant, under: id)
    }

    /// Removes and returns the sequence that a response continues.
    /// - Parameters:
    ///   - entityID: the service provider that responds.
    ///   - id: the identifier of the request that it responds to.
    static func take(awaiting entityID: String, under id: String, in visit: Visit) async throws -> LogoutSequence? {
        let grants = visit.cloud.grants
        guard let grant = try grants.find(id, kind: .logoutSequence, at: visit.provider.name),
            grant.details["awaiting"]?.stringValue == entityID,
            try await grants.redeem(id, kind: .logoutSequence, at: visit.provider.name) != nil
        else { return nil }
        return LogoutSequence(grant.details)
    }

    private init?(_ details: JSONObject) {
        sessionIndex = details["session"]?.stringValue ?? ""
        isPartial = details["partial"] == true
        stops = (details["stops"]?.arrayValue ?? []).compactMap { stop in
            guard let entityID = stop["service_provider"]?.stringValue, let nameID = stop["name_id"]?.stringValue else { return nil }
            return Stop(entityID: entityID, nameID: nameID)
        }
        if let url = details["url"]?.stringValue {
            end = .url(url)
        } else if let answer = details["answer"] {
            guard let entityID = answer["service_provider"]?.stringValue, let requestID = answer["request"]?.stringValue,
                let binding = answer["binding"]?.stringValue.flatMap(SAML.Binding.init)
            else { return nil }
            end = .answer(
                Answer(entityID: entityID, requestID: requestID, relayState: answer["relay_state"]?.stringValue, binding: binding))
        } else {
            end = .page
        }
    }
}
