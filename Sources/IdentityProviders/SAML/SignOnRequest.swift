import Cloud
import Federation
import Tokens
import WireFormats

/// A request for sign-on whose sender and destination are good; or the wish of a person who was at our own page and asked for none.
struct SignOnRequest {
    var serviceProvider: ServiceProvider
    var consumer: AssertionConsumerService
    /// Of the request; absent where there was none.
    var id: String?
    var relayState: String?
    /// What the assertion calls the person; nothing for what the service provider usually gets.
    var format: NameIDFormat?
    /// The name of whom the service provider asks for, and its format.
    var subject: (name: String, format: NameIDFormat?)?
    var contextClass = AuthenticationContext.passwordProtectedTransport
    var isForced = false
    var isPassive = false

    /// What a person chose at our own page (SAML 2.0 Profiles section 4.1.5).
    init(to serviceProvider: ServiceProvider, consumer: AssertionConsumerService, relayState: String?) {
        self.serviceProvider = serviceProvider
        self.consumer = consumer
        self.relayState = relayState
    }
}

/// Reads requests for sign-on (SAML 2.0 Core section 3.4.1).
struct SignOnRequestReader {
    var message: ReceivedMessage
    var provider: IdentityProvider
    var settings: SAMLIdentityProvider
    /// The URLs that mean the endpoint.
    var isEndpoint: (String) -> Bool

    private var root: XMLElement { message.document }

    /// What is told to the service provider.
    struct Refusal: Error {
        var request: SignOnRequest
        var status: SAMLStatus
    }

    /// - Throws: `FaultPage` where nobody can be told, ``Refusal`` otherwise.
    func request() throws -> SignOnRequest {
        guard message.kind == .request, root.isNamed("AuthnRequest", in: SAML.protocol) else {
            throw FaultPage(code: "invalid_request", explanation: "The message is no request for sign-on.")
        }
        guard let issuer = root.child("Issuer", in: SAML.assertion)?.text, let serviceProvider = settings.serviceProvider(issuer) else {
            throw FaultPage(
                code: "unknown_service_provider", explanation: "The request's issuer is not a service provider that is registered here.")
        }
        guard let id = root.attribute("ID"), !id.isEmpty, id.utf8.count <= 256, root.attribute("IssueInstant").flatMap(Timestamp.init(iso8601:)) != nil
        else { throw FaultPage(code: "invalid_request", explanation: "The request has no identifier, or no date of issue.") }
        let isSigned = try MessageSignature(message).verify(by: serviceProvider)
        guard isSigned || !(serviceProvider.signsRequests || settings.wantsSignedRequests) else {
            throw FaultPage(code: "signature_missing", explanation: "\(serviceProvider.name) must sign its requests for sign-on.")
        }
        let destination = root.attribute("Destination")
        // Bindings, sections 3.4.5.2 and 3.5.5.2: a signed message must say where it goes.
        guard destination.map(isEndpoint) ?? !isSigned else {
            throw FaultPage(code: "wrong_destination", explanation: "The request's Destination is not this endpoint.")
        }
        var request = SignOnRequest(
            to: serviceProvider, consumer: try consumer(of: serviceProvider), relayState: message.relayState)
        request.id = id
        do {
            try read(into: &request)
        } catch let status as SAMLStatus {
            throw Refusal(request: request, status: status)
        }
        return request
    }

    /// Where the answer goes: to an endpoint that is registered, whatever the request says.
    private func consumer(of serviceProvider: ServiceProvider) throws(FaultPage) -> AssertionConsumerService {
        let services = serviceProvider.assertionConsumerServices
        let location = root.attribute("AssertionConsumerServiceURL")
        let binding = root.attribute("ProtocolBinding")
        var found: AssertionConsumerService?
        if let text = root.attribute("AssertionConsumerServiceIndex") {
            guard location == nil, binding == nil else {
                throw FaultPage(
                    code: "invalid_request", explanation: "The request gives the endpoint of the answer by its index and by its URL.")
            }
            found = services.first { String($0.index) == text }
        } else {
            let matching = services.filter { service in
                (location == nil || service.location == location) && (binding == nil || service.binding.rawValue == binding)
            }
            found = location == nil && binding == nil ? serviceProvider.defaultConsumerService : matching.first { $0.isDefault == true } ?? matching.first
        }
        guard let found else {
            throw FaultPage(
                code: "invalid_request",
                explanation: "The endpoint that the request wants its answer at is not one that \(serviceProvider.name) has registered.")
        }
        return found
    }

