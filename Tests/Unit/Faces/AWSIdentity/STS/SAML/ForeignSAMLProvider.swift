import Cloud
import Cryptography
import Directory
import Federation
import Tokens
import WireFormats

/// An external SAML identity provider, whose statements a test sets.
struct ForeignSAMLProvider {
    /// Made once, since generating keys is slow.
    static let key = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }
    static let otherKey = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }

    static let entityID = "https://saml.company.example/idp"
    static let attribute = "https://aws.amazon.com/SAML/Attributes/"

    var issuer = Self.entityID
    var now: Timestamp
    var subject: [XMLElement.Node] = [.text("alice@company.example")]
    var format: String? = SAML.NameIDFormat.persistent.rawValue
    var recipient: String? = "https://signin.aws.amazon.com/saml"
    /// Seconds from now.
    var confirmedUntil: Int64? = 300
    var conditionsUntil: Int64? = 300
    var sessionUntil: Int64?
    var hasConditions = true
    var hasAuthentication = true
    var attributes: [(name: String, values: [String])]
    var id = "_a1"

    /// An assertion for a role of the account.
    init(_ sts: STSSandbox, role: String = "staff", more: [(name: String, values: [String])] = []) {
        now = sts.cloud.clock.now
        attributes =
            [
                (Self.attribute + "Role", ["\(STSSandbox.arn(role)),\(Self.trustARN)"]),
                (Self.attribute + "RoleSessionName", ["alice"]),
            ] + more
    }

    static let trustARN = "arn:aws:iam::\(STSSandbox.account):saml-provider/company"

    static func metadata(_ key: SigningKey) throws -> String {
        let certificate = try key.selfSignedCertificate(named: "company")?.base64 ?? ""
        return """
            <md:EntityDescriptor xmlns:md="\(SAML.metadata)" entityID="\(entityID)"><md:IDPSSODescriptor \
            protocolSupportEnumeration="\(SAML.protocol)"><md:KeyDescriptor use="signing"><KeyInfo xmlns="\(XMLSecurity.signature)">\
            <X509Data><X509Certificate>\(certificate)</X509Certificate></X509Data></KeyInfo></md:KeyDescriptor>\
            <md:SingleSignOnService Binding="\(SAML.Binding.httpPOST.rawValue)" Location="\(entityID)/sso"/></md:IDPSSODescriptor>\
            </md:EntityDescriptor>
            """
    }

    private func moment(_ seconds: Int64) -> String { Timestamp(seconds: now.seconds + seconds).iso8601 }

    static func element(_ name: String, _ attributes: [(String, String?)] = [], _ content: [XMLElement] = []) -> XMLElement {
        var element = XMLElement("saml:" + name, in: SAML.assertion, content.map(XMLElement.Node.element))
        element.attributes = attributes.compactMap { name, value in value.map { .init(name: name, namespace: "", value: $0) } }
        return element
    }

    /// The assertion without a signature.
    var assertion: XMLElement {
        var nameID = Self.element("NameID", [("Format", format)])
        nameID.content = subject
        let data = Self.element(
            "SubjectConfirmationData", [("NotOnOrAfter", confirmedUntil.map(moment)), ("Recipient", recipient)])
        var audience = Self.element("Audience")
        audience.content = [.text("urn:somebody:else")]
        var parts = [
            Self.issuerElement(issuer),
            Self.element("Subject", [], [nameID, Self.element("SubjectConfirmation", [("Method", SAML.bearer)], [data])]),
        ]
        if hasConditions {
            parts.append(
                Self.element(
                    "Conditions", [("NotBefore", moment(3600)), ("NotOnOrAfter", conditionsUntil.map(moment))],
                    [Self.element("AudienceRestriction", [], [audience])]))
        }
        if hasAuthentication {
            parts.append(
                Self.element("AuthnStatement", [("AuthnInstant", moment(-60)), ("SessionNotOnOrAfter", sessionUntil.map(moment))]))
        }
        parts.append(
            Self.element(
                "AttributeStatement", [],
                attributes.map { attribute in
                    Self.element(
                        "Attribute", [("Name", attribute.name)],
                        attribute.values.map { value in
                            var element = Self.element("AttributeValue")
                            element.content = [.text(value)]
                            return element
                        })
                }))
        return Self.element("Assertion", [("ID", id), ("Version", "2.0"), ("IssueInstant", now.iso8601)], parts)
    }

    static func issuerElement(_ name: String) -> XMLElement { XMLElement("saml:Issuer", in: SAML.assertion, text: name) }

    /// Returns a response with assertions or other content.
    func response(_ content: [XMLElement], id: String = "_r1", status: SAML.StatusCode = .success) -> XMLElement {
        let status = XMLElement(
            "samlp:Status", in: SAML.protocol,
            [.element(XMLElement("samlp:StatusCode", in: SAML.protocol, attributes: ["Value": status.rawValue]))])
        return XMLElement(
            "samlp:Response", in: SAML.protocol, attributes: ["ID": id, "Version": "2.0", "IssueInstant": now.iso8601],
            ([Self.issuerElement(issuer), status] + content).map(XMLElement.Node.element))
    }

    static func sign(_ element: XMLElement, with key: Result<SigningKey, any Error> = Self.key) throws -> XMLElement {
        let key = try key.get()
        guard let signer = XMLSigner(key: key, certificate: try key.selfSignedCertificate(named: "company")) else {
            throw CryptographyError.invalidKey
        }
        return try signer.sign(element)
    }

    /// Returns the response that a browser would post, with the signed assertion.
    func signed(with key: Result<SigningKey, any Error> = Self.key) throws -> String {
        try response([Self.sign(assertion, with: key)]).serialized().base64
    }
}

