import Cloud
import Cryptography
import Directory
import Federation
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

@Suite("AssumeRoleWithSAML")
struct AssumeRoleWithSAMLTests {
    private static let attribute = ForeignSAMLProvider.attribute
    private typealias Provider = ForeignSAMLProvider

    @Test("returns credentials and the content of the assertion")
    func answers() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let answer = try await sts.assumeWithSAML(Provider(sts).signed())
            #expect(answer.status == 200, "\(answer.message ?? "")")
            #expect(answer["Issuer"] == Provider.entityID)
            #expect(answer["Subject"] == "alice@company.example")
            #expect(answer["SubjectType"] == "persistent")
            #expect(answer["Audience"] == "https://signin.aws.amazon.com/saml")
            // STS API Reference, "AssumeRoleWithSAML", `NameQualifier`.
            let qualifier = SHA1.hash(Array("https://saml.company.example/idp000000000000/company".utf8)).base64
            #expect(answer["NameQualifier"] == qualifier)
            #expect(answer["Arn"] == "arn:aws:sts::000000000000:assumed-role/staff/alice")
            #expect(answer["AccessKeyId"]?.hasPrefix("ASIA") == true)
            #expect(answer["PackedPolicySize"] != nil)
            #expect(answer.xml.child("AssumeRoleWithSAMLResult") != nil)
            #expect(answer["SourceIdentity"] == nil)
            #expect(answer.journal.caller == "\(Provider.trustARN):alice@company.example")
            let identity = try await sts.callerIdentity(try answer.signature())
            #expect(identity["Arn"] == "arn:aws:sts::000000000000:assumed-role/staff/alice")
            let claims = try sts.session(of: answer).claims
            #expect(
                claims == [
                    .init(key: "saml:sub", values: ["alice@company.example"]), .init(key: "saml:sub_type", values: ["persistent"]),
                    .init(key: "saml:namequalifier", values: [qualifier]),
                    .init(key: "aws:FederatedProvider", values: [Provider.trustARN]),
                ])
        }
    }

    @Test("does not repeat an assertion that is too long")
    func secrecy() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let answer = try await sts.assumeWithSAML(String(repeating: "A", count: 100_001))
            #expect(
                answer.message == "1 validation error detected: Value at 'sAMLAssertion' failed to satisfy constraint: "
                    + "Member must have length less than or equal to 100000")
        }
    }

    @Test("accepts an assertion twice")
    func replay() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let assertion = try Provider(sts).signed()
            #expect(try await sts.assumeWithSAML(assertion).status == 200)
            #expect(try await sts.assumeWithSAML(assertion).status == 200)
        }
    }

    @Test("gives the trust policy the condition keys of the user guide")
    func conditionKeys() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let affiliations = ("urn:oid:1.3.6.1.4.1.5923.1.1.1.1", ["member", "staff"])
            let name = ("urn:oid:1.3.6.1.4.1.5923.1.1.1.6", ["alice"])
            let good = try await sts.assumeWithSAML("by-keys", Provider(sts, role: "by-keys", more: [affiliations, name]).signed())
            #expect(good.status == 200, "\(good.message ?? "")")
            for attributes in [[affiliations], [(affiliations.0, ["member"]), name], [affiliations, (name.0, ["bob"])]] {
                let answer = try await sts.assumeWithSAML("by-keys", Provider(sts, role: "by-keys", more: attributes).signed())
                #expect(answer.status == 403)
                #expect(answer.code == "AccessDenied")
                #expect(answer.message == "Not authorized to perform sts:AssumeRoleWithSAML")
            }
            let elsewhere = try await sts.assumeWithSAML("elsewhere", Provider(sts, role: "elsewhere").signed())
            #expect(elsewhere.code == "AccessDenied")
            var other = Provider(sts, role: "elsewhere")
            other.recipient = "https://elsewhere.example"
            #expect(try await sts.assumeWithSAML("elsewhere", other.signed()).status == 200)
        }
    }

    @Test("gives the session tags and a source identity if the trust policy allows it")
    func tags() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let more = [
                (Self.attribute + "PrincipalTag:Team", ["red"]), (Self.attribute + "TransitiveTagKeys", ["Team"]),
                (Self.attribute + "SourceIdentity", ["alice-s"]),
            ]
            let answer = try await sts.assumeWithSAML("tagged", Provider(sts, role: "tagged", more: more).signed())
            #expect(answer.status == 200)
            #expect(answer["SourceIdentity"] == "alice-s")
            let session = try sts.session(of: answer)
            #expect(session.claims.contains(.init(key: "aws:PrincipalTag/Team", values: ["red"])))
            #expect(session.transitiveTagKeys == ["Team"])
            #expect(session.sourceIdentity == "alice-s")
            for attribute in [more[0], more[2]] {
                #expect(try await sts.assumeWithSAML("staff", Provider(sts, more: [attribute]).signed()).code == "AccessDenied")
            }
            for bad in [
                (Self.attribute + "PrincipalTag:Team", ["red", "blue"]), (Self.attribute + "PrincipalTag:aws:x", ["red"]),
                (Self.attribute + "TransitiveTagKeys", ["Team"]), (Self.attribute + "SourceIdentity", ["aws:x"]),
                (Self.attribute + "SourceIdentity", ["a b"]),
            ] {
                let answer = try await sts.assumeWithSAML("tagged", Provider(sts, role: "tagged", more: [bad]).signed())
                #expect(answer.code == "InvalidIdentityToken", "\(bad)")
            }
        }
    }

    @Test(
        "limits the session to the least of the request, the assertion and the provider's session",
        arguments: [
            (nil, nil, nil, 3600), (7200, nil, nil, 7200), (nil, "900", nil, 900), (7200, "1800", nil, 1800), (900, "1800", nil, 900),
            (nil, nil, 120, 120), (7200, "1800", 4000, 1800), (7200, nil, 4000, 4000), (nil, "43200", nil, 3600),
        ] as [(Int?, String?, Int64?, Int64)])
    func durations(asked: Int?, attribute: String?, end: Int64?, expected: Int64) async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            try await sts.cloud.change(clock: .freeze(at: nil))
            var provider = Provider(sts, role: "long")
            provider.sessionUntil = end
            if let attribute { provider.attributes.append((Self.attribute + "SessionDuration", [attribute])) }
            let more: FormFields = asked.map { ["DurationSeconds": String($0)] } ?? [:]
            let answer = try await sts.assumeWithSAML("long", provider.signed(), more)
            #expect(answer.status == 200, "\(answer.message ?? "")")
            let credentials = try sts.session(of: answer)
            #expect(credentials.expires.seconds - credentials.issued.seconds == expected)
        }
    }

    @Test("refuses a duration above the role's maximum")
    func longDuration() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let answer = try await sts.assumeWithSAML(Provider(sts).signed(), ["DurationSeconds": "7200"])
            #expect(answer.status == 400)
            #expect(answer.code == "ValidationError")
            #expect(answer.message == "The requested DurationSeconds exceeds the MaxSessionDuration set for this role.")
        }
    }

    /// A change to the provider's response, and the expected error.
    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: String
        var message: String?
        var change: @Sendable (inout ForeignSAMLProvider) -> Void

        init(_ name: String, _ code: String, _ message: String? = nil, _ change: @escaping @Sendable (inout ForeignSAMLProvider) -> Void) {
            testDescription = name
            self.code = code
            self.message = message
            self.change = change
        }

        /// The message of AWS for every fault in the structure of an assertion; the request identifier follows.
        private static let unreadable =
            "Invalid base64 SAMLResponse (Service: AWSOpenIdDiscoveryService; Status Code: 400; Error Code: AuthSamlInvalidSamlResponseException; "

        static let all = [
            Refusal("expired confirmation", "ExpiredTokenException", "Response has expired") { $0.confirmedUntil = -1 },
            Refusal("expired conditions", "ExpiredTokenException", "Response has expired") { $0.conditionsUntil = -1 },
            Refusal("expired session", "ExpiredTokenException", "Response has expired") { $0.sessionUntil = -1 },
            Refusal("issued long ago", "ExpiredTokenException", "Token must be redeemed within 5 minutes of issuance") {
                $0.now = Timestamp(seconds: $0.now.seconds - 301)
                $0.confirmedUntil = 3600
                $0.conditionsUntil = 3600
            },
            Refusal("foreign issuer", "InvalidIdentityToken") { $0.issuer = "https://elsewhere.example" },
            Refusal("no recipient", "InvalidIdentityToken", unreadable) { $0.recipient = nil },
            Refusal("no end of confirmation", "InvalidIdentityToken", unreadable) { $0.confirmedUntil = nil },
            Refusal("no conditions", "InvalidIdentityToken", unreadable) { $0.hasConditions = false },
            Refusal("no authentication", "InvalidIdentityToken", unreadable) { $0.hasAuthentication = false },
            Refusal("no format", "InvalidIdentityToken", unreadable) { $0.format = nil },
            Refusal("nobody", "AccessDenied", "Not authorized to perform sts:AssumeRoleWithSAML") { $0.subject = [] },
            Refusal(
                "no role", "InvalidIdentityToken", "SAML Assertion doesn't contain the requested Role and Metadata in the attributes"
            ) { $0.attributes.remove(at: 0) },
            Refusal(
                "another role", "InvalidIdentityToken",
                "SAML Assertion doesn't contain the requested Role and Metadata in the attributes"
            ) { $0.attributes[0].values = ["\(STSSandbox.arn("long")),\(ForeignSAMLProvider.trustARN)"] },
            Refusal(
                "an attribute in another case", "InvalidIdentityToken",
                "SAML Assertion doesn't contain the requested Role and Metadata in the attributes"
            ) { $0.attributes[0].name = ForeignSAMLProvider.attribute + "role" },
            Refusal("no session name", "InvalidIdentityToken", "RoleSessionName is required in AuthnResponse") {
                $0.attributes.remove(at: 1)
            },
            Refusal(
                "a session name with a space", "InvalidIdentityToken",
                "RoleSessionName in AuthnResponse must match [a-zA-Z_0-9+=,.@-]{2,64}"
            ) { $0.attributes[1].values = ["al ice"] },
            Refusal("a duration that is too short", "InvalidIdentityToken") {
                $0.attributes.append((ForeignSAMLProvider.attribute + "SessionDuration", ["899"]))
            },
        ]
    }

    @Test("refuses an assertion without the elements that AWS requires", arguments: Refusal.all)
    func refusals(_ refusal: Refusal) async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            var provider = Provider(sts)
            refusal.change(&provider)
            let answer = try await sts.assumeWithSAML(provider.signed())
            #expect(answer.code == refusal.code)
            if let message = refusal.message { #expect(answer.message?.hasPrefix(message) == true) }
        }
    }

    @Test("accepts role and provider in either order, and the parameters only as AWS spells them")
    func parameters() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            var provider = Provider(sts)
            provider.attributes[0].values = ["x,y", " \(Provider.trustARN) , \(STSSandbox.arn("staff")) "]
            let assertion = try provider.signed()
            #expect(try await sts.assumeWithSAML(assertion).status == 200)
            let missing = try await sts.assumeWithSAML(
                assertion, ["PrincipalArn": "arn:aws:iam::000000000000:saml-provider/missing"])
            #expect(missing.code == "InvalidIdentityToken")
            #expect(missing.message?.hasPrefix("Specified provider doesn't exist (Service: ") == true)
            let foreign: [FormFields] = [
                ["PrincipalArn": "arn:aws:iam::000000000000:role/staff"], ["RoleArn": "arn:aws:iam::0:user/alice-long"],
            ]
            for more in foreign {
                let answer = try await sts.assumeWithSAML(assertion, more)
                #expect(answer.code == "ValidationError")
                #expect(answer.message == "Request ARN is invalid")
            }
            let text = try await sts.assumeWithSAML("this is no base 64")
            #expect(text.code == "InvalidIdentityToken")
            #expect(text.message?.hasPrefix("Invalid base64 SAMLResponse (Service: ") == true)
            let role = Provider(sts, role: "nobody")
            #expect(try await sts.assumeWithSAML("nobody", role.signed()).code == "AccessDenied")
            let web = try await sts.assumeWithSAML(assertion, ["DurationSeconds": "899"])
            #expect(web.code == "ValidationError")
        }
    }

    @Test("ignores the issuer of the response")
    func responseIssuer() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            var other = provider
            other.issuer = "https://elsewhere.example"
            let response = try other.response([Provider.sign(provider.assertion)])
            #expect(try await sts.assumeWithSAML(response.serialized().base64).status == 200)
        }
    }

    @Test("refuses a response with a failure status")
    func failures() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            let response = try provider.response([Provider.sign(provider.assertion)], status: .responder)
            let answer = try await sts.assumeWithSAML(response.serialized().base64)
            #expect(answer.status == 403)
            #expect(answer.code == "IDPRejectedClaim")
        }
    }

    @Test("decrypts assertions with the provider's keys", arguments: XMLBlockEncryption.allCases)
    func encryption(_ cipher: XMLBlockEncryption) async throws {
        let key = try RSAPrivateKey(pem: ForeignSAMLProvider.otherKey.get().pem)
        let pem = try key.pem
        try await STSSandbox.runWithSAML { trust in
            trust.privateKeys = [.init(id: "SAMLK1", pem: pem, added: trust.created)]
            trust.encryptionMode = "Required"
        } _: { sts async throws in
            let provider = Provider(sts)
            let assertion = try Provider.sign(provider.assertion)
            let encrypted = try XMLEncryptor(recipient: key.publicKey, encryption: cipher).encrypt(assertion)
            let response = provider.response([Provider.element("EncryptedAssertion", [], [encrypted])])
            let answer = try await sts.assumeWithSAML(response.serialized().base64)
            #expect(answer.status == 200, "\(answer.message ?? "")")
            // An assertion in the clear is refused, and so is one for another key and an unsigned one.
            let plain = try await sts.assumeWithSAML(provider.signed())
            #expect(plain.code == "InvalidIdentityToken")
            #expect(plain.message?.hasPrefix("Invalid base64 SAMLResponse") == true)
            let other = try RSAPrivateKey(pem: ForeignSAMLProvider.key.get().pem).publicKey
            for content in [
                try XMLEncryptor(recipient: other, encryption: cipher).encrypt(assertion),
                try XMLEncryptor(recipient: key.publicKey, encryption: cipher).encrypt(provider.assertion),
            ] {
                let response = provider.response([Provider.element("EncryptedAssertion", [], [content])])
                #expect(try await sts.assumeWithSAML(response.serialized().base64).code == "InvalidIdentityToken")
            }
        }
    }

    @Test("ages with the sandbox")
    func ages() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            try await sts.cloud.change(clock: .freeze(at: nil))
            let assertion = try Provider(sts).signed()
            try await sts.cloud.age(by: .seconds(290))
            #expect(try await sts.assumeWithSAML(assertion).status == 200)
            try await sts.cloud.age(by: .seconds(60))
            #expect(try await sts.assumeWithSAML(assertion).code == "ExpiredTokenException")
        }
    }

    @Test("applies fault rules for the subject of the assertion")
    func faults() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let assertion = try Provider(sts).signed()
            _ = sts.cloud.faults.add(
                FaultRule(
                    service: "sts", action: "AssumeRoleWithSAML", caller: "\(Provider.trustARN):alice@*",
                    failure: .init(code: "IDPCommunicationError")))
            let struck = try await sts.assumeWithSAML(assertion)
            #expect(struck.code == "IDPCommunicationError")
            #expect(struck.journal.operation == "AssumeRoleWithSAML")
            #expect(try await sts.assumeWithSAML(assertion).status == 200)
        }
    }
}

extension STSAnswer {
    /// The signature with the new credentials.
    func signature() throws -> STSSandbox.Signature {
        let token: String = try #require(self["SessionToken"])
        return STSSandbox.Signature(try #require(self["AccessKeyId"]), try #require(self["SecretAccessKey"]), token: token)
    }
}

extension STSSandbox {
    func session(of answer: STSAnswer) throws -> SessionCredentials {
        try SessionTokens(cloud: cloud).open(
            try #require(answer["SessionToken"]), accessKeyID: try #require(answer["AccessKeyId"])
        ).credentials
    }
}
