import Cloud
import Cryptography
import Federation
import Fixtures
import HTTPTypes
import Policy
import Seeds
import Testing
import Tokens
import WireFormats

@testable import IdentityProviders

@Suite("SAML sign-on")
struct SignOnTests {
    private typealias Fixture = ServiceProviderFixture

    @Test("an assertion contains the user, the audience, the authentication context and the times")
    func assertion() async throws {
        let app = try await Fixture()
        let answer = try await app.signOn(app.request(id: "_abc"), relayState: "here & \"there\"")
        #expect(answer.status == 200)
        #expect(answer.destination == Fixture.acs)
        #expect(answer.hidden("RelayState") == "here & \"there\"")
        #expect(answer.headers[.contentSecurityPolicy]?.contains("script-src 'sha256-") == true)
        let response = try #require(answer.message)
        #expect(answer.statusCodes == ["Success"])
        #expect(response.attribute("InResponseTo") == "_abc")
        #expect(response.attribute("Destination") == Fixture.acs)
        #expect(response.child("Issuer", in: SAML.assertion)?.text == Fixture.issuer)

        let assertion = try await app.assertion(in: answer)
        let subject = try #require(assertion.child("Subject", in: SAML.assertion))
        #expect(subject.child("NameID")?.text == "alice")
        #expect(subject.child("NameID")?.attribute("Format") == SAML.NameIDFormat.unspecified.rawValue)
        let confirmation = try #require(subject.child("SubjectConfirmation"))
        #expect(confirmation.attribute("Method") == SAML.bearer)
        let data = try #require(confirmation.child("SubjectConfirmationData"))
        #expect(data.attribute("Recipient") == Fixture.acs)
        #expect(data.attribute("InResponseTo") == "_abc")
        #expect(data.attribute("NotBefore") == nil, "it must not be there (Profiles, section 4.1.4.2)")
        let conditions = try #require(assertion.child("Conditions"))
        #expect(conditions.child("AudienceRestriction")?.child("Audience")?.text == Fixture.entityID)
        let issued = try #require(assertion.attribute("IssueInstant").flatMap { Timestamp(iso8601: $0) })
        #expect(conditions.attribute("NotOnOrAfter") == (issued + .seconds(300)).iso8601)
        #expect(data.attribute("NotOnOrAfter") == conditions.attribute("NotOnOrAfter"))
        let statement = try #require(assertion.child("AuthnStatement"))
        #expect(statement.attribute("SessionIndex")?.isEmpty == false)
        let login = try #require(statement.attribute("AuthnInstant").flatMap { Timestamp(iso8601: $0) })
        #expect(statement.attribute("SessionNotOnOrAfter") == (login + .seconds(86_400)).iso8601)
        #expect(
            statement.child("AuthnContext")?.child("AuthnContextClassRef")?.text == SAML.AuthnContext.passwordProtectedTransport.rawValue)
        #expect(answer.entry.caller == "alice")
        #expect(answer.entry.errorCode == nil)
    }

    @Test("attributes come from claims: lists, objects of tags, fixed values")
    func attributes() async throws {
        let app = try await Fixture(
            """
            attributes: [{name: "urn:example:teams", claim: "teams", friendlyName: "teams"}, {name: "kind", values: ["a<b"]},
              {name: "urn:example:PrincipalTag:*", claim: "tags"}, {name: "none", claim: "nothing"},
              {name: "urn:example:Tag:*", claim: "email"}, {name: "id", claim: "sub"}],
            """)
        let assertion = try await app.assertion(in: try await app.signOn(app.request()))
        let attributes = try #require(assertion.child("AttributeStatement")).children(named: "Attribute")
        #expect(
            attributes.map { $0.attribute("Name") } == [
                "urn:example:teams", "kind", "urn:example:PrincipalTag:department", "urn:example:PrincipalTag:floors", "id",
            ])
        #expect(
            attributes.map { $0.children(named: "AttributeValue").map(\.text) } == [
                ["red", "blue"], ["a<b"], ["engineering"], ["1", "2"], ["1"],
            ])
        #expect(attributes[0].attribute("FriendlyName") == "teams")
        #expect(attributes[0].attribute("NameFormat")?.hasSuffix(":uri") == true)
        #expect(attributes[1].attribute("NameFormat")?.hasSuffix(":basic") == true)
    }

    @Test(
        "the configured parts are signed", arguments: [["assertion"], ["response"], ["assertion", "response"], []])
    func signedParts(parts: [String]) async throws {
        let app = try await Fixture("signs: [\(parts.map { "\"\($0)\"" }.joined(separator: ","))],")
        let response = try #require(try await app.signOn(app.request()).message)
        let assertion = try #require(response.child("Assertion"))
        let verifier = try await app.verifier()
        let isResponseGood = (try? verifier.verify(response)) != nil
        let isAssertionGood = (try? verifier.verify(assertion, within: [response])) != nil
        #expect(isResponseGood == parts.contains("response"))
        #expect(isAssertionGood == parts.contains("assertion"))
        #expect((assertion.child("Signature") != nil) == parts.contains("assertion"))
    }

    @Test("the configured digests are used", arguments: ["sha1", "sha256", "sha384", "sha512"])
    func digests(hash: String) async throws {
        let app = try await Fixture("signatureHash: \"\(hash)\", signs: [\"assertion\", \"response\"],")
        let response = try #require(try await app.signOn(app.request()).message)
        let method = response.child("Signature")?.child("SignedInfo")?.child("SignatureMethod")?.attribute("Algorithm")
        #expect(method?.hasSuffix("#rsa-\(hash)") == true)
        _ = try await app.verifier(allowingSHA1: hash == "sha1").verify(response)
    }

    @Test("an encrypted assertion can only be decrypted with the service provider's key", arguments: ["rsa-oaep-mgf1p", "rsa-oaep"])
    func encryption(transport: String) async throws {
        let key = try RSAPrivateKey.generate()
        let pem = try key.selfSignedCertificate(named: "app").replacing("\n", with: "\\n")
        let app = try await Fixture("encryption: {certificate: \"\(pem)\", keyTransport: \"\(transport)\", content: \"aes192-gcm\"},")
        let response = try #require(try await app.signOn(app.request()).message)
        #expect(response.child("Assertion") == nil)
        let encrypted = try #require(response.child("EncryptedAssertion", in: SAML.assertion))
        let assertion = try XMLDecryptor(keys: [key]).decrypt(encrypted)
        #expect(try await app.verifier().verify(assertion).child("Subject")?.child("NameID")?.text == "alice")
    }

    @Test("a response in the query is deflated, and the query is signed instead of the message")
    func query() async throws {
        let app = try await Fixture("signs: [\"assertion\", \"response\"],")
        let answer = try await app.signOn(app.request(attributes: ["AssertionConsumerServiceIndex": "5"]), relayState: "a b&c")
        #expect(answer.status == 302)
        #expect(answer.location.hasPrefix("\(Fixture.query)?SAMLResponse="))
        let text = answer.location.dropFirst(Fixture.query.count + 1)
        let redirect = try SAMLRedirect(RawQuery(text), kind: .response, limit: 1 << 16)
        try redirect.verify(with: [try await app.cloud.signingKey(for: "company").verificationKey])
        #expect(redirect.relayState == "a b&c")
        #expect(answer.message?.child("Signature") == nil)
        #expect(answer.message?.child("Assertion")?.child("Signature") != nil)
    }

    @Test("a NameID has the requested format, or the first that the service provider accepts")
    func names() async throws {
        let app = try await Fixture()
        func name(_ format: SAML.NameIDFormat?, _ person: String = "alice") async throws -> XMLElement? {
            let policy = XMLElement("samlp:NameIDPolicy", in: SAML.protocol, attributes: ["Format": format?.rawValue ?? ""])
            let other = Fixture(app.cloud, Visitor(app.cloud), app.key)
            let answer = try await other.signOn(app.request(format == nil ? [] : [policy]), as: person)
            return answer.message?.child("Assertion")?.child("Subject")?.child("NameID")
        }
        #expect(try await name(.emailAddress)?.text == "alice@company.example")
        let first = try #require(try await name(.persistent))
        #expect(try await name(.persistent)?.text == first.text)
        #expect(try await name(.persistent, "bob")?.text != first.text)
        #expect(first.attribute("NameQualifier") == Fixture.issuer)
        #expect(first.attribute("SPNameQualifier") == Fixture.entityID)
        #expect(!first.text.contains("alice"))
        #expect(first.text.utf8.count <= 256)
        let passing = [try await name(.transient)?.text, try await name(.transient)?.text]
        #expect(passing[0] != nil)
        #expect(passing[0] != passing[1])
        #expect(try await name(.emailAddress, "bob") == nil, "bob has no address")

        let picky = try await Fixture("nameIDFormats: [\"emailAddress\", \"transient\"],")
        #expect(
            try await picky.assertion(in: picky.signOn(picky.request())).child("Subject")?.child("NameID")?.text == "alice@company.example")
        let persistent = XMLElement(
            "samlp:NameIDPolicy", in: SAML.protocol, attributes: ["Format": SAML.NameIDFormat.persistent.rawValue])
        #expect(try await picky.send(picky.request([persistent])).statusCodes == ["Requester", "InvalidNameIDPolicy"])
        // The accepted format "unspecified" allows any (Core, section 8.3.1).
        let open = try await Fixture("nameIDFormats: [\"unspecified\"],")
        let name = try await open.assertion(in: open.signOn(open.request([persistent]))).child("Subject")?.child("NameID")
        #expect(name?.attribute("Format") == SAML.NameIDFormat.persistent.rawValue)
    }

    @Test(
        "a request that cannot be satisfied returns an error status",
        arguments: [
            (["IsPassive": "true"], ["Responder", "NoPassive"]), (["Version": "1.1"], ["VersionMismatch", "RequestVersionTooLow"]),
            (["Version": "3.0"], ["VersionMismatch", "RequestVersionTooHigh"]), (["ForceAuthn": "perhaps"], ["Requester"]),
            (["IsPassive": "1", "ForceAuthn": "1"], ["Responder", "NoPassive"]),
        ])
    func refusals(attributes: [String: String], codes: [String]) async throws {
        let app = try await Fixture()
        let answer = try await app.send(app.request(id: "_q", attributes: attributes), relayState: "r")
        #expect(answer.statusCodes == codes)
        #expect(answer.destination == Fixture.acs)
        #expect(answer.hidden("RelayState") == "r")
        #expect(answer.message?.attribute("InResponseTo") == "_q")
        #expect(answer.message?.child("Assertion") == nil)
        #expect(answer.entry.errorCode == codes.last)
    }

    @Test("a requested subject must be the user who logs in")
    func subject() async throws {
        let app = try await Fixture()
        func subject(_ name: String, confirmed: Bool = false) -> XMLElement {
            var content = [XMLElement("saml:NameID", in: SAML.assertion, text: name)]
            if confirmed { content.append(XMLElement("saml:SubjectConfirmation", in: SAML.assertion, attributes: ["Method": SAML.bearer])) }
            return XMLElement("saml:Subject", in: SAML.assertion, content.map(XMLElement.Node.element))
        }
        let page = try await app.send(app.request([subject("bob")]))
        #expect(page.body.contains("name=\"username\" value=\"bob\""))
        #expect(try await app.signIn(on: page, as: "alice").statusCodes == ["Responder", "UnknownPrincipal"])
        #expect(try await app.signOn(app.request([subject("alice")])).statusCodes == ["Success"])
        #expect(try await app.send(app.request([subject("alice", confirmed: true)])).statusCodes == ["Requester", "RequestUnsupported"])
    }

    @Test("a denial by the user returns a status")
    func cancel() async throws {
        let app = try await Fixture()
        let answer = try await app.visitor.press("action", "deny", on: try await app.send(app.request()))
        #expect(answer.statusCodes == ["Responder", "AuthnFailed"])
        #expect(answer.destination == Fixture.acs)
    }

    @Test("a request whose sender cannot be answered shows a page", arguments: wrongRequests)
    func faults(fault: Fault) async throws {
        let app = try await Fixture(settings: fault.settings)
        let answer = try await fault.send(app)
        #expect(answer.status == 400)
        #expect(answer.entry.errorCode == fault.code)
        #expect(answer.headers[.location] == nil)
        #expect(answer.hidden("SAMLResponse") == nil)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: String
        var settings = ""
        var send: @Sendable (ServiceProviderFixture) async throws -> Answer

        init(
            _ name: String, _ code: String, settings: String = "",
            _ send: @escaping @Sendable (ServiceProviderFixture) async throws -> Answer
        ) {
            testDescription = name
            self.code = code
            self.settings = settings
            self.send = send
        }
    }

    static let wrongRequests = [
        Fault("unknown issuer", "unknown_service_provider") { app async throws in
            try await app.send(app.request(issuer: "urn:example:nobody"))
        },
        Fault("foreign endpoint", "invalid_request") { app async throws in
            try await app.send(app.request(attributes: ["AssertionConsumerServiceURL": "https://evil.example/acs"]))
        },
        Fault("endpoint of another service provider", "invalid_request") { app async throws in
            try await app.send(app.request(attributes: ["AssertionConsumerServiceURL": ServiceProviderFixture.otherACS]))
        },
        Fault("endpoint with another end", "invalid_request") { app async throws in
            try await app.send(app.request(attributes: ["AssertionConsumerServiceURL": ServiceProviderFixture.acs + "/"]))
        },
        Fault("unknown index", "invalid_request") { app async throws in
            try await app.send(app.request(attributes: ["AssertionConsumerServiceIndex": "3"]))
        },
        Fault("index and URL", "invalid_request") { app async throws in
            try await app.send(
                app.request(attributes: [
                    "AssertionConsumerServiceIndex": "5", "AssertionConsumerServiceURL": ServiceProviderFixture.query,
                ]))
        },
        Fault("binding of artifacts", "invalid_request") { app async throws in
            try await app.send(app.request(attributes: ["ProtocolBinding": "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"]))
        },
        Fault("signed with a key that is not registered", "invalid_signature") { _ async throws in
            let app = try await ServiceProviderFixture(registersKey: false)
            let answer = try await app.send(app.request())
            #expect(answer.body.contains("no certificate of The Application is registered"))
            return answer
        },
        Fault("endpoint for artifacts", "invalid_request") { _ async throws in
            let artifact = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"
            let endpoint = "{kind: 'AssertionConsumerService', binding: '\(artifact)', location: 'https://a.example/', index: 9}"
            let app = try await ServiceProviderFixture("unsupportedEndpoints: [\(endpoint)],")
            let answer = try await app.send(app.request(attributes: ["AssertionConsumerServiceIndex": "9"]))
            #expect(answer.body.contains("\(artifact), which is not "))
            return answer
        },
        Fault("another destination", "wrong_destination") { app async throws in
            try await app.send(app.request(attributes: ["Destination": "https://other.example/idp/company/saml/sso"]))
        },
        Fault("another endpoint as destination", "wrong_destination") { app async throws in
            try await app.send(app.request(attributes: ["Destination": "\(Visitor.origin)/idp/company/saml/slo"]))
        },
        Fault("signed without destination", "wrong_destination") { app async throws in
            try await app.send(app.request(attributes: ["Destination": ""]))
        },
        Fault("no signature where the provider wants one", "signature_missing", settings: "wantsSignedRequests: true,") {
            app async throws in
            try await app.send(app.request(), isSigned: false)
        },
        Fault("form without signature where the provider wants one", "signature_missing", settings: "wantsSignedRequests: true,") {
            app async throws in
            try await app.post(app.request(), isSigned: false)
        },
        Fault("no identifier", "invalid_request") { app async throws in try await app.send(app.request(id: "")) },
        Fault("no date", "invalid_request") { app async throws in try await app.send(app.request(attributes: ["IssueInstant": ""])) },
        Fault("a date without time zone", "invalid_request") { app async throws in
            let answer = try await app.send(app.request(attributes: ["IssueInstant": "2026-11-29T10:00:00"]))
            #expect(answer.body.contains("has no time zone"))
            return answer
        },
        Fault("another message", "invalid_request") { app async throws in
            try await app.send(app.message("LogoutRequest", to: "/saml/sso", id: "_1", issuer: ServiceProviderFixture.entityID, []))
        },
        Fault("garbage", "invalid_request") { app async throws in try await app.visitor.get("company/saml/sso", ["SAMLRequest": "%%%"]) },
        Fault("nothing", "invalid_request") { app async throws in try await app.visitor.get("company/saml/sso") },
        Fault("two messages", "invalid_request") { app async throws in
            try await app.visitor.post("company/saml/sso", ["SAMLRequest": "PHgvPg==", "SAMLResponse": "PHgvPg=="])
        },
        Fault("a document type", "invalid_request") { app async throws in
            try await app.visitor.post("company/saml/sso", ["SAMLRequest": Array("<!DOCTYPE x><x/>".utf8).base64])
        },
        Fault("a bomb", "invalid_request") { app async throws in
            let bomb = [UInt8](repeating: 0x20, count: 1 << 22).deflated.base64
            return try await app.visitor.get("company/saml/sso", ["SAMLRequest": bomb])
        },
        Fault("a foreign signature", "invalid_signature") { app async throws in
            let stranger = ServiceProviderFixture(app.cloud, app.visitor, try SigningKey.generate(created: .now()))
            return try await stranger.send(app.request())
        },
        Fault("a foreign signature in a form", "invalid_signature") { app async throws in
            let stranger = ServiceProviderFixture(app.cloud, app.visitor, try SigningKey.generate(created: .now()))
            return try await stranger.post(app.request())
        },
        Fault("a signature by one who registered no key", "invalid_signature") { app async throws in
            try await app.send(app.request(issuer: ServiceProviderFixture.otherID))
        },
        Fault("a relay state beside the signature", "invalid_signature") { app async throws in
            let query = try SAMLRedirect.query(.request, app.request(), relayState: nil, key: XMLSigningKey(app.key))
            return try await app.visitor.get("company/saml/sso?\(query)&RelayState=x")
        },
    ]

    @Test("a posted request has an embedded signature, and gets the same response")
    func form() async throws {
        let app = try await Fixture()
        let page = try await app.post(app.request(id: "_f"))
        #expect(page.isLogin)
        let answer = try await app.signIn(on: page)
        #expect(answer.message?.attribute("InResponseTo") == "_f")
        _ = try await app.assertion(in: answer)
    }

    @Test("the session is shared with OpenID Connect, and ForceAuthn does not reuse it")
    func sharedSession() async throws {
        let app = try await Fixture()
        #expect(try await app.send(app.request()).isLogin)
        _ = try await app.signOn(app.request())
        let index = try await app.assertion(in: app.send(app.request())).child("AuthnStatement")?.attribute("SessionIndex")
        #expect(try await app.assertion(in: app.send(app.request())).child("AuthnStatement")?.attribute("SessionIndex") == index)
        #expect(try await app.send(app.request(attributes: ["ForceAuthn": "true"])).isLogin)
        #expect(try await app.send(app.request(attributes: ["IsPassive": "true"])).statusCodes == ["Success"])
    }

    @Test("the page of AD FS lists the service providers, and its links sign on to one of them")
    func initiated() async throws {
        let app = try await Fixture()
        let list = try await app.visitor.get("company/adfs/ls/IdpInitiatedSignOn.aspx")
        #expect(list.status == 200)
        #expect(list.body.contains("<option value=\"\(Fixture.entityID)\">The Application</option>"))
        #expect(list.body.contains("You are not signed in."))
        #expect(!list.body.contains("Sign out"))
        let page = try await app.visitor.get("company/adfs/ls/idpinitiatedsignon", ["loginToRp": Fixture.entityID, "RelayState": "x=1&y"])
        #expect(page.isLogin)
        let answer = try await app.signIn(on: page)
        #expect(answer.destination == Fixture.acs)
        #expect(answer.hidden("RelayState") == "x=1&y")
        let assertion = try await app.assertion(in: answer)
        #expect(answer.message?.attribute("InResponseTo") == nil)
        #expect(
            assertion.child("Subject")?.child("SubjectConfirmation")?.child("SubjectConfirmationData")?.attribute("InResponseTo") == nil)
        let nested = FormFields(dictionaryLiteral: ("RPID", Fixture.otherID), ("RelayState", "deep?a=1&b=2")).encoded
        let other = try await app.visitor.get("company/adfs/ls/idpinitiatedsignon.aspx", ["RelayState": nested])
        #expect(other.destination == Fixture.otherACS)
        #expect(other.hidden("RelayState") == "deep?a=1&b=2")
        #expect(try await app.visitor.get("company/adfs/ls/idpinitiatedsignon").body.contains("You are signed in as alice."))
        let unknown = try await app.visitor.get("company/adfs/ls/idpinitiatedsignon", ["loginToRp": "urn:example:nobody"])
        #expect(unknown.status == 400)
        #expect(unknown.entry.errorCode == "unknown_service_provider")
    }

    @Test("paths at the root of the host redirect below the provider, with their query and their form")
    func rootPaths() async throws {
        let app = try await Fixture()
        let root = Visitor(app.cloud, base: "/")
        // The call as the front door passes it on: the original path, and the provider.
        let answer = try await root.send(.get, "company/adfs/ls/idpinitiatedsignon?loginToRp=x")
        #expect(answer.status == 302)
        #expect(answer.location == "\(Visitor.origin)/idp/company/adfs/ls/idpinitiatedsignon?loginToRp=x")
        #expect(try await root.send(.post, "company/adfs/ls/", form: ["SAMLRequest": "x"]).status == 307)
    }
}

extension ServiceProviderFixture {
    init(_ cloud: Cloud, _ visitor: Visitor, _ key: SigningKey) {
        self.cloud = cloud
        self.visitor = visitor
        self.key = key
    }
}
