import Tokens
package import WireFormats

/// How an exchange ended (SAML 2.0 Core section 3.2.2.2).
package struct SAMLStatus: Hashable, Sendable {
    package enum Code: String, Hashable, Sendable {
        case success = "Success"
        /// The request is at fault.
        case requester = "Requester"
        /// We are, or the person.
        case responder = "Responder"
        case versionMismatch = "VersionMismatch"
        case authnFailed = "AuthnFailed"
        case invalidNameIDPolicy = "InvalidNameIDPolicy"
        case noAuthnContext = "NoAuthnContext"
        case noPassive = "NoPassive"
        case partialLogout = "PartialLogout"
        case requestDenied = "RequestDenied"
        case requestUnsupported = "RequestUnsupported"
        case requestVersionTooHigh = "RequestVersionTooHigh"
        case requestVersionTooLow = "RequestVersionTooLow"
        case unknownPrincipal = "UnknownPrincipal"
        case unsupportedBinding = "UnsupportedBinding"

        var identifier: String { "urn:oasis:names:tc:SAML:2.0:status:\(rawValue)" }
    }

    package var code: Code
    package var detail: Code?
    package var message: String?

    package init(_ code: Code, _ detail: Code? = nil, _ message: String? = nil) {
        self.code = code
        self.detail = detail
        self.message = message
    }

    package static let success = SAMLStatus(.success)

    /// What the journal calls it: the most telling code.
    package var name: String { (detail ?? code).rawValue }

    package var element: XMLElement {
        var outer = XMLElement("samlp:StatusCode", in: SAML.protocol, attributes: ["Value": code.identifier])
        if let detail {
            outer.content = [.element(XMLElement("samlp:StatusCode", in: SAML.protocol, attributes: ["Value": detail.identifier]))]
        }
        var elements = [outer]
        if let message { elements.append(XMLElement("samlp:StatusMessage", in: SAML.protocol, text: message)) }
        return XMLElement("samlp:Status", in: SAML.protocol, elements.map(XMLElement.Node.element))
    }
}
