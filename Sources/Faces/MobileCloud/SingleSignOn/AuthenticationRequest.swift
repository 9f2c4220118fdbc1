import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

/// Redirects a browser to the realm's SAML identity provider (SAML 2.0 Profiles section 4.1.4.1).
struct AuthenticationRequest {
    let call: MobileCall
    let settings: SignOnProvider.SAML

    func send(for login: PendingLogin) async throws -> Response {
        let relay = RelayServiceProvider(call: call)
        let party = try await AssertingParty(settings, of: relay)
        let (id, state) = (try SAMLIdentifier.make(), try OpaqueToken.unguessable())
        var login = login
        login.expected = ["request": .string(id), "audience": .string(relay.entityID), "consumer": .string(relay.consumer)]
        let cookie = try await login.keep(under: state, in: call)
        var message = request(id, of: relay, to: party)
        let key = party.wantsSignedRequests ? try await relay.signingKey() : nil
        var response: Response
        if party.signOn.binding == .httpRedirect {
            let query = try SAMLRedirect.query(.request, message, relayState: state, key: key)
            let location = party.signOn.location
            response = .redirect(to: location + (location.contains("?") ? "&" : "?") + query, headers: .unstored)
        } else {
            if let key { message = try XMLSigner(key).sign(message) }
            response = RelayPage.posting(
                ["SAMLRequest": message.serialized().base64, "RelayState": state], to: party.signOn.location, title: "To the login page")
        }
        response.headers.append(cookie)
        return response
    }

    /// Returns the `AuthnRequest` element (SAML 2.0 Core section 3.4.1).
    /// It requests an email address as the name ID if users are found by it.
    private func request(_ id: String, of relay: RelayServiceProvider, to party: AssertingParty) -> XMLElement {
        var policy = XMLElement("samlp:NameIDPolicy", in: SAML.protocol, attributes: ["AllowCreate": "true"])
        if settings.mapping == .mail, settings.usernameAttribute == nil {
            policy.attributes.append(.init(name: "Format", namespace: "", value: SAML.NameIDFormat.emailAddress.rawValue))
        }
        return XMLElement(
            "samlp:AuthnRequest", in: SAML.protocol,
            attributes: [
                "AssertionConsumerServiceURL": relay.consumer, "Destination": party.signOn.location, "ID": id,
                "IssueInstant": call.cloud.clock.now.iso8601, "ProtocolBinding": SAML.Binding.httpPOST.rawValue, "Version": "2.0",
            ],
            [.element(XMLElement("saml:Issuer", in: SAML.assertion, text: relay.entityID)), .element(policy)])
    }
}
