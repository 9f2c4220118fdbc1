package import Tokens
import WireFormats

/// An assertion that is presented by itself, extracted from its response. (SAML 2.0 Core, sections 2.3.3 and 5.4.)
///
/// The issuer is readable before the verification, so that the issuer's keys can be found. The caller must check the validity period and
/// the audience.
package struct PresentedAssertion: Sendable {
    /// The issuer in the document, not verified.
    package let claimedIssuer: String
    private let element: XMLElement

    /// Parses an assertion.
    /// - Throws: ``SAMLResponseError/notXML`` and ``SAMLResponseError/malformed(_:)``.
    package init(parsing document: [UInt8]) throws(SAMLResponseError) {
        do {
            element = try XMLElement(parsing: document, limits: SAMLResponseVerifier.limits)
        } catch {
            throw .notXML
        }
        guard element.isNamed("Assertion", in: SAML.assertion) else { throw .malformed("The document is not a SAML 2.0 assertion.") }
        // Several assertions are rejected, because another reader could use a different one.
        guard SAMLResponseVerifier.assertions(in: element) == 1 else { throw .malformed("The assertion holds further assertions.") }
        guard let issuer = element.child("Issuer", in: SAML.assertion) else { throw .malformed("The assertion lacks its issuer.") }
        claimedIssuer = try SAMLAssertion.text(of: issuer)
    }

    /// Returns the contents of the assertion, read only from what one of the keys signed.
    package func verify(with keys: [VerificationKey]) throws(SAMLResponseError) -> SAMLAssertion {
        let signed: XMLElement
        do {
            signed = try XMLSignatureVerifier(keys: keys).verify(element)
        } catch {
            throw .notSigned(error)
        }
        let read = try SAMLAssertion(signed)
        guard read.issuer == claimedIssuer else { throw .foreignIssuer }
        return read
    }
}
