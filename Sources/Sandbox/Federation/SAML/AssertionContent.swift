package import Tokens
package import WireFormats

/// The contents of a sign-on assertion, before signing and encryption (SAML 2.0 Profiles section 4.1.4.2).
package struct AssertionContent: Sendable {
    /// The entity identifier of the identity provider.
    package var issuer: String
    /// The entity ID of the service provider.
    package var audience: String
    /// The endpoint of the service provider that receives it.
    package var recipient: String
    /// The identifier of the request that it answers; absent for an unsolicited response.
    package var inResponseTo: String?
    /// The identifier of the person.
    package var name: AssertedName
    /// When the assertion is issued.
    package var issued: Timestamp
    /// The start of its validity.
    package var notBefore: Timestamp
    /// The end of its validity.
    package var notOnOrAfter: Timestamp
    /// When the person logged in.
    package var authenticated: Timestamp
    /// The identifier of the session at the identity provider.
    package var sessionIndex: String
    /// The end of the session.
    package var sessionNotOnOrAfter: Timestamp
    /// How the person logged in.
    package var context = SAML.AuthnContext.passwordProtectedTransport
    /// The attributes of the person.
    package var attributes: [AssertedAttribute]

    /// Checks that the values can be written in XML.
    /// - Throws: `SAMLStatus` where the person's name or an attribute contains characters that XML does not allow.
    package func check() throws(SAMLStatus) {
        let texts = attributes.flatMap { [$0.name, $0.friendlyName ?? ""] + $0.values }
        guard name.value.isXMLText, texts.allSatisfy(\.isXMLText) else {
            throw SAMLStatus(.responder, .invalidAttrNameOrValue, "The name or an attribute of the user contains an invalid character.")
        }
    }

    /// Returns the assertion element (SAML 2.0 Core sections 2.3.3, 2.4, 2.5 and 2.7).
    func assertion(id: String) -> XMLElement {
        var confirmation = XMLElement(
            "saml:SubjectConfirmationData", in: SAML.assertion,
            attributes: ["NotOnOrAfter": notOnOrAfter.iso8601, "Recipient": recipient])
        if let inResponseTo { confirmation.attributes.append(.init(name: "InResponseTo", namespace: "", value: inResponseTo)) }
        let subject = XMLElement(
            "saml:Subject", in: SAML.assertion,
            [
                name.element,
                XMLElement(
                    "saml:SubjectConfirmation", in: SAML.assertion, attributes: ["Method": SAML.bearer],
                    [.element(confirmation)]),
            ].map(XMLElement.Node.element))
        let conditions = XMLElement(
            "saml:Conditions", in: SAML.assertion,
            attributes: ["NotBefore": notBefore.iso8601, "NotOnOrAfter": notOnOrAfter.iso8601],
            [
                .element(
                    XMLElement(
                        "saml:AudienceRestriction", in: SAML.assertion,
                        [.element(XMLElement("saml:Audience", in: SAML.assertion, text: audience))]))
            ])
        let statement = XMLElement(
            "saml:AuthnStatement", in: SAML.assertion,
            attributes: [
                "AuthnInstant": authenticated.iso8601, "SessionIndex": sessionIndex,
                "SessionNotOnOrAfter": sessionNotOnOrAfter.iso8601,
            ],
            [
                .element(
                    XMLElement(
                        "saml:AuthnContext", in: SAML.assertion,
                        [.element(XMLElement("saml:AuthnContextClassRef", in: SAML.assertion, text: context.rawValue))]))
            ])
        var elements = [XMLElement("saml:Issuer", in: SAML.assertion, text: issuer), subject, conditions, statement]
        if !attributes.isEmpty {
            elements.append(
                XMLElement("saml:AttributeStatement", in: SAML.assertion, attributes.map { .element($0.element) }))
        }
        return XMLElement(
            "saml:Assertion", in: SAML.assertion, attributes: ["ID": id, "IssueInstant": issued.iso8601, "Version": "2.0"],
            elements.map(XMLElement.Node.element))
    }
}
