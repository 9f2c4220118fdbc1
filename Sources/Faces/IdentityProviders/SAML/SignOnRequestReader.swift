import Cloud
import Directory
import Federation
import Tokens
import WireFormats

/// Reads sign-on requests (SAML 2.0 Core section 3.4.1, Profiles section 4.1.4.1).
struct SignOnRequestReader {
    var message: ReceivedMessage
    var settings: SAMLIdentityProvider
    /// Returns whether a URL is the endpoint that received the message.
    var isEndpoint: (String) -> Bool
    /// Returns whether a URL is the callback of the web console.
    var isConsole: (String) -> Bool

    private var root: XMLElement { message.document }

    /// An error for a response to the service provider.
    struct Refusal: Error {
        var request: SignOnRequest
        var status: SAMLStatus
    }

    /// Reads and checks the request.
    /// - Throws: `FaultPage` if no error response can be sent, ``Refusal`` otherwise.
    func request() throws -> SignOnRequest {
        guard message.kind == .request, root.isNamed("AuthnRequest", in: SAML.protocol) else {
            throw FaultPage(code: "invalid_request", explanation: "The message is not a sign-on request.")
        }
        guard let issuer = root.child("Issuer", in: SAML.assertion)?.text, let serviceProvider = settings.serviceProvider(issuer) else {
            throw FaultPage(
                code: "unknown_service_provider", explanation: "The request's issuer is not a service provider that is registered here.")
        }
        guard let id = root.attribute("ID"), (1...256).contains(id.utf8.count), let issued = root.attribute("IssueInstant") else {
            throw FaultPage(code: "invalid_request", explanation: "The request has no ID or no IssueInstant.")
        }
        if case .failure(let fault) = SAMLTime.parse(issued) {
            throw FaultPage(code: "invalid_request", explanation: "The request's IssueInstant \(fault.explanation).")
        }
        let isSigned = try message.isSigned(by: serviceProvider)
        guard isSigned || !(serviceProvider.signsRequests || settings.wantsSignedRequests) else {
            throw FaultPage(code: "signature_missing", explanation: "\(serviceProvider.name) must sign its sign-on requests.")
        }
        // A signed message must have a Destination (Bindings, sections 3.4.5.2 and 3.5.5.2).
        guard root.attribute("Destination").map(isEndpoint) ?? !isSigned else {
            throw FaultPage(code: "wrong_destination", explanation: "The request's Destination is not this endpoint.")
        }
        var request = SignOnRequest(to: serviceProvider, consumer: try consumer(of: serviceProvider), relayState: message.relayState)
        request.delivery = delivery
        request.id = id
        do {
            try read(into: &request)
        } catch {
            throw Refusal(request: request, status: error)
        }
        return request
    }

    /// The callback of the web console, if the request names it as the endpoint. It may show a response to any service provider.
    private var delivery: String? { root.attribute("AssertionConsumerServiceURL").flatMap { isConsole($0) ? $0 : nil } }

    /// Returns the endpoint for the response, which must be a registered one.
    private func consumer(of serviceProvider: ServiceProvider) throws(FaultPage) -> AssertionConsumerService {
        let location = delivery == nil ? root.attribute("AssertionConsumerServiceURL") : nil
        let binding = root.attribute("ProtocolBinding")
        let services = serviceProvider.assertionConsumerServices
        let asked: AssertionConsumerService?
        if let index = root.attribute("AssertionConsumerServiceIndex") {
            guard location == nil, binding == nil else {
                throw FaultPage(
                    code: "invalid_request", explanation: "The request names the response endpoint both by index and by URL.")
            }
            asked = services.first { String($0.index) == index }
        } else if location == nil, binding == nil {
            asked = serviceProvider.defaultConsumerService
        } else {
            let fitting = services.filter { service in
                (location ?? service.location) == service.location && (binding ?? service.binding.rawValue) == service.binding.rawValue
            }
            asked = fitting.first { $0.isDefault == true } ?? fitting.first
        }
        guard let found = asked else {
            if let unsupported = unsupportedConsumer(of: serviceProvider, location: location, binding: binding) {
                throw FaultPage(
                    code: "invalid_request",
                    explanation: "\(serviceProvider.name) asks for a response by the binding \(unsupported.binding), which is not "
                        + "supported. Supported are HTTP-POST and HTTP-Redirect.")
            }
            throw FaultPage(
                code: "invalid_request",
                explanation: "\(serviceProvider.name) has not registered the response endpoint that the request names.")
        }
        return found
    }

