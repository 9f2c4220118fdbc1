import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import IdentityProviders

@Suite("Assertions issued without a login, and metadata")
struct AssertionOnDemandTests {
    private typealias Fixture = ServiceProviderFixture

    private func response(
        _ app: Fixture, defect: AssertionDefect? = nil, claims: JSONObject = [:], attributes: [(name: String, values: [String])] = [],
        lifetime: Int? = nil
    ) async throws -> XMLElement {
        let minted = try await TokenMint(cloud: app.cloud).assertion(
            provider: "company", user: "alice", serviceProvider: Fixture.entityID, claims: claims, attributes: attributes,
            lifetime: lifetime,
            defect: defect, origin: Visitor.origin)
        guard case .form(let text) = minted.transport, let bytes = [UInt8](base64: text) else { throw OAuthError.internalError }
        #expect(minted.subject == "alice")
        #expect(minted.recipient == Fixture.acs)
        #expect(minted.expiresIn == lifetime ?? 300)
        return try XMLElement(parsing: bytes)
    }

    @Test("it is equal to the assertion of a login")
    func sound() async throws {
        let app = try await Fixture()
        let response = try await response(
            app, claims: ["email": "new@company.example"], attributes: [("team", ["a", "b"]), ("urn:oid:2.5.4.42", [])], lifetime: 60)
        let assertion = try await app.verifier().verify(try #require(response.child("Assertion")), within: [response])
        let attributes = try #require(assertion.child("AttributeStatement")).children(named: "Attribute")
        #expect(attributes.map { $0.children(named: "AttributeValue").map(\.text) } == [["alice"], ["new@company.example"], ["a", "b"]])
        let conditions = try #require(assertion.child("Conditions"))
        let end = try #require(conditions.attribute("NotOnOrAfter").flatMap { Timestamp(iso8601: $0) })
        let start = try #require(conditions.attribute("NotBefore").flatMap { Timestamp(iso8601: $0) })
        #expect(end - start == .seconds(60))
    }

    @Test("each defect changes one thing", arguments: AssertionDefect.allCases)
    func defects(defect: AssertionDefect) async throws {
        let app = try await Fixture("signs: [\"assertion\", \"response\"],")
        let response = try await response(app, defect: defect)
        let assertion = try #require(response.child("Assertion"))
        let now = app.cloud.clock.now
        func time(_ name: String) throws -> Timestamp {
            try #require(assertion.child("Conditions")?.attribute(name).flatMap { Timestamp(iso8601: $0) })
        }
        let data = assertion.child("Subject")?.child("SubjectConfirmation")?.child("SubjectConfirmationData")
        let audience = assertion.child("Conditions")?.child("AudienceRestriction")?.child("Audience")?.text
        let (start, end) = (try time("NotBefore"), try time("NotOnOrAfter"))
        #expect((end <= now) == (defect == .expired))
        #expect((start > now) == (defect == .notYetValid))
        #expect((data?.attribute("Recipient") != Fixture.acs) == (defect == .wrongRecipient))
        #expect((audience != Fixture.entityID) == (defect == .wrongAudience))
        #expect((assertion.child("Issuer")?.text != Fixture.issuer) == (defect == .wrongIssuer))
        let method = assertion.child("Signature")?.child("SignedInfo")?.child("SignatureMethod")?.attribute("Algorithm")
        #expect((method?.hasSuffix("#rsa-sha1") == true) == (defect == .sha1))
        let verifier = try await app.verifier(allowingSHA1: true)
        let isAssertionGood = (try? verifier.verify(assertion, within: [response])) != nil
        let isResponseGood = (try? verifier.verify(response)) != nil
        switch defect {
        case .unsigned:
            #expect(assertion.child("Signature") == nil)
            #expect(response.child("Signature") == nil)
        case .unsignedAssertion:
            #expect(assertion.child("Signature") == nil)
            #expect(isResponseGood)
        case .flippedSignatureBit, .otherKey:
            #expect(!isAssertionGood)
            #expect(!isResponseGood)
            #expect(assertion.child("Signature") != nil)
        default:
            #expect(isAssertionGood)
            #expect(isResponseGood)
        }
    }

    @Test("a query with a defect of its signature does not verify")
    func brokenQuery() async throws {
        let app = try await Fixture("signs: [\"response\"],")
        try await app.cloud.edit { directory in
            guard var provider = directory.providers["company"] else { return }
            provider.saml?.serviceProviders[0].assertionConsumerServices[1].isDefault = true
            directory.put(.provider(provider))
        }
        let keys = [try await app.cloud.signingKey(for: "company").verificationKey]
        for defect in [nil, AssertionDefect.flippedSignatureBit, .otherKey] {
            let minted = try await TokenMint(cloud: app.cloud).assertion(
                provider: "company", user: "alice", serviceProvider: Fixture.entityID, lifetime: nil, defect: defect,
                origin: Visitor.origin)
            guard case .query(let text) = minted.transport else { throw OAuthError.internalError }
            let redirect = try SAMLRedirect(RawQuery(text[...]), kind: .response, limit: 1 << 16)
            #expect(((try? redirect.verify(with: keys)) != nil) == (defect == nil))
        }
    }

    @Test("a value that XML cannot represent is an error")
    func controls() async throws {
        let app = try await Fixture()
        await #expect(throws: SAMLStatus.self) { try await response(app, claims: ["email": "a\u{1}b"]) }
        await #expect(throws: SAMLStatus.self) { try await response(app, attributes: [("a\u{0}", ["b"])]) }
        await #expect(throws: SAMLStatus.self) { try await response(app, attributes: [("a", ["b", "\u{FFFE}"])]) }
        _ = try await response(app, attributes: [("a", ["tab\tand\r\nline, \u{1F600}"])])
    }

    @Test("an unknown provider, user or service provider is an error")
    func unknown() async throws {
        let app = try await Fixture()
        let mint = TokenMint(cloud: app.cloud)
        func assertion(_ provider: String, _ user: String, _ serviceProvider: String, lifetime: Int? = nil) async throws {
            _ = try await mint.assertion(
                provider: provider, user: user, serviceProvider: serviceProvider, lifetime: lifetime, origin: Visitor.origin)
        }
        await #expect(throws: MintingError.unknownProvider("x")) { try await assertion("x", "alice", Fixture.entityID) }
        await #expect(throws: MintingError.unknownUser("x")) { try await assertion("company", "x", Fixture.entityID) }
        await #expect(throws: MintingError.unknownClient("x")) { try await assertion("company", "alice", "x") }
        await #expect(throws: MintingError.invalidLifetime) { try await assertion("company", "alice", Fixture.entityID, lifetime: 0) }
    }

    @Test("metadata contain the endpoints at the host of the request, the NameID formats and the signing key")
    func metadata() async throws {
        let app = try await Fixture()
        let answer = try await app.visitor.get("company/saml/metadata")
        #expect(answer.headers[.contentType] == "application/samlmetadata+xml")
        let entity = try XMLElement(parsing: Array(answer.body.utf8))
        #expect(entity.isNamed("EntityDescriptor", in: SAML.metadata))
        #expect(entity.attribute("entityID") == Fixture.issuer)
        let role = try #require(entity.child("IDPSSODescriptor", in: SAML.metadata))
        #expect(role.attribute("WantAuthnRequestsSigned") == "false")
        #expect(role.attribute("protocolSupportEnumeration") == SAML.protocol)
        let endpoints = role.children(named: "SingleSignOnService") + role.children(named: "SingleLogoutService")
        #expect(
            endpoints.map { $0.attribute("Location") } == ["sso", "sso", "slo", "slo"].map { "\(Visitor.origin)/idp/company/saml/\($0)" })
        #expect(Set(endpoints.map { $0.attribute("Binding") }) == [SAML.Binding.httpRedirect.rawValue, SAML.Binding.httpPOST.rawValue])
        #expect(role.children(named: "NameIDFormat").count == 5)
        let certificate = try #require(role.child("KeyDescriptor")?.child("KeyInfo")?.child("X509Data")?.child("X509Certificate")?.text)
        let key = try await app.cloud.signingKey(for: "company")
        #expect([UInt8](base64: certificate) == (try key.selfSignedCertificate(named: "company")))
        let federation = try await app.visitor.get("company/FederationMetadata/2007-06/FederationMetadata.xml")
        #expect(federation.body == answer.body)
    }

