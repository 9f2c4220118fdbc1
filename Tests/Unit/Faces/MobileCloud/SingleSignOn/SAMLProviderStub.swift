import Cryptography
import Federation
import Tokens
import WireFormats

@testable import MobileCloudFace

/// A stub of an external SAML identity provider, whose responses a test sets.
struct SAMLProviderStub {
    /// Made once, since generating keys is slow.
    static let key = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }
    static let otherKey = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }

    static let entityID = "https://saml.elsewhere.example/idp"
    static let signOn = "https://saml.elsewhere.example/sso"
    static let consumer = "http://localhost:4566/mobile/platform/sso/redirect/saml"
    static let audience = "http://localhost:4566/mobile/platform/sso/exchange-token"

    var issuer = Self.entityID
    var subject = "joe"
    var recipient = Self.consumer
    var destination: String? = Self.consumer
    var audience = Self.audience
    /// The `InResponseTo` of the response; by default the request's identifier.
    var answers: String?
    var method = SAML.bearer
    /// Seconds from now.
    var issued: Int64 = 0
    var notBefore: Int64 = 0
    var confirmedUntil: Int64 = 300
    var conditionsUntil: Int64 = 300
    var sessionUntil: Int64?
    var hasAuthentication = true
    var attributes: [String: String] = [:]

    /// The sign-on settings in the seed of a realm that logs in here.
    static func signOn(
        mapping: String = "uid", attribute: String? = nil, binding: SAML.Binding = .httpRedirect, wantsSigned: Bool = false,
        validUntil: String? = nil
    ) throws -> String {
        let certificate = try key.get().selfSignedCertificate(named: "elsewhere")?.base64 ?? ""
        let metadata = """
            <md:EntityDescriptor xmlns:md="\(SAML.metadata)" entityID="\(entityID)"\(validUntil.map { " validUntil=\"\($0)\"" } ?? "")>\
            <md:IDPSSODescriptor WantAuthnRequestsSigned="\(wantsSigned)" protocolSupportEnumeration="\(SAML.protocol)">\
            <md:KeyDescriptor use="signing"><KeyInfo xmlns="\(XMLSecurity.signature)"><X509Data><X509Certificate>\(certificate)\
            </X509Certificate></X509Data></KeyInfo></md:KeyDescriptor>\
            <md:SingleSignOnService Binding="\(binding.rawValue)" Location="\(signOn)"/></md:IDPSSODescriptor></md:EntityDescriptor>
            """
        let name = attribute.map { ", usernameAttribute: '\($0)'" } ?? ""
        return "{saml: {metadata: '\(metadata)', userMappingAttribute: '\(mapping)'\(name)}}"
    }

    /// The authentication request in a redirect.
    static func request(_ answer: MobileAnswer) throws -> SAMLRedirect {
        try SAMLRedirect(RawQuery(answer.location.drop { $0 != "?" }.dropFirst()), kind: .request, limit: 1 << 16)
    }

    private static func element(_ name: String, _ attributes: [(String, String)] = [], _ content: [XMLElement] = []) -> XMLElement {
        var element = XMLElement("saml:" + name, in: SAML.assertion, content.map(XMLElement.Node.element))
        element.attributes = attributes.map { .init(name: $0.0, namespace: "", value: $0.1) }
        return element
    }

    private static func text(_ name: String, _ text: String) -> XMLElement { XMLElement("saml:" + name, in: SAML.assertion, text: text) }

    private func assertion(answering request: String, now: Timestamp) -> XMLElement {
        func moment(_ seconds: Int64) -> String { Timestamp(seconds: now.seconds + seconds).iso8601 }
        let data = Self.element(
            "SubjectConfirmationData",
            [("InResponseTo", answers ?? request), ("NotOnOrAfter", moment(confirmedUntil)), ("Recipient", recipient)])
        var parts = [
            Self.text("Issuer", issuer),
            Self.element("Subject", [], [Self.text("NameID", subject), Self.element("SubjectConfirmation", [("Method", method)], [data])]),
            Self.element(
                "Conditions", [("NotBefore", moment(notBefore)), ("NotOnOrAfter", moment(conditionsUntil))],
                [Self.element("AudienceRestriction", [], [Self.text("Audience", audience)])]),
        ]
        if hasAuthentication {
            let end = sessionUntil.map { [("SessionNotOnOrAfter", moment($0))] } ?? []
            parts.append(Self.element("AuthnStatement", [("AuthnInstant", moment(-60))] + end))
        }
        let attributes = attributes.map { Self.element("Attribute", [("Name", $0.key)], [Self.text("AttributeValue", $0.value)]) }
        if !attributes.isEmpty { parts.append(Self.element("AttributeStatement", [], attributes)) }
        return Self.element("Assertion", [("ID", "_a1"), ("IssueInstant", moment(issued)), ("Version", "2.0")], parts)
    }

    private func envelope(_ content: [XMLElement], answering request: String, now: Timestamp) -> XMLElement {
        var response = XMLElement(
            "samlp:Response", in: SAML.protocol,
            attributes: ["ID": "_r1", "InResponseTo": answers ?? request, "IssueInstant": now.iso8601, "Version": "2.0"],
            ([Self.text("Issuer", issuer)] + content).map(XMLElement.Node.element))
        if let destination { response.attributes.append(.init(name: "Destination", namespace: "", value: destination)) }
        return response
    }

    /// How the assertion is put into the response.
    enum Wrapping {
        case signed, unsigned, signedByOther
        case encrypted(certificate: String)
    }

    /// The form that a browser posts after the redirect that sent it here.
    func form(for redirect: MobileAnswer, _ wrapping: Wrapping = .signed) throws -> FormFields {
        let message = try Self.request(redirect)
        let request = try XMLElement(parsing: message.message)
        let now = Timestamp.now()
        var assertion = assertion(answering: request.attribute("ID") ?? "", now: now)
        switch wrapping {
        case .unsigned: break
        case .signed: assertion = try Self.sign(assertion, Self.key)
        case .signedByOther: assertion = try Self.sign(assertion, Self.otherKey)
        case .encrypted(let certificate):
            let bytes = [UInt8](base64: certificate) ?? []
            guard let key = try X509Certificate(der: bytes).rsaKey else { throw CryptographyError.invalidKey }
            let encrypted = try XMLEncryptor(recipient: key, certificate: bytes).encrypt(Self.sign(assertion, Self.key))
            assertion = XMLElement("saml:EncryptedAssertion", in: SAML.assertion, [.element(encrypted)])
        }
        let response = envelope([SAMLStatus.success.element, assertion], answering: request.attribute("ID") ?? "", now: now)
        return fields(response, message)
    }

    /// The form with an error status.
    func form(for redirect: MobileAnswer, status: SAMLStatus) throws -> FormFields {
        let message = try Self.request(redirect)
        let id = try XMLElement(parsing: message.message).attribute("ID") ?? ""
        return fields(envelope([status.element], answering: id, now: Timestamp.now()), message)
    }

    private func fields(_ response: XMLElement, _ message: SAMLRedirect) -> FormFields {
        ["SAMLResponse": response.serialized().base64, "RelayState": message.relayState ?? ""]
    }

    private static func sign(_ element: XMLElement, _ key: Result<SigningKey, any Error>) throws -> XMLElement {
        guard let signer = XMLSigner(key: try key.get()) else { throw CryptographyError.invalidKey }
        return try signer.sign(element)
    }
}
