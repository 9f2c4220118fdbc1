import Cryptography
import Directory
import Federation
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

@Suite("Attacks on SAML responses")
struct SAMLAttackTests {
    private typealias Provider = ForeignSAMLProvider

    private static let missed =
        "Response (with optional signature) must contain an assertion with a mandatory signature (Service: AWSOpenIdDiscoveryService; "
        + "Status Code: 400; Error Code: AuthSamlInvalidSamlResponseException; Request ID: "

    private func expectRefusal(_ response: XMLElement, in sts: STSSandbox, _ message: String? = "Response signature invalid") async throws {
        try await expectRefusal(response.serialized(), in: sts, message)
    }

    private func expectRefusal(_ document: [UInt8], in sts: STSSandbox, _ message: String?) async throws {
        let answer = try await sts.assumeWithSAML(document.base64)
        #expect(answer.status == 400)
        #expect(answer.code == "InvalidIdentityToken")
        if let message { #expect(answer.message?.hasPrefix(message) == true, "\(answer.message ?? "")") }
    }

    @Test("a comment inside the NameID does not truncate it")
    func comment() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            var provider = Provider(sts)
            provider.subject = [.text("admin@company.example.evil.example")]
            let text = try String(decoding: provider.response([Provider.sign(provider.assertion)]).serialized(), as: UTF8.self)
            let commented = text.replacing(
                "admin@company.example.evil.example", with: "admin@company.example<!-- x -->.evil.example")
            #expect(commented != text)
            let answer = try await sts.assumeWithSAML(Array(commented.utf8).base64)
            #expect(answer.status == 200)
            #expect(answer["Subject"] == "admin@company.example.evil.example")
        }
    }

    @Test("an element inside the NameID is refused")
    func elementInName() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            var provider = Provider(sts)
            provider.subject = [.text("admin@company.example"), .element(Provider.element("x")), .text(".evil.example")]
            try await expectRefusal(provider.response([Provider.sign(provider.assertion)]), in: sts, "Invalid base64 SAMLResponse")
        }
    }

    @Test("two assertions are refused even if both are signed")
    func twoAssertions() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let one = Provider(sts)
            var other = one
            other.id = "_a2"
            let assertions = [try Provider.sign(one.assertion), try Provider.sign(other.assertion)]
            try await expectRefusal(one.response(assertions), in: sts, "Invalid base64 SAMLResponse")
        }
    }

    @Test("an unsigned assertion is refused in a signed response")
    func unsignedAssertion() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            try await expectRefusal(Provider.sign(provider.response([provider.assertion])), in: sts, Self.missed)
            // A signature on both does not help.
            let both = try Provider.sign(provider.response([Provider.sign(provider.assertion)]))
            #expect(try await sts.assumeWithSAML(both.serialized().base64).status == 200)
        }
    }

    @Test("an invalid signature of the response is refused, although the assertion's is valid")
    func badResponseSignature() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            let response = try provider.response([Provider.sign(provider.assertion)])
            try await expectRefusal(Provider.sign(response, with: Provider.otherKey), in: sts)
            var changed = try Provider.sign(response)
            changed.attributes.append(.init(name: "Destination", namespace: "", value: "https://elsewhere.example"))
            try await expectRefusal(changed, in: sts)
        }
    }

    @Test("an assertion without its signature is refused")
    func removedSignature() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            try await expectRefusal(provider.response([provider.assertion]), in: sts, Self.missed)
        }
    }

    @Test("a changed assertion is refused")
    func changed() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            let text = try String(decoding: provider.response([Provider.sign(provider.assertion)]).serialized(), as: UTF8.self)
            for (old, new) in [("alice@", "admin@"), ("role/staff", "role/admin"), ("_a1\" IssueInstant", "_a2\" IssueInstant")] {
                let document = Array(text.replacing(old, with: new).utf8)
                #expect(document != Array(text.utf8))
                try await expectRefusal(document, in: sts, nil)
            }
        }
    }

    @Test("a signature of another key is refused, though it includes a certificate of that key")
    func substitutedKey() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            try await expectRefusal(provider.response([Provider.sign(provider.assertion, with: Provider.otherKey)]), in: sts)
        }
    }

    @Test("a signature of another key is refused, though it includes the provider's certificate")
    func borrowedCertificate() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            let certificate = try Provider.key.get().selfSignedCertificate(named: "company")
            let signer = try #require(XMLSigner(key: Provider.otherKey.get(), certificate: certificate))
            try await expectRefusal(provider.response([signer.sign(provider.assertion)]), in: sts)
        }
    }

    @Test("entities are not expanded")
    func entityExpansion() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            let text = try String(decoding: provider.response([Provider.sign(provider.assertion)]).serialized(), as: UTF8.self)
            let bomb = """
                <!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
                """
            try await expectRefusal(
                Array((bomb + text.replacing("alice@company.example", with: "&c;")).utf8), in: sts, "Invalid base64 SAMLResponse")
            // A document type without effect is refused as well.
            try await expectRefusal(Array(("<!DOCTYPE r>" + text).utf8), in: sts, "Invalid base64 SAMLResponse")
        }
    }

    @Test("external entities are not fetched")
    func externalEntity() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let provider = Provider(sts)
            let text = try String(decoding: provider.response([Provider.sign(provider.assertion)]).serialized(), as: UTF8.self)
            let external = "<!DOCTYPE r [<!ENTITY file SYSTEM \"file:///etc/hostname\">]>"
            try await expectRefusal(
                Array((external + text.replacing("alice@company.example", with: "&file;")).utf8), in: sts, "Invalid base64 SAMLResponse")
        }
    }

    @Test("a document that is nested too deep is refused")
    func depth() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
            try await expectRefusal(Array(deep.utf8), in: sts, "Invalid base64 SAMLResponse")
        }
    }

    @Test("an assertion for another role of another provider is refused")
    func foreignProvider() async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            var provider = Provider(sts)
            provider.attributes[0].values = ["\(STSSandbox.arn("staff")),\(Provider.trustARN)-other"]
            try await expectRefusal(
                provider.response([Provider.sign(provider.assertion)]), in: sts, "SAML Assertion doesn't contain the requested Role")
        }
    }
}
