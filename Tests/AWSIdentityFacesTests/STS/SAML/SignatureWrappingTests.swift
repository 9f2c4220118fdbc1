import Federation
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

/// The eight ways to wrap a signature, as "On Breaking SAML: Be Whoever You Want to Be" (Somorovsky and others, USENIX Security 2012) and
/// the tools after it number them: what was signed stays in the document, and something else stands where the receiver looks.
///
/// Each is refused twice: by the reading of the response, and by the signature's verification where the receiver would look.
@Suite("Signature wrapping")
struct SignatureWrappingTests {
    private typealias Provider = ForeignSAMLProvider

    /// An assertion and a response of the provider's, and what the attacker makes of the assertion.
    private struct Scene {
        let sts: STSSandbox
        let provider: ForeignSAMLProvider
        /// Signed, as the provider made it.
        let assertion: XMLElement
        /// About somebody else, unsigned.
        let evil: XMLElement

        init(_ sts: STSSandbox) throws {
            self.sts = sts
            provider = Provider(sts)
            assertion = try Provider.sign(provider.assertion)
            var other = provider
            other.subject = [.text("admin@company.example")]
            other.id = "_evil"
            evil = other.assertion
        }

        var signature: XMLElement { assertion.child("Signature", in: XMLSecurity.signature) ?? assertion }

        var unsigned: XMLElement {
            var assertion = assertion
            assertion.content.removeAll { $0 == .element(signature) }
            return assertion
        }

        /// The evil assertion with something behind its issuer.
        func evil(holding element: XMLElement) -> XMLElement {
            var evil = evil
            evil.content.insert(.element(element), at: 1)
            return evil
        }

        /// The signature with something at its end.
        func signature(holding element: XMLElement) -> XMLElement {
            var signature = signature
            signature.content.append(.element(element))
            return signature
        }

        func verifier() throws -> XMLSignatureVerifier { XMLSignatureVerifier(keys: [try Provider.key.get().verificationKey]) }

        /// The response is refused, and so is the element where the receiver would look.
        func expectRefusal(_ response: XMLElement, _ looked: XMLElement, _ reason: XMLSignatureError) async throws {
            // Through the text, as it comes over the wire.
            let answer = try await sts.assumeWithSAML(response.serialized().base64)
            #expect(answer.status == 400 && answer.code == "InvalidIdentityToken")
            let verifier = try verifier()
            #expect(throws: reason) { try verifier.verify(looked, within: looked == response ? [] : [response]) }
        }
    }

    private func attack(_ body: (Scene) async throws -> Void) async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let scene = try Scene(sts)
            // What is attacked is good by itself.
            #expect(try await sts.assumeWithSAML(scene.provider.response([scene.assertion]).serialized().base64).status == 200)
            try await body(scene)
        }
    }

    /// A response that is signed as a whole, and the parts of it.
    private func signedResponse(_ scene: Scene) throws -> (whole: XMLElement, unsigned: XMLElement, signature: XMLElement) {
        let whole = try Provider.sign(scene.provider.response([scene.assertion]))
        let signature = try #require(whole.child("Signature", in: XMLSecurity.signature))
        var unsigned = whole
        unsigned.content.removeAll { $0 == .element(signature) }
        return (whole, unsigned, signature)
    }

    @Test("1: the signed response inside the signature of another")
    func form1() async throws {
        try await attack { scene async throws in
            var (_, original, signature) = try signedResponse(scene)
            signature.content.append(.element(original))
            var response = scene.provider.response([scene.evil], id: "_evil-response")
            response.content.insert(.element(signature), at: 1)
            try await scene.expectRefusal(response, response, .malformed)
        }
    }

    @Test("2: the signed response before its signature in another")
    func form2() async throws {
        try await attack { scene async throws in
            let (_, original, signature) = try signedResponse(scene)
            var response = scene.provider.response([scene.evil], id: "_evil-response")
            response.content.insert(contentsOf: [.element(original), .element(signature)], at: 1)
            try await scene.expectRefusal(response, response, .foreignReference)
        }
    }

    @Test("3: another assertion before the signed one")
    func form3() async throws {
        try await attack { scene async throws in
            try await scene.expectRefusal(scene.provider.response([scene.evil, scene.assertion]), scene.evil, .unsigned)
        }
    }

    @Test("4: the signed assertion inside another")
    func form4() async throws {
        try await attack { scene async throws in
            let evil = scene.evil(holding: scene.assertion)
            try await scene.expectRefusal(scene.provider.response([evil]), evil, .unsigned)
        }
    }

    @Test("5: the signature in another assertion, the signed one at the end")
    func form5() async throws {
        try await attack { scene async throws in
            let evil = scene.evil(holding: scene.signature)
            try await scene.expectRefusal(scene.provider.response([evil, scene.unsigned]), evil, .foreignReference)
        }
    }

    @Test("6: the signed assertion inside the signature of another")
    func form6() async throws {
        try await attack { scene async throws in
            let evil = scene.evil(holding: scene.signature(holding: scene.unsigned))
            try await scene.expectRefusal(scene.provider.response([evil]), evil, .malformed)
        }
    }

    @Test("7: another assertion of the same identifier in an extension")
    func form7() async throws {
        try await attack { scene async throws in
            var evil = scene.evil
            evil.attributes[0].value = scene.provider.id
            var response = scene.provider.response([scene.assertion])
            let extensions = XMLElement("samlp:Extensions", in: SAML.protocol, [.element(evil)])
            response.content.insert(.element(extensions), at: 1)
            try await scene.expectRefusal(response, evil, .unsigned)
            // The signed one does not count either beside it.
            let verifier = try scene.verifier()
            #expect(throws: XMLSignatureError.duplicateID) { try verifier.verify(scene.assertion, within: [response]) }
        }
    }

    @Test("8: the signed assertion as an object of the signature of another")
    func form8() async throws {
        try await attack { scene async throws in
            let object = XMLElement("ds:Object", in: XMLSecurity.signature, [.element(scene.unsigned)])
            let evil = scene.evil(holding: scene.signature(holding: object))
            try await scene.expectRefusal(scene.provider.response([evil]), evil, .malformed)
        }
    }
}
