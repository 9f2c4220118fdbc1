import Cloud
import Directory
import Federation
import Fixtures
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import IdentityProviders

@Suite("SAML single logout")
struct SingleLogoutTests {
    private typealias Fixture = ServiceProviderFixture

    /// Signs on at both service providers.
    /// - Returns: The NameID and the session index that the first one received.
    private func signOn(_ app: Fixture) async throws -> (name: XMLElement, index: String) {
        let assertion = try await app.assertion(in: app.signOn(app.request()))
        _ = try await app.assertion(in: app.visitor.get("company/adfs/ls/idpinitiatedsignon", ["loginToRp": Fixture.otherID]))
        return (
            try #require(assertion.child("Subject")?.child("NameID")),
            try #require(assertion.child("AuthnStatement")?.attribute("SessionIndex"))
        )
    }

    private func request(_ app: Fixture, _ name: XMLElement, _ index: String?, attributes: [String: String] = [:]) -> XMLElement {
        let indices = index.map { [XMLElement("samlp:SessionIndex", in: SAML.protocol, text: $0)] } ?? []
        return app.message(
            "LogoutRequest", to: "/saml/slo", id: "_out", issuer: Fixture.entityID, attributes: attributes, [name] + indices)
    }

    /// The response of the second service provider, which does not sign.
    private func confirmation(_ app: Fixture, of request: XMLElement?, code: SAML.StatusCode = .success) throws -> XMLElement {
        let id = try #require(request?.attribute("ID"))
        return app.message(
            "LogoutResponse", to: "/saml/slo", id: "_back", issuer: Fixture.otherID, attributes: ["InResponseTo": id],
            [SAMLStatus(code).element])
    }

    @Test("the browser visits all participants and returns with a response")
    func tour() async throws {
        let app = try await Fixture()
        let (name, index) = try await signOn(app)
        let first = try await app.send(request(app, name, index), to: "saml/slo", relayState: "r&s")
        #expect(first.status == 302)
        #expect(first.location.hasPrefix("\(Fixture.otherSLO)?SAMLRequest="))
        let told = try #require(first.message)
        #expect(told.isNamed("LogoutRequest", in: SAML.protocol))
        #expect(told.attribute("Destination") == Fixture.otherSLO)
        #expect(told.child("NameID", in: SAML.assertion)?.text == "alice")
        #expect(told.child("SessionIndex", in: SAML.protocol)?.text == index)
        let query = first.location.dropFirst(Fixture.otherSLO.count + 1)
        try SAMLRedirect(RawQuery(query), kind: .request, limit: 1 << 16)
            .verify(with: [try await app.cloud.signingKey(for: "company").verificationKey])
        #expect(try await app.send(app.request()).isLogin, "the session has ended before anybody is told")

        let last = try await app.send(try confirmation(app, of: told), to: "saml/slo", isSigned: false)
        #expect(last.location.hasPrefix("\(Fixture.slo)?SAMLResponse="))
        #expect(last.redirected["RelayState"] == "r&s")
        #expect(last.statusCodes == ["Success"])
        #expect(last.message?.attribute("InResponseTo") == "_out")
        let again = try await app.send(try confirmation(app, of: told), to: "saml/slo", isSigned: false)
        #expect(again.status == 400, "an answer counts once")
    }

    /// Logs a user in at an OpenID Connect application beside the service providers.
    /// - Returns: The ID token.
    private func signOnInFrames(_ app: Fixture) async throws -> String {
        try await Company.change(app.cloud) { provider in
            var client = Client(id: "web-app", secret: "s", name: "web-app", redirectURIs: [Visitor.redirectURI], applicationID: nil)
            client.metadata.responseTypes = ["id_token"]
            client.metadata.frontchannelLogoutURI = "https://web.example/out"
            provider.clients.append(client)
        }
        return try await Company.login(app.visitor)
    }

    private static let frame = "<iframe src=\"https://web.example/out\""

    @Test("applications in frames are notified before the browser continues (OpenID Connect Front-Channel Logout 1.0 section 3)")
    func frontChannel() async throws {
        let app = try await Fixture()
        let (name, index) = try await signOn(app)
        _ = try await signOnInFrames(app)
        let page = try await app.send(request(app, name, index), to: "saml/slo")
        #expect(page.location.isEmpty)
        #expect(page.body.contains(Self.frame))
        #expect(page.body.contains("href=\"\(Fixture.otherSLO)?SAMLRequest="))
        #expect(try await app.send(app.request()).isLogin, "the session has ended")
    }

