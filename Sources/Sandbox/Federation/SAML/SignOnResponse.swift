import Cryptography
package import Directory
import Tokens
package import WireFormats

/// A response to a sign-on request, or an unsolicited one (SAML 2.0 Core section 3.3.3, Profiles section 4.1.4.2).
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
    /// The status of the request.
    package var status = SAMLStatus.success
    /// The contents of the assertion; `nil` in an error response.
    package var content: AssertionContent?
    /// The requested defect of the signatures.
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

    /// Returns the element `Response`, signed and encrypted as the service provider is configured.
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
        // A message in a query is signed there instead (SAML 2.0 Bindings section 3.4.4.1).
        guard signs(.response), consumer.binding != .httpRedirect else { return response }
        return broken(try signer.sign(response))
    }

    private func assertion(_ content: AssertionContent, signedBy signer: SAMLSigner) throws -> XMLElement {
        var assertion = content.assertion(id: try SAMLIdentifier.make(in: signer.epoch))
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

    /// Returns the element, with one bit of its signature flipped if that defect is requested.
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

    /// Returns the encoded response: the value of the form field `SAMLResponse`, or the query of a redirect.
    package func encoded(relayState: String?, signedBy signer: SAMLSigner) throws -> SAMLTransport {
        let message = try element(signedBy: signer)
        guard consumer.binding == .httpRedirect else { return .form(message.serialized().base64) }
        guard signs(.response) else {
            return .query(try SAMLRedirect.query(.response, message, relayState: relayState, key: nil))
        }
        return .query(broken(try signer.query(.response, message, relayState: relayState)))
    }

    /// Returns the query, with one bit of the signature at its end flipped if that defect is requested.
    private func broken(_ query: String) -> String {
        guard defect == .flippedSignatureBit, let name = query.firstRange(of: "&Signature="),
            var bytes = percentDecoded(query[name.upperBound...]).flatMap({ [UInt8](base64: $0) })
        else { return query }
        bytes[bytes.count / 2] ^= 1
        return String(query[..<name.upperBound]) + percentEncoded(bytes.base64)
    }
}

/// An encoded message for the browser.
package enum SAMLTransport: Hashable, Sendable {
    /// The message in base 64, for a form field.
    case form(String)
    /// A query without the `?`, with message, relay state and signature.
    case query(String)
}

/// A defect of an assertion that was requested without a login.
package enum AssertionDefect: String, Hashable, Sendable, CaseIterable {
    case expired, notYetValid, wrongRecipient, wrongAudience, wrongIssuer
    /// Only the response is signed, not the assertion.
    case unsignedAssertion
    case unsigned
    case flippedSignatureBit
    case sha1
    /// The signature was made with a key that the provider does not publish.
    case otherKey
}

extension XMLElement.Node {
    fileprivate var element: XMLElement? {
        if case .element(let element) = self { element } else { nil }
    }

    fileprivate var isSignature: Bool { element?.isNamed("Signature", in: XMLSecurity.signature) ?? false }
}
