package import Tokens
import WireFormats

/// An assertion that somebody brings by itself, taken out of the response that it came in. (SAML 2.0 Core, sections 2.3.3 and 5.4.)
///
/// It names its issuer before anything is verified, so that the issuer's keys can be found. When and for whom it counts is the caller's
/// to decide.
package struct PresentedAssertion: Sendable {
    /// What the document says; nobody has vouched for it.
    package let claimedIssuer: String
    private let element: XMLElement

    /// - Throws: ``SAMLResponseError/notXML`` and ``SAMLResponseError/malformed(_:)``.
    package init(parsing document: [UInt8]) throws(SAMLResponseError) {
        do {
            element = try XMLElement(parsing: document, limits: SAMLResponseVerifier.limits)
        } catch {
            throw .notXML
        }
        guard element.isNamed("Assertion", in: SAML.assertion) else { throw .malformed("The document is not a SAML 2.0 assertion.") }
        // Another reader may take another assertion for the one that counts: there is only one.
        guard SAMLResponseVerifier.assertions(in: element) == 1 else { throw .malformed("The assertion holds further assertions.") }
        guard let issuer = element.child("Issuer", in: SAML.assertion) else { throw .malformed("The assertion lacks its issuer.") }
        claimedIssuer = try SAMLAssertion.text(of: issuer)
    }

    /// What the assertion says, read from what one of the keys signed and nothing else.
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
