package import Cryptography
package import Tokens
import WireFormats

/// The reason why a response is rejected.
package enum SAMLResponseError: Error, Hashable, Sendable {
    /// The document is not XML, has a document type declaration, or exceeds the limits.
    case notXML
    /// The structure violates SAML; the text says where.
    case malformed(String)
    /// The provider did not authenticate the subject; the text is its status code.
    case unsuccessful(String)
    /// The issuer is not the trusted one.
    case foreignIssuer
    /// The assertion must be encrypted but is not.
    case notEncrypted
    /// No decryption key decrypts the assertion.
    case undecryptable
    /// The assertion is not signed, or a signature of the response or the assertion was not made by one of the provider's keys.
    case notSigned(XMLSignatureError)
}

/// Extracts and verifies the single assertion of a response. (SAML 2.0 Profiles, section 4.1.4; SAML 2.0 Core, section 5.)
///
/// The caller must check the validity period and the audience.
package struct SAMLResponseVerifier: Sendable {
    /// The name of the identity provider.
    let issuer: String
    let signatures: XMLSignatureVerifier
    let decryptor: XMLDecryptor
    let requiresEncryption: Bool
    let comparesResponseIssuer: Bool

    /// Limits that allow every usual response and reject abusive ones.
    static let limits = XMLLimits(depth: 32, attributes: 64, elements: 20_000, size: 1 << 20)

    /// Creates a verifier.
    /// - Parameters:
    ///   - issuer: the name of the identity provider.
    ///   - keys: its signing keys.
    ///   - decryptionKeys: the receiver's keys for encrypted assertions.
    ///   - comparingResponseIssuer: whether the issuer of the response itself, which need not be signed, is compared too if present.
    package init(
        issuer: String, keys: [VerificationKey], allowingSHA1: Bool = false, decryptionKeys: [RSAPrivateKey] = [],
        requiringEncryption: Bool = false, comparingResponseIssuer: Bool = true
    ) {
        self.issuer = issuer
        signatures = XMLSignatureVerifier(keys: keys, allowingSHA1: allowingSHA1)
        decryptor = XMLDecryptor(keys: decryptionKeys)
        requiresEncryption = requiringEncryption
        comparesResponseIssuer = comparingResponseIssuer
    }

    /// Returns the assertion, read only from what was signed.
    ///
    /// A response contains exactly one assertion, which must be signed. If the response is signed too, that signature must be valid as
    /// well.
    package func verify(_ document: [UInt8]) throws(SAMLResponseError) -> SAMLAssertion {
        var response: XMLElement
        do {
            response = try XMLElement(parsing: document, limits: Self.limits)
        } catch {
            throw .notXML
        }
        guard response.isNamed("Response", in: SAML.protocol), response.attribute("Version") == "2.0" else {
            throw .malformed("The document is not a SAML 2.0 response.")
        }
        try checkStatus(of: response)
        try checkIssuer(of: response)
        // Several assertions are rejected, because another reader could use a different one.
        guard Self.assertions(in: response) == 1 else { throw .malformed("The response must hold exactly one assertion.") }
        response = try checkSignature(of: response)
        let (assertion, ancestor) = try self.assertion(of: response)
        let signed: XMLElement
        do {
            signed = try signatures.verify(assertion, within: [ancestor])
        } catch {
            throw .notSigned(error)
        }
        let read = try SAMLAssertion(signed)
        guard read.issuer == issuer else { throw .foreignIssuer }
        return read
    }

    /// Returns the decrypted assertion, and the response with the decrypted assertion in place.
    private func assertion(of response: XMLElement) throws(SAMLResponseError) -> (XMLElement, XMLElement) {
        if let assertion = response.child("Assertion", in: SAML.assertion) {
            guard !requiresEncryption else { throw .notEncrypted }
            return (assertion, response)
        }
        let place = response.content.firstIndex { node in
            if case .element(let element) = node { element.isNamed("EncryptedAssertion", in: SAML.assertion) } else { false }
        }
        guard let place, case .element(let holder) = response.content[place] else {
            throw .malformed("The response does not hold its assertion.")
        }
        let assertion: XMLElement
        do {
            assertion = try decryptor.decrypt(holder, within: [response], limits: Self.limits)
        } catch {
            throw .undecryptable
        }
        guard assertion.isNamed("Assertion", in: SAML.assertion), Self.assertions(in: assertion) == 1 else {
            throw .malformed("The encrypted element is not an assertion.")
        }
        var opened = response
        opened.content[place] = .element(assertion)
        return (assertion, opened)
    }

    /// Returns the number of assertions in an element at any depth, including the element itself.
    static func assertions(in element: XMLElement) -> Int {
        let isAssertion =
            element.isNamed("Assertion", in: SAML.assertion) || element.isNamed("EncryptedAssertion", in: SAML.assertion)
        return element.children.reduce(isAssertion ? 1 : 0) { $0 + assertions(in: $1) }
    }

    private func checkStatus(of response: XMLElement) throws(SAMLResponseError) {
        guard let code = response.child("Status", in: SAML.protocol)?.child("StatusCode", in: SAML.protocol)?.attribute("Value") else {
            throw .malformed("The response lacks its status.")
        }
        guard code == SAML.StatusCode.success.rawValue else { throw .unsuccessful(code) }
    }

    /// Rejects another issuer before the signatures are verified, because "not signed by a trusted key" would be less helpful.
    private func checkIssuer(of response: XMLElement) throws(SAMLResponseError) {
        let named = comparesResponseIssuer ? response : response.child("Assertion", in: SAML.assertion)
        guard let element = named?.child("Issuer", in: SAML.assertion) else { return }
        guard try SAMLAssertion.text(of: element) == issuer else { throw .foreignIssuer }
    }

    /// Returns the signed contents of the response, or the response unchanged if it is not signed.
    private func checkSignature(of response: XMLElement) throws(SAMLResponseError) -> XMLElement {
        do {
            return try signatures.verify(response)
        } catch {
            guard error == .unsigned else { throw .notSigned(error) }
            return response
        }
    }
}
