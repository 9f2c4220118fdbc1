import Federation
import Testing
import Tokens
import WireFormats

@testable import AWSIdentityFaces

/// The eight forms of signature wrapping, numbered as in "On Breaking SAML: Be Whoever You Want to Be" (Somorovsky and others, USENIX
/// Security 2012) and the tools after it. The signed element stays in the document, and another element stands where the receiver looks.
///
/// Each form is refused twice: when the response is read, and when the signature of the element at the receiver's place is verified.
@Suite("Signature wrapping")
struct SignatureWrappingTests {
    private typealias Provider = ForeignSAMLProvider

    /// An assertion and a response of the provider, and the attacker's version of the assertion.
    private struct Scene {
        let sts: STSSandbox
        let provider: ForeignSAMLProvider
        /// The assertion that the provider signed.
        let assertion: XMLElement
        /// An unsigned assertion about another user.
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

        /// Returns the evil assertion with an element after its issuer.
        func evil(holding element: XMLElement) -> XMLElement {
            var evil = evil
            evil.content.insert(.element(element), at: 1)
            return evil
        }

        /// Returns the signature with an element at its end.
        func signature(holding element: XMLElement) -> XMLElement {
            var signature = signature
            signature.content.append(.element(element))
            return signature
        }

        func verifier() throws -> XMLSignatureVerifier { XMLSignatureVerifier(keys: [try Provider.key.get().verificationKey]) }

        /// Expects that the response is refused, and so is the element that the receiver would read.
        func expectRefusal(_ response: XMLElement, _ looked: XMLElement, _ reason: XMLSignatureError) async throws {
            // The response is serialized and parsed, as on the wire.
            let answer = try await sts.assumeWithSAML(response.serialized().base64)
            #expect(answer.status == 400)
            #expect(answer.code == "InvalidIdentityToken")
            let verifier = try verifier()
            #expect(throws: reason) { try verifier.verify(looked, within: looked == response ? [] : [response]) }
        }
    }

    private func attack(_ body: (Scene) async throws -> Void) async throws {
        try await STSSandbox.runWithSAML { sts async throws in
            let scene = try Scene(sts)
            // The response is valid without the attack.
            #expect(try await sts.assumeWithSAML(scene.provider.response([scene.assertion]).serialized().base64).status == 200)
            try await body(scene)
        }
    }

    /// A response that is signed as a whole, and its parts.
    private func signedResponse(_ scene: Scene) throws -> (whole: XMLElement, unsigned: XMLElement, signature: XMLElement) {
        let whole = try Provider.sign(scene.provider.response([scene.assertion]))
        let signature = try #require(whole.child("Signature", in: XMLSecurity.signature))
        var unsigned = whole
        unsigned.content.removeAll { $0 == .element(signature) }
        return (whole, unsigned, signature)
    }

    @Test("1: the signed response inside the signature of another response")
    func form1() async throws {
        try await attack { scene async throws in
            var (_, original, signature) = try signedResponse(scene)
            signature.content.append(.element(original))
            var response = scene.provider.response([scene.evil], id: "_evil-response")
            response.content.insert(.element(signature), at: 1)
            try await scene.expectRefusal(response, response, .malformed)
        }
    }

    @Test("2: the signed response before its signature in another response")
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

    @Test("6: the signed assertion inside the signature of another assertion")
    func form6() async throws {
        try await attack { scene async throws in
            let evil = scene.evil(holding: scene.signature(holding: scene.unsigned))
            try await scene.expectRefusal(scene.provider.response([evil]), evil, .malformed)
        }
    }

    @Test("7: another assertion with the same identifier in an extension")
    func form7() async throws {
        try await attack { scene async throws in
            var evil = scene.evil
            evil.attributes[0].value = scene.provider.id
            var response = scene.provider.response([scene.assertion])
            let extensions = XMLElement("samlp:Extensions", in: SAML.protocol, [.element(evil)])
            response.content.insert(.element(extensions), at: 1)
            try await scene.expectRefusal(response, evil, .unsigned)
            // The signed assertion next to it is rejected too.
            let verifier = try scene.verifier()
            #expect(throws: XMLSignatureError.duplicateID) { try verifier.verify(scene.assertion, within: [response]) }
        }
    }

    @Test("8: the signed assertion as an object in the signature of another assertion")
    func form8() async throws {
        try await attack { scene async throws in
            let object = XMLElement("ds:Object", in: XMLSecurity.signature, [.element(scene.unsigned)])
            let evil = scene.evil(holding: scene.signature(holding: object))
            try await scene.expectRefusal(scene.provider.response([evil]), evil, .malformed)
        }
    }
}
