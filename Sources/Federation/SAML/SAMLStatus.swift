package import Tokens
package import WireFormats

/// How an exchange ended (SAML 2.0 Core section 3.2.2). As an error it is a refusal.
package struct SAMLStatus: Error, Hashable {
    /// The top-level status code.
    package var code: SAML.StatusCode
    /// What there is to say beyond it.
    package var detail: SAML.StatusCode?
    /// A message for people.
    package var message: String?

    package init(_ code: SAML.StatusCode, _ detail: SAML.StatusCode? = nil, _ message: String? = nil) {
        self.code = code
        self.detail = detail
        self.message = message
    }

    /// The status of a request that was fulfilled.
    package static let success = SAMLStatus(.success)

    /// What the journal calls it: the last part of the most telling code.
    package var name: String { (detail ?? code).rawValue.split(separator: ":").last.map(String.init) ?? "" }

    /// The element `Status`.
    package var element: XMLElement {
        var outer = XMLElement("samlp:StatusCode", in: SAML.protocol, attributes: ["Value": code.rawValue])
        if let detail {
            outer.content = [.element(XMLElement("samlp:StatusCode", in: SAML.protocol, attributes: ["Value": detail.rawValue]))]
        }
        var elements = [outer]
        if let message { elements.append(XMLElement("samlp:StatusMessage", in: SAML.protocol, text: message)) }
        return XMLElement("samlp:Status", in: SAML.protocol, elements.map(XMLElement.Node.element))
    }
}
