import WireFormats

/// The identifiers of SAML 2.0.
package enum SAML {
    /// The namespace of assertions. (SAML 2.0 Core, section 1.1.)
    package static let assertion = "urn:oasis:names:tc:SAML:2.0:assertion"
    /// The namespace of requests and responses.
    package static let `protocol` = "urn:oasis:names:tc:SAML:2.0:protocol"
    /// The namespace of metadata. (SAML 2.0 Metadata, section 1.1.)
    package static let metadata = "urn:oasis:names:tc:SAML:2.0:metadata"

    /// The bearer confirmation method: the party that presents the assertion is its subject. (SAML 2.0 Profiles, section 3.3.)
    package static let bearer = "urn:oasis:names:tc:SAML:2.0:cm:bearer"

    /// A protocol binding: how messages are transported. (SAML 2.0 Bindings, section 3.)
    package enum Binding: String, Sendable, Codable {
        case httpRedirect = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
        case httpPOST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
        case soap = "urn:oasis:names:tc:SAML:2.0:bindings:SOAP"
    }

    /// The format of a `NameID`. (SAML 2.0 Core, section 8.3.)
    package enum NameIDFormat: String, Sendable, Codable, CaseIterable {
        case unspecified = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
        case emailAddress = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
        case x509SubjectName = "urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName"
        case windowsDomainQualifiedName = "urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName"
        case kerberos = "urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos"
        case entity = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity"
        case persistent = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
        case transient = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"

        /// Whether our assertions can have names in the format.
        package var isSupported: Bool {
            switch self {
            case .unspecified, .emailAddress, .windowsDomainQualifiedName, .persistent, .transient: true
            case .x509SubjectName, .kerberos, .entity: false
            }
        }
    }

    /// The status of a response. (SAML 2.0 Core, section 3.2.2.2.)
    package enum StatusCode: String, Sendable {
        case success = "urn:oasis:names:tc:SAML:2.0:status:Success"
        case requester = "urn:oasis:names:tc:SAML:2.0:status:Requester"
        case responder = "urn:oasis:names:tc:SAML:2.0:status:Responder"
        case versionMismatch = "urn:oasis:names:tc:SAML:2.0:status:VersionMismatch"
        case authnFailed = "urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"
        case invalidAttrNameOrValue = "urn:oasis:names:tc:SAML:2.0:status:InvalidAttrNameOrValue"
        case invalidNameIDPolicy = "urn:oasis:names:tc:SAML:2.0:status:InvalidNameIDPolicy"
        case noAuthnContext = "urn:oasis:names:tc:SAML:2.0:status:NoAuthnContext"
        case noPassive = "urn:oasis:names:tc:SAML:2.0:status:NoPassive"
        case partialLogout = "urn:oasis:names:tc:SAML:2.0:status:PartialLogout"
        case requestDenied = "urn:oasis:names:tc:SAML:2.0:status:RequestDenied"
        case requestUnsupported = "urn:oasis:names:tc:SAML:2.0:status:RequestUnsupported"
        case requestVersionTooHigh = "urn:oasis:names:tc:SAML:2.0:status:RequestVersionTooHigh"
        case requestVersionTooLow = "urn:oasis:names:tc:SAML:2.0:status:RequestVersionTooLow"
        case unknownPrincipal = "urn:oasis:names:tc:SAML:2.0:status:UnknownPrincipal"
        case unsupportedBinding = "urn:oasis:names:tc:SAML:2.0:status:UnsupportedBinding"
    }

    /// How the subject was authenticated. (SAML 2.0 Authentication Context, section 3.4.)
    package enum AuthnContext: String, Sendable {
        case unspecified = "urn:oasis:names:tc:SAML:2.0:ac:classes:unspecified"
        case password = "urn:oasis:names:tc:SAML:2.0:ac:classes:Password"
        case passwordProtectedTransport = "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport"
    }

    /// The name format of an attribute. (SAML 2.0 Core, section 8.2.)
    package enum AttributeNameFormat: String, Sendable, Codable, CaseIterable {
        case unspecified = "urn:oasis:names:tc:SAML:2.0:attrname-format:unspecified"
        case uri = "urn:oasis:names:tc:SAML:2.0:attrname-format:uri"
        case basic = "urn:oasis:names:tc:SAML:2.0:attrname-format:basic"
    }
}
