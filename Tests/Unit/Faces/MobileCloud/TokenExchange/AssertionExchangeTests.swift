import Cloud
import Directory
import Federation
import HTTPTypes
import Testing
import Tokens
import WireFormats

@testable import MobileCloudFace

@Suite("The exchange of assertions")
struct AssertionExchangeTests {
    private static func detail(_ answer: MobileAnswer) -> String { answer["detail"] ?? "-" }

    @Test(
        "returns a token of the mobile cloud, whatever further parameters the query has (R9, R14, R18, R26-R33, X3-X5)",
        arguments: ["", "?format=json", "?format=json&_=1700000000000"])
    func answers(query: String) async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            let answer = try await mobile.exchangeAssertion(ForeignAssertion(mobile.cloud).token(), query: query)
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.fields[.contentType]?.hasPrefix("application/json") == true)
            #expect(answer.fields[.cacheControl] == "no-store")
            #expect(answer["token_type"] == "Bearer")
            #expect(answer.json["expires_in"] == 21_600)
            #expect(answer.entry.operation == "exchangeExternalToken")
            #expect(answer.entry.caller == "alice")
            let content = try await mobile.content(of: answer)
            #expect(try content.backendID == mobile.backend().id)
            #expect(content.username == "alice")
            #expect(content.virtual?.issuer == ForeignAssertion.issuer)
            #expect(content.method == .exchange)
            #expect(content.virtual?.roles == ["Technician"])
        }
    }

    @Test("shares its path with the browser's login, which has no token (X3)")
    func otherPath() async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            let fields: HTTPFields = try [
                .authorization: "Bearer \(ForeignAssertion(mobile.cloud).token())", .backendID: mobile.backend().id,
            ]
            #expect(try await mobile.get("/mobile/platform/sso/token", fields).status == 200)
            #expect(try await mobile.get("/mobile/platform/sso/token/?clientID=x", fields).status == 200)
        }
    }

    @Test("issues a token with a backend that later calls need not name, and cannot change (R16, R32, R33)")
    func laterCalls() async throws {
        try await MobileSandbox.runWithAssertions("") { mobile async throws in
            let answer = try await mobile.exchangeAssertion(ForeignAssertion(mobile.cloud).token())
            let bearer: HTTPFields = [.authorization: "Bearer \(answer["access_token"] ?? "")"]
            let me = try await mobile.get("/mobile/platform/users/~", bearer)
            #expect(me.status == 200, "\(me.text)")
            #expect(me["username"] == "alice", "\(me.text)")
            var other = bearer
            other[.backendID] = try mobile.backend("partners").id
            #expect(try await mobile.get("/mobile/platform/users/~", other)["username"] == "alice")
        }
    }

    @Test("requires an existing backend, with HTTP Basic on and without Facebook Login (R12, R30, X13)")
    func backends() async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            let token = try ForeignAssertion(mobile.cloud).token()
            #expect(try await mobile.exchangeAssertion(token, backend: "basic").status == 200)
            for name in ["consumer", "social"] {
                let answer = try await mobile.exchangeAssertion(token, backend: name)
                #expect(answer.status == 401, "\(answer.text)")
                #expect(answer.errorCode == MobileErrorKind.authenticationMethodOff.code, "\(answer.text)")
            }
            let path = "/mobile/platform/sso/exchange-token"
            let nameless = try await mobile.get(path, [.authorization: "Bearer \(token)"])
            #expect(nameless.status == 400)
            #expect(nameless.errorCode == MobileErrorKind.missingBackendID.code)
            let unknown = try await mobile.get(path, [.authorization: "Bearer \(token)", .backendID: "x"])
            #expect(unknown.errorCode == MobileErrorKind.unknownBackend.code)
        }
    }

    @Test("is a GET (R28)")
    func method() async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            let fields: HTTPFields = try [.authorization: "Bearer x", .backendID: mobile.backend().id]
            let answer = try await mobile.send(.post, "/mobile/platform/sso/exchange-token", fields: fields)
            #expect(answer.status == 405)
            #expect(answer.fields[.allow]?.contains("GET") == true)
        }
    }

    /// A change to the assertion, and the expected error.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var detail: String
        var change: @Sendable (inout ForeignAssertion) -> Void

        init(_ name: String, _ detail: String, _ change: @escaping @Sendable (inout ForeignAssertion) -> Void) {
            testDescription = name
            self.detail = detail
            self.change = change
        }

        private static let expired = "User assertion from issuer https://saml.company.example/idp has expired."
        private static let early = "The assertion of issuer https://saml.company.example/idp is not valid yet."
        private static let audience = "The assertion of issuer https://saml.company.example/idp is for another audience: "
        private static let unconfirmed =
            "The assertion of issuer https://saml.company.example/idp has no bearer confirmation with NotOnOrAfter."
        static let all = [
            Fault("expired conditions", expired) { $0.conditionsUntil = -1 },
            Fault("expired confirmation", expired) { $0.confirmedUntil = -1 },
            Fault("not yet valid", early) { $0.notBefore = 60 },
            Fault("issued in the future", early) { $0.now = Timestamp(seconds: $0.now.seconds + 60) },
            Fault("no confirmation of the bearer", unconfirmed) { $0.method = "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key" },
            Fault("an endless confirmation", unconfirmed) { $0.confirmedUntil = nil },
            Fault("another audience (R18)", audience + "https://elsewhere.example.") { $0.audiences = [["https://elsewhere.example"]] },
            Fault("the other exchange's address (R18)", audience + "http://localhost:4566/mobile/platform/auth/token.") {
                $0.audiences = [["http://localhost:4566/mobile/platform/auth/token"]]
            },
            Fault("one of two audiences that must both hold", audience + "http://localhost:4566/mobile/platform/sso/exchange-token, x.") {
                $0.audiences.append(["x"])
            },
            Fault("no audience", audience + ".") { $0.audiences = [] },
            Fault("an unknown issuer (R21)", "Issuer https://elsewhere.example has not been configured.") {
                $0.issuer = "https://elsewhere.example"
            },
            Fault("no issuer", "The assertion lacks its issuer.") { $0.issuer = nil },
            Fault("nobody", "The assertion of issuer https://saml.company.example/idp must name one user in its subject.") {
                $0.subject = nil
            },
            Fault("a nameless user", "The assertion of issuer https://saml.company.example/idp must name one user in its subject.") {
                $0.subject = ""
            },
        ]
    }

    @Test("refuses an assertion with a fault, and names the fault", arguments: Fault.all)
    func faults(_ fault: Fault) async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            var assertion = ForeignAssertion(mobile.cloud)
            fault.change(&assertion)
            let answer = try await mobile.exchangeAssertion(assertion.token())
            #expect(answer.status == 401)
            #expect(answer.errorCode == MobileErrorKind.invalidToken.code)
            #expect(Self.detail(answer) == fault.detail)
            #expect(answer.fields[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
        }
    }

    @Test("accepts audiences with every host name of this process (R18)")
    func audiences() async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            for host in ["localhost", "127.0.0.1", "virga", "host.docker.internal"] {
                var assertion = ForeignAssertion(mobile.cloud)
                assertion.audiences = [["x", "http://\(host):4566/mobile/platform/sso/exchange-token"]]
                #expect(try await mobile.exchangeAssertion(assertion.token()).status == 200, "\(host)")
                #expect(try await mobile.exchangeAssertion(assertion.token(), authority: "virga:4566").status == 200, "\(host)")
                #expect(try await mobile.exchangeAssertion(assertion.token(), authority: "virga:4567").status == 401, "\(host)")
            }
        }
    }

    @Test("accepts only what a certificate of the issuer signed (R14, R21)")
    func signatures() async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            let assertion = ForeignAssertion(mobile.cloud)
            func exchange(_ element: XMLElement) async throws -> MobileAnswer {
                try await mobile.exchangeAssertion(ForeignAssertion.compressed(element.serialized()).base64)
            }
            #expect(Self.detail(try await exchange(assertion.element)) == "The assertion is not signed.")
            let stranger = try await exchange(assertion.signed(with: ForeignIssuer.otherKey))
            #expect(Self.detail(stranger) == "No certificate of the issuer belongs to the key that signed the assertion.")
            var changed = try assertion.signed()
            for place in changed.content.indices {
                guard case .element(var subject) = changed.content[place], subject.name == "Subject",
                    case .element(var name) = subject.content[0]
                else { continue }
                name.content = [.text("mallory")]
                subject.content[0] = .element(name)
                changed.content[place] = .element(subject)
            }
            #expect(Self.detail(try await exchange(changed)) == "The signature does not cover the assertion.")
            // A signed assertion inside an unsigned one.
            var wrapper = assertion.element
            wrapper.content.append(.element(try assertion.signed()))
            #expect(Self.detail(try await exchange(wrapper)) == "The assertion holds further assertions.")
            let response = XMLElement("samlp:Response", in: SAML.protocol, [.element(try assertion.signed())])
            #expect(Self.detail(try await exchange(response)) == "The document is not a SAML 2.0 assertion.")
            #expect(try await exchange(assertion.signed()).status == 200)
        }
    }

    @Test("refuses text that is not a compressed assertion (R26)")
    func encodings() async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            let document = try ForeignAssertion(mobile.cloud).signed().serialized()
            let good = ForeignAssertion.compressed(document)
            let bomb = ForeignAssertion.compressed([UInt8](repeating: 0x20, count: 5_000_000))
            var wrongCheck = good
            wrongCheck[wrongCheck.count - 7] ^= 1
            let notGzip = "The Base64 of the token does not decode to gzip data, or the data is too long."
            let cases: [(String, String)] = [
                ("%%%", "The token is neither a JSON Web Token nor the Base64 of a compressed assertion."), (document.base64, notGzip),
                (document.deflated.base64, notGzip), (bomb.base64, notGzip), (wrongCheck.base64, notGzip),
                (Array(good.dropLast(9)).base64, notGzip),
                (ForeignAssertion.compressed(Array("hello".utf8)).base64, "The compressed document is not XML that is accepted."),
                (
                    ForeignAssertion.compressed(Array("<!DOCTYPE a><a/>".utf8)).base64,
                    "The compressed document is not XML that is accepted."
                ),
                ("a.b.c", "The token is not a JSON Web Token."),
            ]
            for (token, detail) in cases {
                let answer = try await mobile.exchangeAssertion(token)
                #expect(answer.status == 401, "\(answer.text)")
                #expect(Self.detail(answer) == detail, "\(answer.text)")
            }
        }
    }

    @Test("refuses an assertion that has expired, also by an aging of the sandbox")
    func aging() async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            try await mobile.freeze()
            let token = try ForeignAssertion(mobile.cloud).token()
            try await mobile.pass(298)
            #expect(try await mobile.exchangeAssertion(token).status == 200)
            try await mobile.pass(2)
            #expect(Self.detail(try await mobile.exchangeAssertion(token)).hasSuffix("has expired."))
        }
    }

    @Test("follows the environment's policies for the token's lifetime (R58-R60, R120, X1)")
    func lifetime() async throws {
        let examples: [(String, JSONValue)] = [
            ("", 21_600), ("Security_TokenExchangeTimeoutSecs: '77'", 77), ("Security_TokenExchangeTimeoutSecs: null", 28_800),
            ("Security_TokenExchangeTimeoutPolicy: 'FromExternalToken'", 300),
            ("Security_TokenExchangeTimeoutPolicy: 'FromExternalTokenLimitedByTimeoutSecs', Security_TokenExchangeTimeoutSecs: '9'", 9),
        ]
        for (policies, expected) in examples {
            try await MobileSandbox.runWithAssertions(policies: policies) { mobile async throws in
                try await mobile.freeze()
                let answer = try await mobile.exchangeAssertion(ForeignAssertion(mobile.cloud).token())
                #expect(answer.json["expires_in"] == expected, "\(policies): \(answer.text)")
            }
        }
    }

    @Test("refuses every token of a disabled issuer (R21)")
    func disabled() async throws {
        try await MobileSandbox.runWithAssertions("enabled: false, virtualUserEnabled: true") { mobile async throws in
            let answer = try await mobile.exchangeAssertion(ForeignAssertion(mobile.cloud).token())
            #expect(answer.status == 401)
            #expect(Self.detail(answer) == "Issuer https://saml.company.example/idp is disabled.")
        }
    }

    @Test("accepts JWTs of the issuers, too, but only with certificates (R37)", arguments: [false, true])
    func jwt(isCompressed: Bool) async throws {
        try await MobileSandbox.runWithAssertions(
            "virtualUserEnabled: true, roleAttributes: ['roles'], defaultRoles: ['Guest']", name: ForeignIssuer.name
        ) { mobile async throws in
            func exchange(_ claims: JSONObject = [:], key: Result<SigningKey, any Error> = ForeignIssuer.key) async throws -> MobileAnswer {
                let text = try ForeignIssuer.token(mobile.cloud, claims, key: key)
                return try await mobile.exchangeAssertion(isCompressed ? ForeignAssertion.compressed(Array(text.utf8)).base64 : text)
            }
            let content = try await mobile.content(of: exchange())
            #expect(content.username == "alice")
            #expect(content.virtual?.issuer == ForeignIssuer.name)
            #expect(content.method == .exchange)
            #expect(content.virtual?.roles == ["Technician"])
            #expect(try await mobile.content(of: exchange(["roles": ["unknown"]])).virtual?.roles == ["Guest"])
            let endpoint: JSONValue = "http://localhost:4566/mobile/platform/sso/exchange-token"
            #expect(try await exchange(["aud": endpoint]).status == 200)
            #expect(try await exchange(["aud": .null]).status == 200)
            let faults: [(JSONObject, String)] = [
                (["aud": "web"], "The token from issuer https://issuer.example is for another audience: web."),
                (["exp": 1000, "iat": 900], "User assertion from issuer https://issuer.example has expired."),
                (["iss": "x"], "Issuer x has not been configured."),
                (["sub": .null], "The token from issuer https://issuer.example does not name the user in sub."),
            ]
            for (claims, detail) in faults {
                let answer = try await exchange(claims)
                #expect(answer.status == 401)
                #expect(Self.detail(answer) == detail)
            }
            let forged = try await exchange(key: ForeignIssuer.otherKey)
            #expect(forged.status == 401)
            #expect(Self.detail(forged) == "The signature of the token from issuer https://issuer.example is wrong.")
        }
    }

    @Test("finds no key if the certificate is missing (R20, R21)")
    func certificates() async throws {
        try await MobileSandbox.runWithAssertions { mobile async throws in
            try await mobile.cloud.edit { directory in
                var environment = directory.mobile.environment
                environment.certificates = []
                directory.put(.mobile(.environment(environment)))
            }
            let answer = try await mobile.exchangeAssertion(ForeignAssertion(mobile.cloud).token())
            #expect(answer.status == 401)
            #expect(
                Self.detail(answer) == "No matching public key found for issuer https://saml.company.example/idp. "
                    + "No certificate of the environment has the subject CN=company.")
        }
    }

    @Test("accepts assertions of a provider of this process, with its current certificate")
    func ownProvider() async throws {
        let endpoint = MobileSandbox.origin + "/mobile/platform/sso/exchange-token"
        let provider = """
            accounts: [], identityProviders: [{name: 'ours', kind: 'openIDConnect', issuer: 'https://login.ours.example',
              saml: {entityID: 'https://login.ours.example/saml', serviceProviders: [{entityID: '\(endpoint)',
                assertionConsumerServices: ['http://app.example/mobile/platform/sso/redirect']}]},
              people: [{name: 'alice', password: 'p', subject: 's', claims: {email: 'alice@company.example'}}]}]
            """
        try await MobileSandbox.run(
            """
            backends: [{name: 'app'}], realms: [{name: 'Default'}], certificates: [{alias: 'ours', identityProvider: 'ours'}],
            samlIssuers: [{name: 'https://login.ours.example/saml', certificateSubjectNames: ['CN=ours'], virtualUserEnabled: true}]
            """, others: provider
        ) { mobile async throws in
            for _ in 0..<2 {
                let minted = try await TokenMint(cloud: mobile.cloud).assertion(
                    provider: "ours", user: "alice", serviceProvider: endpoint, lifetime: nil, origin: MobileSandbox.origin)
                guard case .form(let text) = minted.transport, let bytes = [UInt8](base64: text) else {
                    Issue.record("no form")
                    return
                }
                let response = try XMLElement(parsing: bytes)
                let assertion = try #require(response.child("Assertion"))
                let answer = try await mobile.exchangeAssertion(ForeignAssertion.compressed(assertion.serialized()).base64)
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try await mobile.content(of: answer).username == minted.subject)
                // After a change of its keys no new certificate has to be registered.
                _ = try await mobile.cloud.rotateKeys(of: "ours", overlap: .seconds(60))
                try await mobile.cloud.age(by: .seconds(301))
            }
        }
    }
}
