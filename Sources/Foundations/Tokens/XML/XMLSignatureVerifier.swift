import Cryptography
package import WireFormats

/// The reason why the signature of an element is not valid.
package enum XMLSignatureError: Error, Hashable, Sendable {
    /// The element contains no signature.
    case unsigned
    /// The signature does not have the structure that SAML requires, or there are several.
    case malformed
    /// The signature or digest algorithm with this identifier is not accepted.
    case forbiddenAlgorithm(String)
    /// The transform or canonicalization with this identifier is not accepted.
    case forbiddenTransform(String)
    /// The reference does not point to the element that contains the signature.
    case foreignReference
    /// Two elements of the document have the same identifier.
    case duplicateID
    /// The digest does not match the element.
    case wrongDigest
    /// None of the keys made the signature.
    case wrongSignature
}

/// Verifies enveloped signatures. (SAML 2.0 Core, section 5.4; XML Signature 1.1, section 3.2.)
///
/// The caller supplies the keys; `KeyInfo` is ignored. Callers must use only the returned element and trust nothing else of the document,
/// because a signature can be moved beside another element.
package struct XMLSignatureVerifier: Sendable {
    private let keys: [VerificationKey]
    private let allowsSHA1: Bool

    /// Creates a verifier with these keys.
    /// - Parameter allowingSHA1: whether signatures and digests with SHA-1 are accepted.
    package init(keys: [VerificationKey], allowingSHA1: Bool = false) {
        self.keys = keys
        allowsSHA1 = allowingSHA1
    }

    /// Returns the element without its signature, if one of the keys signed exactly that element.
    /// - Parameter ancestors: the elements of the document around it, the outermost first.
    package func verify(_ element: XMLElement, within ancestors: [XMLElement] = []) throws(XMLSignatureError) -> XMLElement {
        let places = element.content.indices.filter { element.content[$0].isSignature }
        guard let place = places.first, case .element(let signature) = element.content[place] else { throw .unsigned }
        guard places.count == 1 else { throw .malformed }
        var seen: Set<String> = []
        try Self.checkIdentifiers(of: ancestors.first ?? element, seen: &seen)
        let parts = try Parts(signature)
        guard let algorithm = XMLSignatureAlgorithm(rawValue: parts.algorithm), allowsSHA1 || algorithm.hash != .sha1 else {
            throw .forbiddenAlgorithm(parts.algorithm)
        }
        let reference = try XMLReference(parts.reference, allowingSHA1: allowsSHA1)
        guard let id = element.attribute("ID"), !id.isEmpty, reference.uri == "#" + id else { throw .foreignReference }
        let signedInfo = parts.signedInfo.canonicalForm(parts.canonicalization, within: ancestors + [element, signature])
        guard algorithm.verifies(parts.value, of: signedInfo, with: keys) else { throw .wrongSignature }
        var signed = element
        signed.content.remove(at: place)
        guard reference.hash.digest(signed.canonicalForm(reference.canonicalization, within: ancestors)) == reference.digest else {
            throw .wrongDigest
        }
        return signed
    }

    /// Rejects repeated identifiers. SAML names them `ID`, XML Signature and Encryption `Id`; `id` is checked too, since other readers may
    /// treat it as an identifier.
    private static func checkIdentifiers(of element: XMLElement, seen: inout Set<String>) throws(XMLSignatureError) {
        for attribute in element.attributes where attribute.name == "ID" || attribute.name == "Id" || attribute.name == "id" {
            guard seen.insert(attribute.value).inserted else { throw .duplicateID }
        }
        for case .element(let child) in element.content { try checkIdentifiers(of: child, seen: &seen) }
    }
}

extension XMLSignatureVerifier {
    /// The parts of a signature. (XML Signature 1.1, section 4.)
    private struct Parts {
        let signedInfo: XMLElement
        let canonicalization: XMLCanonicalization
        let algorithm: String
        let reference: XMLElement
        let value: [UInt8]

        /// - Throws: ``XMLSignatureError/malformed`` for anything that SAML does not allow, especially an `Object`, which has no place in
        ///   an enveloped signature. `SignedInfo` has few elements, because its canonical form, which can be far longer than the document
        ///   if many elements use a long namespace, is made before anything is verified.
        init(_ signature: XMLElement) throws(XMLSignatureError) {
            let children = signature.children
            guard signature.hasElementsOnly, children.count == 2 || children.count == 3,
                children[0].isNamed("SignedInfo", in: XMLSecurity.signature),
                children[1].isNamed("SignatureValue", in: XMLSecurity.signature), let value = children[1].base64Content,
                children.count == 2 || children[2].isNamed("KeyInfo", in: XMLSecurity.signature)
            else { throw .malformed }
            signedInfo = children[0]
            self.value = value
            let inner = signedInfo.children
            guard signedInfo.hasElementsOnly, inner.count == 3, inner[0].isNamed("CanonicalizationMethod", in: XMLSecurity.signature),
                inner[1].isNamed("SignatureMethod", in: XMLSecurity.signature), inner[1].children.isEmpty,
                inner[2].isNamed("Reference", in: XMLSecurity.signature)
            else { throw .malformed }
            switch try XMLTransform(inner[0]) {
            case .canonicalization(let form): canonicalization = form
            case .envelopedSignature: throw .forbiddenTransform(XMLTransform.envelopedSignatureIdentifier)
            }
            algorithm = inner[1].attribute("Algorithm") ?? ""
            reference = inner[2]
        }
    }
}

/// The single reference of a SAML signature. (XML Signature 1.1, section 4.4.3.)
private struct XMLReference {
    let uri: String
    let canonicalization: XMLCanonicalization
    let hash: HashAlgorithm
    let digest: [UInt8]

    init(_ element: XMLElement, allowingSHA1: Bool) throws(XMLSignatureError) {
        let children = element.children
        guard element.hasElementsOnly, children.count == 3, children[0].isNamed("Transforms", in: XMLSecurity.signature),
            children[0].hasElementsOnly, children[1].isNamed("DigestMethod", in: XMLSecurity.signature), children[1].children.isEmpty,
            children[2].isNamed("DigestValue", in: XMLSecurity.signature), let digest = children[2].base64Content,
            let uri = element.attribute("URI")
        else { throw .malformed }
        let transforms = children[0].children
        guard transforms.allSatisfy({ $0.isNamed("Transform", in: XMLSecurity.signature) }) else { throw .malformed }
        var canonicalization: XMLCanonicalization?
        for (index, transform) in transforms.enumerated() {
            switch try XMLTransform(transform) {
            case .envelopedSignature: guard index == 0 else { throw .malformed }
            case .canonicalization(let form):
                guard index == 1 else { throw .malformed }
                canonicalization = form
            }
        }
        // Without the enveloped-signature transform the signature would have to sign itself.
        guard !transforms.isEmpty else { throw .malformed }
        let algorithm = children[1].attribute("Algorithm") ?? ""
        guard let hash = HashAlgorithm(xmlIdentifier: algorithm), allowingSHA1 || hash != .sha1 else {
            throw .forbiddenAlgorithm(algorithm)
        }
        self.uri = uri
        self.hash = hash
        self.digest = digest
        // The default is inclusive canonicalization (section 4.4.3.2).
        self.canonicalization = canonicalization ?? .inclusive
    }
}

extension XMLElement.Node {
    fileprivate var isSignature: Bool {
        if case .element(let element) = self { element.isNamed("Signature", in: XMLSecurity.signature) } else { false }
    }
}
