package import Tokens
package import WireFormats

/// The status of an exchange (SAML 2.0 Core section 3.2.2). It is thrown as an error if the request fails.
package struct SAMLStatus: Error, Hashable {
    /// The top-level status code.
    package var code: SAML.StatusCode
    /// The second-level status code.
    package var detail: SAML.StatusCode?
    /// A human-readable message.
    package var message: String?

    package init(_ code: SAML.StatusCode, _ detail: SAML.StatusCode? = nil, _ message: String? = nil) {
        self.code = code
        self.detail = detail
        self.message = message
    }

    /// The status of a successful request.
    package static let success = SAMLStatus(.success)

    /// The name in the journal: the last part of the most specific code.
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
