import Tokens
package import WireFormats

/// The contents of a signed assertion. (SAML 2.0 Core, section 2.3.)
package struct SAMLAssertion: Sendable {
    /// The identifier of the assertion.
    package let id: String
    /// The `IssueInstant`.
    package let issued: Timestamp
    /// The entity ID of the issuer.
    package let issuer: String
    /// The identifier of the subject, or `nil` if there is none.
    package let nameID: NameID?
    /// The ways to confirm the subject.
    package let confirmations: [Confirmation]
    /// The conditions under which the assertion is valid.
    package let conditions: Conditions?
    /// When and how the subject was authenticated.
    package let authentications: [Authentication]
    /// The attributes in the order of the document; a name may occur more than once.
    package let attributes: [Attribute]

    /// The identifier of the subject. (Section 2.2.3.)
    package struct NameID: Sendable {
        /// The whole text, including the parts on both sides of an XML comment.
        package let value: String
        /// The format of the identifier, a URI.
        package let format: String?
    }

    /// A `SubjectConfirmation`. (Section 2.4.1.1.)
    package struct Confirmation: Sendable {
        /// The method, as a URI.
        package let method: String
        /// The URL to which the assertion must be delivered.
        package let recipient: String?
        /// The start of the period in which it can be delivered.
        package let notBefore: Timestamp?
        /// The end of the period in which it can be delivered.
        package let notOnOrAfter: Timestamp?
        /// The identifier of the request that it answers.
        package let inResponseTo: String?
    }

    /// The period and audiences for which the assertion is valid. (Section 2.5.)
    package struct Conditions: Sendable {
        /// The start of the validity.
        package let notBefore: Timestamp?
        /// The end of the validity.
        package let notOnOrAfter: Timestamp?
        /// One list for each `AudienceRestriction`; all of them must be satisfied.
        package let audiences: [[String]]
    }

    /// An `AuthnStatement`. (Section 2.7.2.)
    package struct Authentication: Sendable {
        /// When the subject was authenticated.
        package let instant: Timestamp
        /// The identifier of the session at the issuer.
        package let sessionIndex: String?
        /// The end of the session.
        package let sessionEnd: Timestamp?
    }

    /// An `Attribute`. (Section 2.7.3.1.)
    package struct Attribute: Sendable {
        /// The `Name` of the attribute.
        package let name: String
        /// The texts of its values. A value that contains a `NameID`, such as `eduPersonTargetedID`, has the text of that.
        package let values: [String]
    }

    /// Reads an assertion.
    /// - Parameter element: the assertion as it was signed.
    /// - Throws: ``SAMLResponseError/malformed(_:)``.
    init(_ element: XMLElement) throws(SAMLResponseError) {
        guard element.attribute("Version") == "2.0", let id = element.attribute("ID"),
            let issued = try Self.time("IssueInstant", of: element), let issuer = element.child("Issuer", in: SAML.assertion)
        else { throw .malformed("The assertion lacks its version, identifier, time of issue or issuer.") }
        self.id = id
        self.issued = issued
        self.issuer = try Self.text(of: issuer)
        let subjects = element.children(named: "Subject", in: SAML.assertion)
        guard subjects.count <= 1 else { throw .malformed("The assertion has several subjects.") }
        let names = subjects.first?.children(named: "NameID", in: SAML.assertion) ?? []
        guard names.count <= 1 else { throw .malformed("The subject has several names.") }
        nameID = try names.first.map { name throws(SAMLResponseError) in
            NameID(value: try Self.text(of: name), format: name.attribute("Format"))
        }
        confirmations = try (subjects.first?.children(named: "SubjectConfirmation", in: SAML.assertion) ?? [])
            .map { confirmation throws(SAMLResponseError) in try Confirmation(confirmation) }
        let conditions = element.children(named: "Conditions", in: SAML.assertion)
        guard conditions.count <= 1 else { throw .malformed("The assertion has several sets of conditions.") }
        self.conditions = try conditions.first.map { element throws(SAMLResponseError) in try Conditions(element) }
        authentications = try element.children(named: "AuthnStatement", in: SAML.assertion)
            .map { element throws(SAMLResponseError) in try Authentication(element) }
        attributes = try element.children(named: "AttributeStatement", in: SAML.assertion)
            .flatMap { $0.children(named: "Attribute", in: SAML.assertion) }
            .map { element throws(SAMLResponseError) in try Attribute(element) }
    }

    /// Returns the values of all attributes with a name.
    package func values(of name: String) -> [String] {
        attributes.reduce(into: []) { values, attribute in
            if attribute.name == name { values += attribute.values }
        }
    }

    fileprivate static func time(_ name: String, of element: XMLElement) throws(SAMLResponseError) -> Timestamp? {
        guard let text = element.attribute(name) else { return nil }
        switch SAMLTime.parse(text) {
        case .success(let time): return time
        case .failure(let fault): throw .malformed("\(name) \(fault.explanation): \(text)")
        }
    }

    /// Returns the text of an element that must contain nothing else.
    static func text(of element: XMLElement) throws(SAMLResponseError) -> String {
        guard element.children.isEmpty else { throw .malformed("\(element.name) must hold text alone.") }
        return element.text
    }
}

extension SAMLAssertion.Confirmation {
    fileprivate init(_ element: XMLElement) throws(SAMLResponseError) {
        let data = element.children(named: "SubjectConfirmationData", in: SAML.assertion)
        guard data.count <= 1, let method = element.attribute("Method") else {
            throw .malformed("A confirmation of the subject lacks its method, or has several sets of data.")
        }
        self.method = method
        recipient = data.first?.attribute("Recipient")
        notBefore = try data.first.flatMap { data throws(SAMLResponseError) in try SAMLAssertion.time("NotBefore", of: data) }
        notOnOrAfter = try data.first.flatMap { data throws(SAMLResponseError) in try SAMLAssertion.time("NotOnOrAfter", of: data) }
        inResponseTo = data.first?.attribute("InResponseTo")
    }
}

extension SAMLAssertion.Conditions {
    fileprivate init(_ element: XMLElement) throws(SAMLResponseError) {
        notBefore = try SAMLAssertion.time("NotBefore", of: element)
        notOnOrAfter = try SAMLAssertion.time("NotOnOrAfter", of: element)
        audiences = try element.children(named: "AudienceRestriction", in: SAML.assertion)
            .map { restriction throws(SAMLResponseError) in
                try restriction.children(named: "Audience", in: SAML.assertion)
                    .map { audience throws(SAMLResponseError) in try SAMLAssertion.text(of: audience) }
            }
    }
}

extension SAMLAssertion.Authentication {
    fileprivate init(_ element: XMLElement) throws(SAMLResponseError) {
        guard let instant = try SAMLAssertion.time("AuthnInstant", of: element) else {
            throw .malformed("The statement of authentication lacks its time.")
        }
        self.instant = instant
        sessionIndex = element.attribute("SessionIndex")
        sessionEnd = try SAMLAssertion.time("SessionNotOnOrAfter", of: element)
    }
}

extension SAMLAssertion.Attribute {
    fileprivate init(_ element: XMLElement) throws(SAMLResponseError) {
        guard let name = element.attribute("Name") else { throw .malformed("An attribute lacks its name.") }
        self.name = name
        values = try element.children(named: "AttributeValue", in: SAML.assertion).map { value throws(SAMLResponseError) in
            let name = value.children.count == 1 ? value.child("NameID", in: SAML.assertion) : nil
            return try SAMLAssertion.text(of: name ?? value)
        }
    }
}