    private func read(into request: inout SignOnRequest) throws {
        let version = root.attribute("Version")
        guard version == "2.0" else {
            let isHigher = version.flatMap(Double.init).map { $0 > 2 } ?? false
            throw SAMLStatus(.versionMismatch, isHigher ? .requestVersionTooHigh : .requestVersionTooLow, "The version must be 2.0.")
        }
        request.isForced = try flag("ForceAuthn")
        request.isPassive = try flag("IsPassive")
        // Only the bearer's own message is answered here (section 3.4.1.1, Profiles section 4.1.4.1).
        if let subject = root.child("Subject", in: SAML.assertion) {
            guard subject.child("SubjectConfirmation", in: SAML.assertion) == nil, let name = subject.child("NameID", in: SAML.assertion) else {
                throw SAMLStatus(.requester, .requestUnsupported, "The subject must be a NameID without a confirmation.")
            }
            request.subject = (name.text, try format(name.attribute("Format")))
        }
        if let policy = root.child("NameIDPolicy", in: SAML.protocol) {
            request.format = try format(policy.attribute("Format"))
            if let format = request.format, !request.serviceProvider.nameIDFormats.isEmpty,
                !request.serviceProvider.nameIDFormats.contains(format)
            {
                throw SAMLStatus(.requester, .invalidNameIDPolicy, "The service provider takes no names of this format.")
            }
            if let qualifier = policy.attribute("SPNameQualifier"), qualifier != request.serviceProvider.entityID {
                throw SAMLStatus(.requester, .invalidNameIDPolicy, "The service provider belongs to no affiliation of this name.")
            }
        }
        if let wanted = root.child("RequestedAuthnContext", in: SAML.protocol) { request.contextClass = try contextClass(wanted) }
        if let scoping = root.child("Scoping", in: SAML.protocol), scoping.child("IDPList", in: SAML.protocol) != nil {
            try check(scoping)
        }
    }

    /// A list of identity providers that we are none of asks for somebody else (section 3.4.1.2).
    private func check(_ scoping: XMLElement) throws {
        let entries = scoping.child("IDPList", in: SAML.protocol)?.children(named: "IDPEntry", in: SAML.protocol) ?? []
        guard entries.contains(where: { $0.attribute("ProviderID").map { $0 == settings.entityID || isEndpoint($0) } ?? false }) else {
            throw SAMLStatus(.responder, .requestUnsupported, "None of the identity providers of the list is this one.")
        }
    }

    /// Nothing for the unspecified format, which leaves the choice to us (section 3.4.1.1).
    private func format(_ text: String?) throws -> NameIDFormat? {
        guard let text else { return nil }
        guard let format = NameIDFormat(rawValue: text) else {
            throw SAMLStatus(.requester, .invalidNameIDPolicy, "Names of this format are not given.")
        }
        return format == .unspecified ? nil : format
    }

    private func flag(_ name: String) throws -> Bool {
        switch root.attribute(name) {
        case nil, "false", "0": return false
        case "true", "1": return true
        default: throw SAMLStatus(.requester, nil, "\(name) must be true or false.")
        }
    }

    /// The class of context that the assertion states (section 3.3.2.2.1).
    private func contextClass(_ wanted: XMLElement) throws -> String {
        let classes = wanted.children(named: "AuthnContextClassRef", in: SAML.assertion).map(\.text)
        let ours = AuthenticationContext.passwordProtectedTransport
        let offered = AuthenticationContext.offered
        let ranks = classes.compactMap(offered.firstIndex)
        let rank = offered.count - 1
        let chosen: String?
        switch wanted.attribute("Comparison") ?? "exact" {
        case "exact": chosen = classes.first(where: offered.contains)
        case "minimum": chosen = ranks.contains { $0 <= rank } ? ours : nil
        // Better than each of those that it names.
        case "better": chosen = ranks.count == classes.count && !ranks.isEmpty && ranks.allSatisfy { $0 < rank } ? ours : nil
        case "maximum": chosen = ranks.max().map { offered[$0] }
        default: throw SAMLStatus(.requester, nil, "The comparison of contexts must be exact, minimum, maximum or better.")
        }
        guard let chosen else { throw SAMLStatus(.responder, .noAuthnContext, "People log in with a password here.") }
        return chosen
    }
}
