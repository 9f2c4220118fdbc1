import Cloud
import Cryptography
import Directory
import HTTPTypes
import Tokens
import WireFormats

@testable import MobileCloudFace

/// An assertion of an external SAML identity provider about alice, and the token that an app makes of it.
struct ForeignAssertion {
    static let issuer = "https://saml.company.example/idp"

    var issuer: String? = Self.issuer
    var now: Timestamp
    var subject: String? = "alice"
    var method = SAML.bearer
    /// Seconds from now.
    var confirmedUntil: Int64? = 300
    var notBefore: Int64 = 0
    var conditionsUntil: Int64? = 300
    var audiences: [[String]] = [[MobileSandbox.origin + "/mobile/platform/sso/exchange-token"]]
    var attributes: [(name: String, values: [String])] = [("roles", ["Technician"])]

    init(_ cloud: Cloud) { now = cloud.clock.now }

    private func moment(_ seconds: Int64) -> String { Timestamp(seconds: now.seconds + seconds).iso8601 }

    private func element(_ name: String, _ attributes: [(String, String?)] = [], _ content: [XMLElement] = [], text: String? = nil)
        -> XMLElement
    {
        var element = XMLElement("saml:" + name, in: SAML.assertion, content.map(XMLElement.Node.element))
        element.attributes = attributes.compactMap { name, value in value.map { .init(name: name, namespace: "", value: $0) } }
        if let text, !text.isEmpty { element.content = [.text(text)] }
        return element
    }

    /// The assertion without a signature.
    var element: XMLElement {
        var parts: [XMLElement] = []
        if let issuer { parts.append(element("Issuer", text: issuer)) }
        let data = element(
            "SubjectConfirmationData",
            [("NotOnOrAfter", confirmedUntil.map(moment)), ("Recipient", "http://app.example/mobile/platform/sso/redirect")])
        let confirmation = element("SubjectConfirmation", [("Method", method)], [data])
        parts.append(element("Subject", [], (subject.map { [element("NameID", text: $0)] } ?? []) + [confirmation]))
        parts.append(
            element(
                "Conditions", [("NotBefore", moment(notBefore)), ("NotOnOrAfter", conditionsUntil.map(moment))],
                audiences.map { element("AudienceRestriction", [], $0.map { element("Audience", text: $0) }) }))
        parts.append(element("AuthnStatement", [("AuthnInstant", moment(-60))]))
        parts.append(
            element(
                "AttributeStatement", [],
                attributes.map { attribute in
                    element("Attribute", [("Name", attribute.name)], attribute.values.map { element("AttributeValue", text: $0) })
                }))
        return element("Assertion", [("ID", "_a1"), ("Version", "2.0"), ("IssueInstant", now.iso8601)], parts)
    }

    func signed(with key: Result<SigningKey, any Error> = ForeignIssuer.key) throws -> XMLElement {
        guard let signer = XMLSigner(key: try key.get()) else { throw CryptographyError.invalidKey }
        return try signer.sign(element)
    }

    /// The token in the form in which an app sends it.
    func token(with key: Result<SigningKey, any Error> = ForeignIssuer.key) throws -> String {
        Self.compressed(try signed(with: key).serialized()).base64
    }

    /// Returns bytes as a single member of gzip (RFC 1952).
    static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var check = CRC32()
        bytes.withUnsafeBytes { check.update($0) }
        let numbers = [check.value, UInt32(truncatingIfNeeded: bytes.count)]
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + bytes.deflated
            + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }
}

extension MobileSandbox {
    /// Runs a test in a mobile cloud with a token issuer and its certificate.
    /// - Parameters:
    ///   - - rules: Further members of the issuer in the configuration.
    ///   - - policies: The environment's policies.
    static func runWithAssertions(
        _ rules: String = "virtualUserEnabled: true, roleAttributes: ['roles']", name: String = ForeignAssertion.issuer,
        policies: String = "", others: String = "accounts: []", _ test: (MobileSandbox) async throws -> Void
    ) async throws {
        let certificate = try ForeignIssuer.key.get().selfSignedCertificate(named: "company")?.base64 ?? ""
        let mobile = """
            roles: ['Technician', 'Manager', 'Guest', 'Staff'],
            realms: [{name: 'Default', users: [{username: 'alice', email: 'alice@company.example', roles: ['Manager']}]},
              {name: 'Partners'}],
            backends: [{name: 'app'}, {name: 'other'}, {name: 'partners', realm: 'Partners(1.0)'}, {name: 'basic', oauth: false},
              {name: 'consumer', basic: false}, {name: 'social', facebook: {appID: '1', appSecret: 's'}}],
            certificates: [{alias: 'company', pem: '-----BEGIN CERTIFICATE-----\\n\(certificate)\\n-----END CERTIFICATE-----'}],
            samlIssuers: [{name: '\(name)', certificateSubjectNames: ['CN=company'], \(rules)}],
            policies: {\(policies)}
            """
        try await run(mobile, others: others, test)
    }

    /// Exchanges a token as the SDK does.
    func exchangeAssertion(
        _ token: String, backend: String = "app", query: String = "", authority: String = "localhost:4566"
    ) async throws -> MobileAnswer {
        try await send(
            .get, "/mobile/platform/sso/exchange-token\(query)",
            fields: [.authorization: "Bearer \(token)", .backendID: try self.backend(backend).id], authority: authority)
    }
}