    @Test("our own page notifies them, too")
    func frontChannelOfOurOwn() async throws {
        let app = try await Fixture()
        _ = try await signOnInFrames(app)
        let page = try await app.visitor.post("company/saml/logout", [:])
        #expect(page.status == 200)
        #expect(page.body.contains(Self.frame))
        #expect(page.body.contains("Logged out"))
        let again = try await app.visitor.post("company/saml/logout", [:])
        #expect(again.body.contains("Logged out"))
        #expect(!again.body.contains("<iframe"))
    }

    @Test("an application's logout also reaches service providers with the POST binding")
    func formAfterFrames() async throws {
        let app = try await Fixture()
        try await Company.change(app.cloud) { provider in
            provider.saml?.serviceProviders[1].singleLogoutServices = [.init(location: Fixture.otherSLO, binding: .httpPOST)]
        }
        _ = try await app.signIn(on: app.visitor.get("company/adfs/ls/idpinitiatedsignon", ["loginToRp": Fixture.otherID]))
        let hint = try await signOnInFrames(app)
        let answer = try await app.visitor.get("company/logout", ["id_token_hint": hint])
        #expect(answer.message?.isNamed("LogoutRequest", in: SAML.protocol) == true, "\(answer.body)")
    }

    @Test("a posted request gets a posted response")
    func form() async throws {
        let app = try await Fixture()
        let assertion = try await app.assertion(in: app.signOn(app.request()))
        let name = try #require(assertion.child("Subject")?.child("NameID"))
        let answer = try await app.post(request(app, name, nil), to: "saml/slo")
        #expect(answer.destination == Fixture.slo)
        #expect(answer.statusCodes == ["Success"])
        _ = try await app.verifier().verify(try #require(answer.message))
    }

    @Test("a form of another site arrives without the cookie, and is posted again with it")
    func foreignForm() async throws {
        let app = try await Fixture()
        let assertion = try await app.assertion(in: app.signOn(app.request()))
        let name = try #require(assertion.child("Subject")?.child("NameID"))
        let message = try #require(XMLSigner(key: app.key)).sign(request(app, name, nil)).serialized().base64
        let form: FormFields = ["SAMLRequest": message, "RelayState": "a&b"]
        // The form arrives without cookies, as browsers send it.
        let page = try await Visitor(app.cloud).post("company/saml/slo", form, headers: [.origin: "https://app.example"])
        #expect(page.destination == "/idp/company/saml/slo")
        #expect(page.hidden("SAMLRequest") == message)
        #expect(page.hidden("RelayState") == "a&b")
        #expect(page.hidden("again") == "1")
        // Pages with the referrer policy no-referrer send `null`.
        let answer = try await app.visitor.post("company/saml/slo", form.with(["again": "1"]), headers: [.origin: "null"])
        #expect(answer.destination == Fixture.slo)
        #expect(answer.statusCodes == ["Success"])
        #expect(try await app.send(app.request()).isLogin)
        let alone = try await Visitor(app.cloud).post("company/saml/slo", form.with(["again": "1"]), headers: [.origin: "null"])
        #expect(alone.statusCodes == ["Success"], "it is asked once only")
    }

    @Test("a service provider that does not confirm makes the logout partial")
    func partial() async throws {
        let app = try await Fixture()
        let (name, index) = try await signOn(app)
        let told = try await app.send(request(app, name, index), to: "saml/slo").message
        let last = try await app.send(try confirmation(app, of: told, code: .responder), to: "saml/slo", isSigned: false)
        #expect(last.statusCodes == ["Success", "PartialLogout"])
    }

    @Test("our own page ends the session at all participants and confirms it")
    func initiated() async throws {
        let app = try await Fixture()
        _ = try await signOn(app)
        // The first service provider that signed on is first.
        var step = try await app.visitor.post("company/saml/logout", [:])
        #expect(step.location.hasPrefix(Fixture.slo))
        let id = try #require(step.message?.attribute("ID"))
        let answer = app.message(
            "LogoutResponse", to: "/saml/slo", id: "_back", issuer: Fixture.entityID, attributes: ["InResponseTo": id],
            [SAMLStatus.success.element])
        step = try await app.send(answer, to: "saml/slo")
        #expect(step.location.hasPrefix(Fixture.otherSLO))
        step = try await app.send(try confirmation(app, of: step.message), to: "saml/slo", isSigned: false)
        #expect(step.status == 200)
        #expect(step.body.contains("You are logged out."))
        #expect(!step.body.contains("Not every site"))
        #expect(try await app.visitor.get("company/saml/logout").body.contains("You are logged out."), "with nobody there as well")
    }

    @Test("a confirmation without the required signature does not count")
    func unsignedConfirmation() async throws {
        let app = try await Fixture()
        _ = try await app.signOn(app.request())
        let step = try await app.visitor.post("company/saml/logout", [:])
        let id = try #require(step.message?.attribute("ID"))
        let answer = app.message(
            "LogoutResponse", to: "/saml/slo", id: "_back", issuer: Fixture.entityID, attributes: ["InResponseTo": id],
            [SAMLStatus.success.element])
        #expect(try await app.send(answer, to: "saml/slo", isSigned: false).body.contains("Not every site"))
    }

    @Test("a response with another destination is refused, and the right one still accepted")
    func answerForElsewhere() async throws {
        let app = try await Fixture()
        _ = try await app.signOn(app.request())
        let id = try #require(try await app.visitor.post("company/saml/logout", [:]).message?.attribute("ID"))
        func answer(_ destination: String) -> XMLElement {
            app.message(
                "LogoutResponse", to: "/saml/slo", id: "_back", issuer: Fixture.entityID,
                attributes: ["InResponseTo": id, "Destination": destination], [SAMLStatus.success.element])
        }
        for destination in ["", "https://other.example/slo"] {
            let refused = try await app.send(answer(destination), to: "saml/slo")
            #expect(refused.status == 400)
            #expect(refused.entry.errorCode == "wrong_destination")
        }
        let page = try await app.send(answer("\(Visitor.origin)/idp/company/saml/slo"), to: "saml/slo")
        #expect(page.body.contains("You are logged out."))
        #expect(!page.body.contains("Not every site"))
    }

    @Test("a request about a session that has ended gets a response, and ends nothing")
    func otherSession() async throws {
        let app = try await Fixture()
        let (name, _) = try await signOn(app)
        let other = try await app.send(request(app, name, "an-earlier-one"), to: "saml/slo")
        #expect(other.statusCodes == ["Success"])
        #expect(try await app.send(app.request()).statusCodes == ["Success"], "the login is still there")
        let nobody = Fixture(app.cloud, Visitor(app.cloud), app.key)
        #expect(try await nobody.send(request(app, name, nil), to: "saml/slo").statusCodes == ["Success"])
    }

    @Test("an invalid request gets an error status, and ends nothing")
    func refusals() async throws {
        let app = try await Fixture()
        let (name, index) = try await signOn(app)
        let stranger = XMLElement("saml:NameID", in: SAML.assertion, text: "bob")
        let cases: [(XMLElement, [String])] = [
            (request(app, stranger, index), ["Requester", "UnknownPrincipal"]),
            (request(app, name, index, attributes: ["NotOnOrAfter": "2020-01-01T00:00:00Z"]), ["Requester", "RequestDenied"]),
            (request(app, name, index, attributes: ["Version": "1.1"]), ["VersionMismatch"]),
            (request(app, XMLElement("saml:EncryptedID", in: SAML.assertion), index), ["Requester", "RequestUnsupported"]),
        ]
        for (request, codes) in cases {
            #expect(try await app.send(request, to: "saml/slo").statusCodes == codes)
        }
        let unsigned = try await app.send(request(app, name, index), to: "saml/slo", isSigned: false)
        #expect(unsigned.status == 400)
        #expect(unsigned.entry.errorCode == "signature_missing")
        let elsewhere = try await app.send(
            request(app, name, index, attributes: ["Destination": "https://other.example/slo"]), to: "saml/slo")
        #expect(elsewhere.status == 400)
        #expect(elsewhere.entry.errorCode == "wrong_destination")
        let unasked = try await app.send(try confirmation(app, of: request(app, name, index)), to: "saml/slo", isSigned: false)
        #expect(unasked.status == 400)
        #expect(unasked.entry.errorCode == "invalid_request")
        #expect(try await app.send(app.request()).statusCodes == ["Success"], "the login is still there")
    }

    @Test("the single endpoint of AD FS accepts logout requests, and its sign-out link")
    func activeDirectory() async throws {
        let app = try await Fixture()
        let assertion = try await app.assertion(in: app.signOn(app.request()))
        let name = try #require(assertion.child("Subject")?.child("NameID"))
        let request = request(app, name, nil, attributes: ["Destination": "\(Visitor.origin)/adfs/ls/"])
        #expect(try await app.send(request, to: "adfs/ls/").statusCodes == ["Success"])
        #expect(try await app.visitor.get("company/adfs/ls/", ["wa": "wsignout1.0"]).body.contains("You are logged out."))
        #expect(try await app.visitor.get("company/adfs/ls/", ["wa": "wsignin1.0"]).status == 400)
    }
}