    @Test("metadata are signed and have a fixed entityID if the seed says so")
    func signedMetadata() async throws {
        let app = try await Fixture(settings: "entityID: \"urn:example:idp\", signsMetadata: true, wantsSignedRequests: true,")
        let entity = try XMLElement(parsing: Array(try await app.visitor.get("company/saml/metadata").body.utf8))
        #expect(entity.attribute("entityID") == "urn:example:idp")
        #expect(entity.children.first?.name == "Signature")
        let signed = try await app.verifier().verify(entity)
        #expect(signed.child("IDPSSODescriptor")?.attribute("WantAuthnRequestsSigned") == "true")
        #expect(try await app.assertion(in: app.signOn(app.request())).child("Issuer")?.text == "urn:example:idp")
    }

    @Test("an account can accept our assertions without configured metadata")
    func trust() async throws {
        let cloud = try await Visitor.sandbox()
        let trust = try #require(cloud.directory.samlTrusts["arn:aws:iam::000000000000:saml-provider/company"])
        #expect(trust.metadata.isEmpty)
        let entity = try XMLElement(parsing: Array(try await trust.currentMetadata(in: cloud).utf8))
        #expect(entity.attribute("entityID") == "https://login.company.example/saml")
        let certificate = entity.child("IDPSSODescriptor")?.child("KeyDescriptor")?.child("KeyInfo")?.child("X509Data")?.child(
            "X509Certificate")
        #expect(try await cloud.signingKey(for: "company").selfSignedCertificate(named: "company")?.base64 == certificate?.text)
    }

    @Test("an account accepts our assertions after any number of key rotations")
    func manyKeys() async throws {
        let cloud = try await Visitor.sandbox()
        let trust = try #require(cloud.directory.samlTrusts["arn:aws:iam::000000000000:saml-provider/company"])
        for _ in 0..<11 { _ = try await cloud.rotateKeys(of: "company", overlap: .seconds(3600)) }
        let metadata = try #require(SAMLMetadata(try await trust.currentMetadata(in: cloud)))
        #expect(metadata.signingKeys.count == 10)
        let current = try await cloud.signingKey(for: "company").verificationKey
        #expect(metadata.signingKeys.first?.pem == current.pem)
    }
}