    /// Returns the endpoint that the request names, if its binding is not supported.
    private func unsupportedConsumer(of serviceProvider: ServiceProvider, location: String?, binding: String?) -> UnsupportedEndpoint? {
        let index = root.attribute("AssertionConsumerServiceIndex")
        return serviceProvider.unsupportedEndpoints?.first { endpoint in
            guard endpoint.kind == .assertionConsumerService else { return false }
            if let index { return endpoint.index.map { String($0) == index } ?? false }
            return (location ?? endpoint.location) == endpoint.location && (binding ?? endpoint.binding) == endpoint.binding
        }
    }

    private func read(into request: inout SignOnRequest) throws(SAMLStatus) {
        let version = root.attribute("Version")
        guard version == "2.0" else {
            let isHigher = version.flatMap { Double($0) }.map { $0 > 2 } ?? false
            throw SAMLStatus(.versionMismatch, isHigher ? .requestVersionTooHigh : .requestVersionTooLow, "The version must be 2.0.")
        }
        request.isForced = try flag("ForceAuthn")
        request.isPassive = try flag("IsPassive")
        if let subject = root.child("Subject", in: SAML.assertion) { request.subject = try self.subject(subject) }
        if let policy = root.child("NameIDPolicy", in: SAML.protocol) {
            request.format = try format(policy.attribute("Format"))
            let taken = request.serviceProvider.nameIDFormats
            // A service provider with the unspecified format accepts any (Core, section 8.3.1).
            if let format = request.format, !taken.isEmpty, !taken.contains(format), !taken.contains(.unspecified) {
                throw SAMLStatus(.requester, .invalidNameIDPolicy, "The service provider does not accept this name ID format.")
            }
            if let qualifier = policy.attribute("SPNameQualifier"), qualifier != request.serviceProvider.entityID {
                throw SAMLStatus(.requester, .invalidNameIDPolicy, "The service provider belongs to no affiliation of this name.")
            }
        }
        if let wanted = root.child("RequestedAuthnContext", in: SAML.protocol) { request.context = try context(wanted) }
    }

    /// Returns the requested subject. Subject confirmations are not for the browser profile (Core, section 3.4.1).
    private func subject(_ element: XMLElement) throws(SAMLStatus) -> SignOnRequest.Subject {
        guard element.child("SubjectConfirmation", in: SAML.assertion) == nil, let name = element.child("NameID", in: SAML.assertion) else {
            throw SAMLStatus(.requester, .requestUnsupported, "The subject must be a NameID without a confirmation.")
        }
        return SignOnRequest.Subject(name: name.text, format: try format(name.attribute("Format")))
    }

    /// Returns the format; `nil` for the unspecified one, which leaves the choice to the identity provider (Core, section 3.4.1.1).
    private func format(_ identifier: String?) throws(SAMLStatus) -> SAML.NameIDFormat? {
        guard let identifier else { return nil }
        guard let format = SAML.NameIDFormat(rawValue: identifier), AssertedName.formats.contains(format) else {
            throw SAMLStatus(.requester, .invalidNameIDPolicy, "This name ID format is not supported.")
        }
        return format == .unspecified ? nil : format
    }

    private func flag(_ name: String) throws(SAMLStatus) -> Bool {
        switch root.attribute(name) {
        case nil, "false", "0": return false
        case "true", "1": return true
        default: throw SAMLStatus(.requester, nil, "\(name) must be true or false.")
        }
    }

    /// The authentication contexts of a login page, the weakest first.
    private static let offered: [SAML.AuthnContext] = [.unspecified, .password, .passwordProtectedTransport]

    /// Returns the authentication context for the assertion (Core, section 3.3.2.2.1).
    private func context(_ wanted: XMLElement) throws(SAMLStatus) -> SAML.AuthnContext {
        let classes = wanted.children(named: "AuthnContextClassRef", in: SAML.assertion).map(\.text)
        let ranks = classes.map { name in Self.offered.firstIndex { $0.rawValue == name } }
        let known = ranks.compactMap(\.self)
        let best = Self.offered.count - 1
        let chosen: Int?
        switch wanted.attribute("Comparison") ?? "exact" {
        case "exact": chosen = known.first
        case "minimum": chosen = known.isEmpty ? nil : best
        // The context must be stronger than every listed one. An unknown one could be the strongest.
        case "better": chosen = known.count == ranks.count && !known.isEmpty && known.allSatisfy { $0 < best } ? best : nil
        case "maximum": chosen = known.max()
        default: throw SAMLStatus(.requester, nil, "The comparison of contexts must be exact, minimum, maximum or better.")
        }
        guard let rank = chosen else { throw SAMLStatus(.responder, .noAuthnContext, "Only password login is supported.") }
        return Self.offered[rank]
    }
}