extension STSSandbox {
    static let samlSeed = """
        {accounts: [
          {id: "000000000000", name: "virga", rootKeys: [{id: "test", secret: "test"}],
           roles: [
             \(samlRole("staff", "'sts:AssumeRoleWithSAML'")),
             \(samlRole("long", "'sts:AssumeRoleWithSAML'", "{}", ", maximumSessionDuration: 43200")),
             \(samlRole("tagged", "['sts:AssumeRoleWithSAML', 'sts:TagSession', 'sts:SetSourceIdentity']")),
             \(samlRole("by-keys", "'sts:AssumeRoleWithSAML'", """
                {StringEquals: {'saml:aud': 'https://signin.aws.amazon.com/saml', 'saml:iss': 'https://saml.company.example/idp',
                 'saml:sub': 'alice@company.example', 'saml:sub_type': 'persistent', 'saml:doc': '000000000000/company',
                 'saml:eduPersonPrincipalName': 'alice', 'sts:RoleSessionName': 'alice'},
                 'ForAnyValue:StringEquals': {'saml:eduPersonAffiliation': 'staff'}}
                """)),
             \(samlRole("elsewhere", "'sts:AssumeRoleWithSAML'", "{StringEquals: {'saml:aud': 'https://elsewhere.example'}}"))]}]}
        """

    private static func samlRole(_ name: String, _ action: String, _ condition: String = "{}", _ more: String = "") -> String {
        "{name: '\(name)', trustPolicy: {Version: '2012-10-17', Statement: [{Effect: 'Allow', Principal: {Federated: "
            + "'\(ForeignSAMLProvider.trustARN)'}, Action: \(action), Condition: \(condition)}]}\(more)}"
    }

    /// Runs a test in a sandbox that trusts the provider.
    static func runWithSAML(
        _ change: @escaping @Sendable (inout SAMLTrust) -> Void = { _ in }, _ test: (STSSandbox) async throws -> Void
    ) async throws {
        try await run(seed: samlSeed) { sts async throws in
            let metadata = try ForeignSAMLProvider.metadata(ForeignSAMLProvider.key.get())
            try await sts.trust(metadata, change)
            try await test(sts)
        }
    }

    func trust(_ metadata: String, _ change: @escaping @Sendable (inout SAMLTrust) -> Void = { _ in }) async throws {
        let created = cloud.clock.now
        try await cloud.edit { directory in
            var trust = SAMLTrust(account: Self.account, name: "company", metadata: metadata, created: created)
            change(&trust)
            directory.put(.samlTrust(trust))
        }
    }

    /// Calls `AssumeRoleWithSAML`; `more` replaces parameters or adds them.
    func assumeWithSAML(_ role: String, _ assertion: String, _ more: FormFields = [:]) async throws -> STSAnswer {
        var form: FormFields = [
            "Action": "AssumeRoleWithSAML", "Version": "2011-06-15", "RoleArn": Self.arn(role),
            "PrincipalArn": ForeignSAMLProvider.trustARN, "SAMLAssertion": assertion,
        ]
        for field in more.fields {
            form.fields.removeAll { $0.name == field.name }
            form.fields.append(field)
        }
        return try await post(form)
    }

    /// Calls `AssumeRoleWithSAML` with the role that most tests use.
    func assumeWithSAML(_ assertion: String, _ more: FormFields = [:]) async throws -> STSAnswer {
        try await assumeWithSAML("staff", assertion, more)
    }
}
