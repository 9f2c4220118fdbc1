import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Tokens
import WireFormats

/// The relay as a service provider of SAML 2.0, as the browser addresses it.
struct RelayServiceProvider {
    let call: MobileCall

    /// The exchange endpoint, which the documents make the audience of assertions for the mobile cloud: an application that is registered
    /// at the provider once serves browsers and apps that bring assertions themselves.
    var entityID: String { call.baseURL + SingleSignOn.exchangePath }

    var consumer: String { call.baseURL + SingleSignOn.consumerPath }

    /// No identity provider's name holds a space.
    private static let keyName = "mobile cloud/saml"

    /// Signs requests where the provider wants that.
    func signingKey() async throws -> XMLSigningKey {
        guard let key = XMLSigningKey(try await call.cloud.signingKey(for: Self.keyName)) else { throw CryptographyError.invalidKey }
        return key
    }

    /// Open assertions that were encrypted for us, those of replaced keys too.
    func decryptionKeys() async throws -> [RSAPrivateKey] {
        try await call.cloud.keys(of: Self.keyName).filter { $0.key.algorithm == .rs256 }.map { try RSAPrivateKey(pem: $0.key.pem) }
    }

    /// What is registered at the identity provider (SAML 2.0 Metadata section 2.4.4). Requests are signed for those whose own metadata want it.
    func metadata() async throws -> XMLElement {
        let key = try await call.cloud.signingKey(for: Self.keyName)
        guard let certificate = try call.cloud.certificate(of: key, named: "Mobile Cloud") else { throw CryptographyError.invalidKey }
        let data = XMLElement(
            "ds:X509Data", in: XMLSecurity.signature,
            [.element(XMLElement("ds:X509Certificate", in: XMLSecurity.signature, text: certificate.base64))])
        let info = XMLElement("ds:KeyInfo", in: XMLSecurity.signature, [.element(data)])
        var parts = ["signing", "encryption"].map { use in
            XMLElement("md:KeyDescriptor", in: SAML.metadata, attributes: ["use": use], [.element(info)])
        }
        parts += [SAML.NameIDFormat.unspecified, .emailAddress].map { format in
            XMLElement("md:NameIDFormat", in: SAML.metadata, text: format.rawValue)
        }
        parts.append(
            XMLElement(
                "md:AssertionConsumerService", in: SAML.metadata,
                attributes: ["Binding": SAML.Binding.httpPOST.rawValue, "Location": consumer, "index": "0", "isDefault": "true"]))
        let role = XMLElement(
            "md:SPSSODescriptor", in: SAML.metadata,
            attributes: ["AuthnRequestsSigned": "false", "WantAssertionsSigned": "true", "protocolSupportEnumeration": SAML.protocol],
            parts.map(XMLElement.Node.element))
        return XMLElement("md:EntityDescriptor", in: SAML.metadata, attributes: ["entityID": entityID], [.element(role)])
    }
}

/// The identity provider of SAML that a realm logs in at.
struct AssertingParty {
    var entityID: String
    /// Those that it signs with.
    var keys: [VerificationKey]
    /// Where browsers take requests, by a redirect or in a form.
    var signOn: SAMLMetadata.SignOnService
    var wantsSignedRequests: Bool

    /// - Throws: ``MobileError`` where the realm's settings lead to no provider.
    init(_ settings: SignOnProvider.SAML, of relay: RelayServiceProvider) async throws {
        var wantsSignedRequests = false
        let text: String
        if let name = settings.identityProvider {
            let call = relay.call
            guard let provider = call.mobileProvider(named: name), let saml = provider.saml else {
                throw MobileError(.singleSignOnNotSetUp, "There is no SAML identity provider \(name) here.")
            }
            // As the browser's own requests will spell it.
            let origin = provider.origins?.browser ?? call.baseURL
            var own = try await IdentityProviderMetadata(
                of: provider, settings: saml, baseURL: origin + IssuerPaths.own + name, in: call.cloud)
            own.entityID = saml.entityID(baseURL: (provider.origins?.issuer ?? call.baseURL) + IssuerPaths.own + name)
            text = own.text
            wantsSignedRequests = saml.serviceProvider(relay.entityID)?.signsRequests ?? false
        } else {
            text = settings.metadata ?? ""
        }
        guard let metadata = SAMLMetadata(text),
            let signOn = metadata.signOnServices.first(where: { $0.binding == .httpRedirect }) ?? metadata.signOnServices.first
        else {
            throw MobileError(.singleSignOnNotSetUp, "The metadata of the realm's identity provider cannot be used.")
        }
        if let end = metadata.validUntil, end <= relay.call.cloud.clock.now {
            throw MobileError(.singleSignOnNotSetUp, "The metadata of the realm's identity provider were valid until \(end.iso8601).")
        }
        entityID = metadata.entityID
        keys = metadata.signingKeys
        self.signOn = signOn
        self.wantsSignedRequests = wantsSignedRequests || metadata.wantsSignedRequests
    }
}

extension MobileCall {
    /// An identity provider of ours.
    func mobileProvider(named name: String) -> IdentityProvider? { cloud.directory.providers[name] }
}
