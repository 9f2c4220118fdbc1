import Calls
import Cloud
import Cryptography
import Directory
import Federation
import Tokens
import WireFormats

/// The relay as a SAML 2.0 service provider, under the host name that the browser uses.
struct RelayServiceProvider {
    let call: MobileCall

    /// The entity ID: the exchange endpoint. The documentation makes it the audience of assertions for the mobile cloud, so one
    /// registration at the identity provider serves both browsers and apps that present assertions themselves.
    var entityID: String { call.baseURL + SingleSignOn.exchangePath }

    var consumer: String { call.baseURL + SingleSignOn.consumerPath }

    /// The name of the key ring. No identity provider's name contains a space.
    private static let keyName = "mobile cloud/saml"

    /// Returns the key that signs requests, for providers that require signed requests.
    func signingKey() async throws -> XMLSigningKey {
        guard let key = XMLSigningKey(try await call.cloud.signingKey(for: Self.keyName)) else { throw CryptographyError.invalidKey }
        return key
    }

    /// Returns the keys that decrypt assertions, including replaced keys.
    func decryptionKeys() async throws -> [RSAPrivateKey] {
        try await call.cloud.keys(of: Self.keyName).filter { $0.key.algorithm == .rs256 }.map { try RSAPrivateKey(pem: $0.key.pem) }
    }

    /// Returns the metadata to register at the identity provider (SAML 2.0 Metadata section 2.4.4).
    /// Requests are signed for providers whose metadata requires it.
    func metadata() async throws -> XMLElement {
        let key = try await call.cloud.signingKey(for: Self.keyName)
        guard let certificate = try call.cloud.certificate(of: key, issuer: Self.keyName, named: "Mobile Cloud") else {
            throw CryptographyError.invalidKey
        }
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

/// The SAML identity provider of a realm.
struct AssertingParty {
    var entityID: String
    /// The keys that it signs with.
    var keys: [VerificationKey]
    /// The single sign-on service, with the redirect or POST binding.
    var signOn: SAMLMetadata.SignOnService
    var wantsSignedRequests: Bool

    /// - Throws: ``MobileError`` if the realm's settings do not name a usable provider.
    init(_ settings: SignOnProvider.SAML, of relay: RelayServiceProvider) async throws {
        var wantsSignedRequests = false
        let text: String
        if let name = settings.identityProvider {
            let call = relay.call
            guard let provider = call.mobileProvider(named: name), let saml = provider.saml else {
                throw MobileError(.singleSignOnNotSetUp, "There is no SAML identity provider \(name) here.")
            }
            // As the browser's own requests spell it.
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
            throw MobileError(.singleSignOnNotSetUp, "The metadata of the realm's identity provider is not usable.")
        }
        if let end = metadata.validUntil, end <= relay.call.cloud.clock.now {
            throw MobileError(.singleSignOnNotSetUp, "The metadata of the realm's identity provider was valid until \(end.iso8601).")
        }
        entityID = metadata.entityID
        keys = metadata.signingKeys
        self.signOn = signOn
        self.wantsSignedRequests = wantsSignedRequests || metadata.wantsSignedRequests
    }
}

extension MobileCall {
    /// Returns one of our own identity providers.
    func mobileProvider(named name: String) -> IdentityProvider? { cloud.directory.providers[name] }
}
