import Cryptography
import Testing
import WireFormats

@testable import Tokens

@Suite("XML signatures")
struct XMLSignatureTests {
    private static let key = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }
    private static let otherKey = Result { try SigningKey.generate(created: Timestamp(seconds: 0)) }

    private static let element = XMLElement(
        "saml:Assertion", in: SAML.assertion, attributes: ["ID": "_1", "Version": "2.0"],
        [
            .text("\n  "), .element(XMLElement("saml:Issuer", in: SAML.assertion, text: "é & <company>")),
            .element(XMLElement("saml:Subject", in: SAML.assertion, text: "alice")),
        ])

    /// A valid signature, whose parts can be changed.
    private struct Recipe {
        var method = XMLSignatureAlgorithm.rsaSHA256.rawValue
        var canonicalization = XMLElement(
            "CanonicalizationMethod", in: XMLSecurity.signature, attributes: ["Algorithm": XMLSecurity.exclusiveCanonicalization])
        var transforms = [
            Self.transform(XMLTransform.envelopedSignatureIdentifier), Self.transform(XMLSecurity.exclusiveCanonicalization),
        ]
        var digestMethod = XMLSecurity.encryption + "sha256"
        var digestParameters: [XMLElement] = []
        var uri = "#_1"
        var references = 1
        var keyInfo: XMLElement?
        var sign: ([UInt8]) throws -> [UInt8] = { try RSAPrivateKey(pem: XMLSignatureTests.key.get().pem).sign($0) }
        var digest: ([UInt8]) -> [UInt8] = { SHA256.hash($0) }

        static func transform(_ algorithm: String, _ content: [XMLElement] = []) -> XMLElement {
            XMLElement(
                "Transform", in: XMLSecurity.signature, attributes: ["Algorithm": algorithm], content.map(XMLElement.Node.element))
        }

        private static func part(_ name: String, _ content: [XMLElement]) -> XMLElement {
            XMLElement(name, in: XMLSecurity.signature, content.map(XMLElement.Node.element))
        }

        func apply(to element: XMLElement) throws -> XMLElement {
            var reference = Self.part(
                "Reference",
                [
                    Self.part("Transforms", transforms),
                    XMLElement(
                        "DigestMethod", in: XMLSecurity.signature, attributes: ["Algorithm": digestMethod],
                        digestParameters.map(XMLElement.Node.element)),
                    XMLElement("DigestValue", in: XMLSecurity.signature, text: digest(element.canonicalForm()).base64),
                ])
            reference.attributes = [.init(name: "URI", namespace: "", value: uri)]
            let info = Self.part(
                "SignedInfo",
                [canonicalization, XMLElement("SignatureMethod", in: XMLSecurity.signature, attributes: ["Algorithm": method])]
                    + [XMLElement](repeating: reference, count: references))
            let value = XMLElement("SignatureValue", in: XMLSecurity.signature, text: try sign(info.canonicalForm()).base64)
            var signed = element
            signed.content.insert(.element(Self.part("Signature", [info, value] + [keyInfo].compactMap(\.self))), at: 2)
            return signed
        }
    }

    private func verify(
        _ element: XMLElement, allowingSHA1: Bool = false
    ) throws -> Result<XMLElement, XMLSignatureError> {
        let verifier = XMLSignatureVerifier(keys: [try Self.key.get().verificationKey], allowingSHA1: allowingSHA1)
        return Result { () throws(XMLSignatureError) in try verifier.verify(element) }
    }

    private func expectRefusal(_ recipe: Recipe, _ reason: XMLSignatureError) throws {
        #expect(try verify(recipe.apply(to: Self.element)) == .failure(reason))
    }

    @Test(
        "the verified element is the signed one, also after serialization",
        arguments: SignatureAlgorithm.allCases.filter { XMLSignatureAlgorithm($0) != nil })
    func roundTrips(algorithm: SignatureAlgorithm) throws {
        let key = try SigningKey.generate(algorithm: algorithm, created: Timestamp(seconds: 0))
        let signed = try #require(XMLSigner(key: key, certificate: [1, 2, 3])).sign(Self.element)
        #expect(signed.children.map(\.name) == ["Issuer", "Signature", "Subject"])
        let verifier = XMLSignatureVerifier(keys: [try Self.key.get().verificationKey, key.verificationKey])
        #expect(try verifier.verify(signed) == Self.element)
        let read = try XMLElement(parsing: signed.serialized())
        #expect(try verifier.verify(read).canonicalForm() == Self.element.canonicalForm())
        let holder = XMLElement("r", in: "urn:r", [.element(read)])
        #expect(try verifier.verify(read, within: [holder]).attribute("ID") == "_1")
        #expect(throws: XMLSignatureError.wrongSignature) {
            try XMLSignatureVerifier(keys: [try Self.otherKey.get().verificationKey]).verify(read)
        }
        #expect(throws: XMLSignatureError.wrongSignature) { try XMLSignatureVerifier(keys: []).verify(read) }
    }

    @Test("the recipe of the other tests is valid without changes")
    func recipe() throws {
        #expect(try verify(Recipe().apply(to: Self.element)) == .success(Self.element))
        // With a prefix list, and without a second transform.
        var listed = Recipe()
        listed.transforms[1] = Recipe.transform(
            XMLSecurity.exclusiveCanonicalization,
            [XMLElement("InclusiveNamespaces", in: XMLSecurity.exclusiveCanonicalization, attributes: ["PrefixList": "xs #default"])])
        #expect(try verify(listed.apply(to: Self.element)) == .success(Self.element))
    }

    @Test("a long list of prefixes is refused, since each is looked up for every element")
    func prefixes() throws {
        var listed = Recipe()
        let list = (0..<65).map { "p\($0)" }.joined(separator: " ")
        listed.transforms[1] = Recipe.transform(
            XMLSecurity.exclusiveCanonicalization,
            [XMLElement("InclusiveNamespaces", in: XMLSecurity.exclusiveCanonicalization, attributes: ["PrefixList": list])])
        try expectRefusal(listed, .malformed)
    }

    @Test("parameters of a digest are refused, since their canonical form can be far longer than the document")
    func digestParameters() throws {
        var recipe = Recipe()
        recipe.digestParameters = [XMLElement("p:a", in: "urn:p")]
        try expectRefusal(recipe, .malformed)
    }

    @Test("a changed text, attribute or name is refused")
    func changes() throws {
        let signed = try Recipe().apply(to: Self.element)
        var text = signed
        text.content[3] = .element(XMLElement("saml:Subject", in: SAML.assertion, text: "admin"))
        var attribute = signed
        attribute.attributes[1].value = "2.1"
        var name = signed
        name.content[3] = .element(XMLElement("saml:Object", in: SAML.assertion, text: "alice"))
        for changed in [text, attribute, name] { #expect(try verify(changed) == .failure(.wrongDigest)) }
    }

    @Test("a transform of XSLT is refused")
    func xslt() throws {
        var recipe = Recipe()
        recipe.transforms.insert(Recipe.transform("http://www.w3.org/TR/1999/REC-xslt-19991116"), at: 1)
        try expectRefusal(recipe, .forbiddenTransform("http://www.w3.org/TR/1999/REC-xslt-19991116"))
    }

    @Test("a transform of XPath is refused")
    func xpath() throws {
        let xpath = XMLElement("XPath", in: XMLSecurity.signature, text: "not(ancestor-or-self::Subject)")
        var recipe = Recipe()
        recipe.transforms.append(Recipe.transform("http://www.w3.org/TR/1999/REC-xpath-19991116", [xpath]))
        try expectRefusal(recipe, .forbiddenTransform("http://www.w3.org/TR/1999/REC-xpath-19991116"))
        recipe = Recipe()
        recipe.transforms[1] = Recipe.transform("http://www.w3.org/2002/06/xmldsig-filter2")
        try expectRefusal(recipe, .forbiddenTransform("http://www.w3.org/2002/06/xmldsig-filter2"))
    }

    @Test("canonical forms with comments are refused, for element and signature")
    func comments() throws {
        for form in [XMLSecurity.exclusiveCanonicalization, "http://www.w3.org/TR/2001/REC-xml-c14n-20010315#"] {
            let identifier = form + "WithComments"
            var recipe = Recipe()
            recipe.transforms[1] = Recipe.transform(identifier)
            try expectRefusal(recipe, .forbiddenTransform(identifier))
            recipe = Recipe()
            recipe.canonicalization.attributes[0].value = identifier
            try expectRefusal(recipe, .forbiddenTransform(identifier))
        }
    }

    @Test("transforms in another order, repeated or none are refused")
    func transformOrder() throws {
        let good = Recipe().transforms
        for transforms in [[], [good[1]], [good[1], good[0]], [good[0], good[0]], [good[0], good[1], good[1]]] {
            var recipe = Recipe()
            recipe.transforms = transforms
            try expectRefusal(recipe, .malformed)
        }
    }

    @Test("SHA-1 is accepted only if it is allowed, in signature and digest")
    func sha1() throws {
        var signature = Recipe()
        signature.method = XMLSignatureAlgorithm.rsaSHA1.rawValue
        signature.sign = { try RSAPrivateKey(pem: Self.key.get().pem).sign($0, hash: .sha1) }
        var digest = Recipe()
        digest.digestMethod = XMLSecurity.signature + "sha1"
        digest.digest = { SHA1.hash($0) }
        try expectRefusal(signature, .forbiddenAlgorithm(signature.method))
        try expectRefusal(digest, .forbiddenAlgorithm(digest.digestMethod))
        for recipe in [signature, digest] {
            #expect(try verify(recipe.apply(to: Self.element), allowingSHA1: true) == .success(Self.element))
        }
    }

    @Test("HMAC with the public key is refused")
    func hmac() throws {
        let secret = try Array(RSAPrivateKey(pem: Self.key.get().pem).publicKey.pem.utf8)
        var recipe = Recipe()
        recipe.method = XMLSecurity.signature + "hmac-sha1"
        recipe.sign = { hmacSHA1(key: secret, $0) }
        try expectRefusal(recipe, .forbiddenAlgorithm(recipe.method))
        recipe.method = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256"
        recipe.sign = { hmacSHA256(key: secret, $0) }
        try expectRefusal(recipe, .forbiddenAlgorithm(recipe.method))
    }

    @Test("unknown algorithms are refused")
    func unknownAlgorithms() throws {
        var recipe = Recipe()
        recipe.method = ""
        try expectRefusal(recipe, .forbiddenAlgorithm(""))
        recipe = Recipe()
        recipe.digestMethod = "http://www.w3.org/2001/04/xmldsig-more#md5"
        try expectRefusal(recipe, .forbiddenAlgorithm(recipe.digestMethod))
    }

    @Test("the algorithm of another type of key is refused")
    func otherKind() throws {
        var recipe = Recipe()
        recipe.method = XMLSignatureAlgorithm.ecdsaSHA256.rawValue
        try expectRefusal(recipe, .wrongSignature)
        recipe.method = XMLSignatureAlgorithm.rsaSHA512.rawValue
        try expectRefusal(recipe, .wrongSignature)
    }

    @Test("a key in the signature is not used")
    func keyInfo() throws {
        let other = try RSAPrivateKey(pem: Self.otherKey.get().pem)
        var recipe = Recipe()
        recipe.sign = { try other.sign($0) }
        let value = XMLElement(
            "RSAKeyValue", in: XMLSecurity.signature,
            [
                .element(XMLElement("Modulus", in: XMLSecurity.signature, text: other.publicKey.modulus.base64)),
                .element(XMLElement("Exponent", in: XMLSecurity.signature, text: other.publicKey.exponent.base64)),
            ])
        let keyValue = XMLElement("KeyValue", in: XMLSecurity.signature, [.element(value)])
        recipe.keyInfo = XMLElement("KeyInfo", in: XMLSecurity.signature, [.element(keyValue)])
        try expectRefusal(recipe, .wrongSignature)
    }

    @Test("references to anything but the element itself are refused")
    func references() throws {
        for uri in ["", "#", "#_2", "#xpointer(/)", "#xpointer(id('_1'))", "_1", "https://elsewhere.example/#_1"] {
            var recipe = Recipe()
            recipe.uri = uri
            try expectRefusal(recipe, .foreignReference)
        }
        for count in [0, 2] {
            var recipe = Recipe()
            recipe.references = count
            try expectRefusal(recipe, .malformed)
        }
        var nameless = Self.element
        nameless.attributes.removeFirst()
        var recipe = Recipe()
        recipe.uri = "#"
        #expect(try verify(recipe.apply(to: nameless)) == .failure(.foreignReference))
    }

    @Test("an identifier that occurs twice is refused, whatever the attribute's name")
    func duplicates() throws {
        let verifier = XMLSignatureVerifier(keys: [try Self.key.get().verificationKey])
        let signed = try Recipe().apply(to: Self.element)
        for name in ["ID", "Id", "id"] {
            let other = XMLElement("x", in: "", attributes: [name: "_1"])
            let root = XMLElement("r", in: "", [.element(other), .element(signed)])
            #expect(throws: XMLSignatureError.duplicateID) { try verifier.verify(signed, within: [root]) }
        }
    }

    @Test("no signature, two of them, and one in another place are refused")
    func places() throws {
        #expect(try verify(Self.element) == .failure(.unsigned))
        let signed = try Recipe().apply(to: Self.element)
        var twice = signed
        twice.content.append(signed.content[2])
        #expect(try verify(twice) == .failure(.malformed))
        var deeper = Self.element
        deeper.content.append(.element(XMLElement("x", in: "", [signed.content[2]])))
        #expect(try verify(deeper) == .failure(.unsigned))
    }
}
