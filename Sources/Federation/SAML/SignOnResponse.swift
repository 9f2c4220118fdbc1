import Cryptography
package import Directory
import Tokens
package import WireFormats

/// The answer to a request for sign-on, or one that nobody asked for (SAML 2.0 Core section 3.3.3, Profiles section 4.1.4.2).
package struct SignOnResponse: Sendable {
    /// The entity identifier of the identity provider.
    package var issuer: String
    /// The service provider that gets the response.
    package var serviceProvider: ServiceProvider
    /// The endpoint that gets the response.
    package var consumer: AssertionConsumerService
    /// The identifier of the request, or `nil` if there was none.
    package var inResponseTo: String?
    /// When the response is issued.
    package var issued: Timestamp
    /// Whether the request was fulfilled.
    package var status = SAMLStatus.success
    /// What the assertion says; nothing in a refusal.
    package var content: AssertionContent?
    /// What is wrong with the signatures, on demand.
    package var defect: AssertionDefect?

    package init(
        issuer: String, serviceProvider: ServiceProvider, consumer: AssertionConsumerService, inResponseTo: String?, issued: Timestamp
    ) {
        self.issuer = issuer
        self.serviceProvider = serviceProvider
        self.consumer = consumer
        self.inResponseTo = inResponseTo
        self.issued = issued
    }

    /// The element `Response`, signed and encrypted as the service provider has it.
    /// - Throws: an error of the random generator, of the signature or of the service provider's certificate.
    package func element(signedBy signer: SAMLSigner) throws -> XMLElement {
        var elements = [XMLElement("saml:Issuer", in: SAML.assertion, text: issuer), status.element]
        if let content { elements.append(try assertion(content, signedBy: signer)) }
        var response = XMLElement(
            "samlp:Response", in: SAML.protocol,
            attributes: [
                "Destination": consumer.location, "ID": try SAMLIdentifier.make(), "IssueInstant": issued.iso8601, "Version": "2.0",
            ], elements.map(XMLElement.Node.element))
        if let inResponseTo { response.attributes.append(.init(name: "InResponseTo", namespace: "", value: inResponseTo)) }
        // What travels in a query is signed there (SAML 2.0 Bindings section 3.4.4.1).
        guard signs(.response), consumer.binding != .httpRedirect else { return response }
        return broken(try signer.sign(response))
    }

    private func assertion(_ content: AssertionContent, signedBy signer: SAMLSigner) throws -> XMLElement {
        var assertion = content.assertion(id: try SAMLIdentifier.make())
        if signs(.assertion) { assertion = broken(try signer.sign(assertion)) }
        guard let encryption = serviceProvider.encryption else { return assertion }
        guard let bytes = [UInt8](base64: encryption.certificate), let key = try X509Certificate(der: bytes).rsaKey else {
            throw CryptographyError.invalidKey
        }
        let transport: XMLKeyTransport =
            switch encryption.keyTransport {
            case .oaepMGF1P: .maskedBySHA1()
            case .oaepSHA256: .oaep(OAEP(hash: .sha256, maskHash: .sha256))
            }
        let encryptor = XMLEncryptor(recipient: key, certificate: bytes, encryption: encryption.content, transport: transport)
        return XMLElement("saml:EncryptedAssertion", in: SAML.assertion, [.element(try encryptor.encrypt(assertion))])
    }

    private func signs(_ part: ServiceProvider.SignedPart) -> Bool {
        switch defect {
        case .unsigned: false
        case .unsignedAssertion: part == .response
        default: serviceProvider.signedParts.contains(part)
        }
    }

    /// The element with one bit of its signature turned round, where that is asked for.
    private func broken(_ element: XMLElement) -> XMLElement {
        guard defect == .flippedSignatureBit, let place = element.content.firstIndex(where: \.isSignature),
            case .element(var signature) = element.content[place],
            let inner = signature.content.firstIndex(where: { $0.element?.name == "SignatureValue" }),
            case .element(var value) = signature.content[inner], var bytes = value.base64Content
        else { return element }
        bytes[bytes.count / 2] ^= 1
        value.content = [.text(bytes.base64)]
        signature.content[inner] = .element(value)
        var broken = element
        broken.content[place] = .element(signature)
        return broken
    }

    /// The answer as it travels: what the field `SAMLResponse` of a form holds, or the query of a redirect.
    package func encoded(relayState: String?, signedBy signer: SAMLSigner) throws -> SAMLTransport {
        let message = try element(signedBy: signer)
        guard consumer.binding == .httpRedirect else { return .form(message.serialized().base64) }
        guard signs(.response) else {
            return .query(try SAMLRedirect.query(.response, message, relayState: relayState, key: nil))
        }
        return .query(broken(try signer.query(.response, message, relayState: relayState)))
    }

    /// The same of a query, at whose end the signature is.
    private func broken(_ query: String) -> String {
        guard defect == .flippedSignatureBit, let name = query.firstRange(of: "&Signature="),
            var bytes = percentDecoded(query[name.upperBound...]).flatMap({ [UInt8](base64: $0) })
        else { return query }
        bytes[bytes.count / 2] ^= 1
        return String(query[..<name.upperBound]) + percentEncoded(bytes.base64)
    }
}

/// A message ready for the browser.
package enum SAMLTransport: Hashable, Sendable {
    /// The message in base 64, for a field of a form.
    case form(String)
    /// A query without its question mark, with message, relay state and signature.
    case query(String)
}

/// What can be wrong with an assertion that was asked for without a login.
package enum AssertionDefect: String, Hashable, Sendable, CaseIterable {
    case expired, notYetValid, wrongRecipient, wrongAudience, wrongIssuer
    /// Only the response around it is signed.
    case unsignedAssertion
    case unsigned
    case flippedSignatureBit
    case sha1
    /// Signed with a key that the provider does not publish.
    case otherKey
}

extension XMLElement.Node {
    fileprivate var element: XMLElement? {
        if case .element(let element) = self { element } else { nil }
    }

    fileprivate var isSignature: Bool { element?.isNamed("Signature", in: XMLSecurity.signature) ?? false }
}
