import Cloud
import Cryptography
import Federation
import Fixtures
import Seeds
import Testing
import Tokens
import WireFormats

@testable import IdentityProviders

/// An identity provider with two service providers, the key of one of them, and a user with a browser.
struct ServiceProviderFixture {
    let cloud: Cloud
    let visitor: Visitor
    let key: SigningKey

    /// One key for all tests, because generating one is slow.
    private static let ownKey = Result { try SigningKey.generate(created: .now()) }

    static let entityID = "urn:example:app"
    static let otherID = "urn:example:other"
    static let acs = "http://localhost:8765/acs"
    static let query = "http://localhost:8765/query"
    static let slo = "http://localhost:8765/slo"
    static let otherACS = "http://localhost:8766/acs"
    static let otherSLO = "http://localhost:8766/slo"
    static let issuer = "\(Visitor.origin)/idp/company/saml/metadata"

    /// - Parameters:
    ///   - - decisions: Further members of the first service provider in the seed.
    ///   - - settings: Further members of the identity provider in the seed.
    init(_ decisions: String = "", settings: String = "", registersKey: Bool = true) async throws {
        key = try Self.ownKey.get()
        let certificate = try #require(try key.selfSignedCertificate(named: "app")).base64
        let text = """
            {identityProviders: [
              {name: "company", issuer: "https://login.company.example",
               people: [
                 {name: "alice", subject: "1", password: "p", claims: {email: "alice@company.example", given_name: "Alice", teams: ["red", "blue"],
                  tags: {department: "engineering", floors: ["1", "2"]}}},
                 {name: "bob", subject: "2", password: "p"}],
               saml: {\(settings) serviceProviders: [
                 {entityID: "\(Self.entityID)", name: "The Application", \(decisions)
                  \(registersKey ? "signingCertificates: ['\(certificate)']," : "")
                  assertionConsumerServices: ["\(Self.acs)", {location: "\(Self.query)", binding: "redirect", index: 5}],
                  singleLogoutServices: [{location: "\(Self.slo)"}, {location: "\(Self.slo)", binding: "post"}]},
                 {entityID: "\(Self.otherID)", name: "Another", assertionConsumerServices: ["\(Self.otherACS)"],
                  singleLogoutServices: [{location: "\(Self.otherSLO)", responseLocation: "\(Self.otherSLO)/answers"}]}]}}]}
            """
        let seed = try SeedFile(name: "test", text: Array(text.utf8)).decode()
        cloud = try await Cloud.openForTest(seeds: [seed])
        visitor = Visitor(cloud)
    }

    /// An authentication request.
    func request(
        id: String = "_1", issuer: String = Self.entityID, attributes: [String: String] = [:], _ content: [XMLElement] = []
    ) -> XMLElement {
        message("AuthnRequest", to: "/saml/sso", id: id, issuer: issuer, attributes: attributes, content)
    }

    func message(
        _ name: String, to path: String, id: String, issuer: String, attributes: [String: String] = [:], _ content: [XMLElement]
    ) -> XMLElement {
        var element = XMLElement(
            "samlp:\(name)", in: SAML.protocol, attributes: ["ID": id],
            [.element(XMLElement("saml:Issuer", in: SAML.assertion, text: issuer))] + content.map(XMLElement.Node.element))
        let usual = [
            "Version": "2.0", "IssueInstant": Timestamp.now().iso8601, "Destination": "\(Visitor.origin)/idp/company\(path)",
        ]
        for (name, value) in usual.merging(attributes, uniquingKeysWith: { $1 }).sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            element.attributes.append(.init(name: name, namespace: "", value: value))
        }
        return element
    }

    /// Sends a message in the query of a redirect.
    func send(_ message: XMLElement, to path: String = "saml/sso", relayState: String? = nil, isSigned: Bool = true) async throws -> Answer
    {
        let kind: SAMLRedirect.Kind = message.name.hasSuffix("Response") ? .response : .request
        let query = try SAMLRedirect.query(kind, message, relayState: relayState, key: isSigned ? XMLSigningKey(key) : nil)
        return try await visitor.get("company/\(path)?\(query)")
    }

    /// Sends a message in a form.
    func post(_ message: XMLElement, to path: String = "saml/sso", isSigned: Bool = true) async throws -> Answer {
        let signed = isSigned ? try #require(XMLSigner(key: key)).sign(message) : message
        let name = message.name.hasSuffix("Response") ? "SAMLResponse" : "SAMLRequest"
        return try await visitor.post("company/\(path)", [name: signed.serialized().base64])
    }

    /// Sends a request and logs the user in if there is a login page. Returns the last response.
    func signOn(_ message: XMLElement, as person: String = "alice", relayState: String? = nil) async throws -> Answer {
        try await signIn(on: try await send(message, relayState: relayState), as: person)
    }

    func signIn(on page: Answer, as person: String = "alice") async throws -> Answer {
        page.isLogin ? try await visitor.press("person", person, on: page) : page
    }

    /// The verifier of our signatures.
    func verifier(allowingSHA1: Bool = false) async throws -> XMLSignatureVerifier {
        XMLSignatureVerifier(keys: [try await cloud.signingKey(for: "company").verificationKey], allowingSHA1: allowingSHA1)
    }

    /// Returns the verified assertion of a response.
    func assertion(in answer: Answer) async throws -> XMLElement {
        let response = try #require(answer.message)
        let assertion = try #require(response.child("Assertion", in: SAML.assertion))
        return try await verifier().verify(assertion, within: [response])
    }
}

extension Answer {
    /// The value of a hidden field.
    func hidden(_ name: String) -> String? {
        guard let range = body.firstRange(of: "name=\"\(name)\" value=\"") else { return nil }
        let text = String(body[range.upperBound...].prefix { $0 != "\"" })
        return text.replacing("&amp;", with: "&").replacing("&#39;", with: "'").replacing("&quot;", with: "\"")
    }

    var destination: String {
        guard let range = body.firstRange(of: "action=\"") else { return "" }
        return String(body[range.upperBound...].prefix { $0 != "\"" })
    }

    /// The message that the browser is to deliver, in a form or in a redirect.
    var message: XMLElement? {
        if let text = hidden("SAMLResponse") ?? hidden("SAMLRequest") {
            return [UInt8](base64: text).flatMap { try? XMLElement(parsing: $0) }
        }
        let text = redirected["SAMLResponse"] ?? redirected["SAMLRequest"] ?? ""
        return [UInt8](base64: text)?.inflated(upTo: 1 << 16).flatMap { try? XMLElement(parsing: $0) }
    }

    /// The status codes of a response, from the outermost inwards.
    var statusCodes: [String] {
        var codes: [String] = []
        var element = message?.child("Status", in: SAML.protocol)
        while let code = element?.child("StatusCode", in: SAML.protocol) {
            codes.append(code.attribute("Value")?.split(separator: ":").last.map(String.init) ?? "")
            element = code
        }
        return codes
    }
}
