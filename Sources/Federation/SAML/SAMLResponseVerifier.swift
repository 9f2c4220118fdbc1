package import Cryptography
package import Tokens
import WireFormats

/// Why a response was refused.
package enum SAMLResponseError: Error, Hashable, Sendable {
    /// Not XML that we read: with a document type, too deep, too large, or no XML at all.
    case notXML
    /// Not built as SAML has it; the text says where.
    case malformed(String)
    /// The provider says that it did not recognise anybody; the text is its status.
    case unsuccessful(String)
    /// Another issuer than the one that is trusted.
    case foreignIssuer
    /// The assertion is not encrypted although it must be.
    case notEncrypted
    /// None of our keys opens the assertion.
    case undecryptable
    /// The assertion is not signed, or a signature, of the response or the assertion, is not what one of the provider's keys made.
    case notSigned(XMLSignatureError)
}

/// Finds the one assertion of a response that the issuer signed. (SAML 2.0 Profiles, section 4.1.4; SAML 2.0 Core, section 5.)
///
/// When and for whom the assertion counts is the caller's to decide.
package struct SAMLResponseVerifier: Sendable {
    /// The name of the identity provider.
    let issuer: String
    let signatures: XMLSignatureVerifier
    let decryptor: XMLDecryptor
    let requiresEncryption: Bool
    let comparesResponseIssuer: Bool

    /// Of what a form can hold, and what none needs.
    static let limits = XMLLimits(depth: 32, attributes: 64, elements: 20_000, size: 1 << 20)

    /// - Parameters:
    ///   - issuer: the name of the identity provider.
    ///   - keys: those that it signs with.
    ///   - decryptionKeys: ours, for encrypted assertions.
    ///   - comparingResponseIssuer: whether the response, which needs no signature, must name the issuer too where it names one.
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

    /// The assertion, read from what was signed and nothing else.
    ///
    /// A response holds one assertion, which must be signed itself; a signature of the response beside it must hold as well.
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
        // Another reader may take another assertion for the one that counts: there is only one.
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

    /// The assertion in the clear, and the response with it in its place.
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

    /// How many assertions an element is or holds, wherever they stand.
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

    /// Refuses another issuer before any signature is looked at: a key of another provider verifies nothing, which says less.
    private func checkIssuer(of response: XMLElement) throws(SAMLResponseError) {
        let named = comparesResponseIssuer ? response : response.child("Assertion", in: SAML.assertion)
        guard let element = named?.child("Issuer", in: SAML.assertion) else { return }
        guard try SAMLAssertion.text(of: element) == issuer else { throw .foreignIssuer }
    }

    /// The response as it was signed, or as it is where it bears no signature.
    private func checkSignature(of response: XMLElement) throws(SAMLResponseError) -> XMLElement {
        do {
            return try signatures.verify(response)
        } catch {
            guard error == .unsigned else { throw .notSigned(error) }
            return response
        }
    }
}
