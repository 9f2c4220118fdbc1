package import Cryptography
package import WireFormats

/// Signs elements of XML documents as SAML requires: one reference to the element's own `ID`, the signature inside the element, and
/// exclusive canonicalization. (SAML 2.0 Core, section 5.4; XML Signature 1.1.)
package struct XMLSigner: Sendable {
    private let key: XMLSigningKey
    private let certificate: String?

    /// Creates a signer; returns `nil` for a key whose algorithm XML Signature does not have.
    /// - Parameters:
    ///   - key: the key, whose algorithm determines those of signature and digest.
    ///   - certificate: the key's certificate in DER, written into `KeyInfo` for receivers that read it.
    package init?(key: SigningKey, certificate: [UInt8]? = nil) {
        guard let key = XMLSigningKey(key) else { return nil }
        self.init(key, certificate: certificate)
    }

    /// Creates a signer.
    /// - Parameter certificate: the key's certificate in DER, written into `KeyInfo` for receivers that read it.
    package init(_ key: XMLSigningKey, certificate: [UInt8]? = nil) {
        self.key = key
        self.certificate = certificate?.base64
    }

    /// Returns the element with a signature inside. The signature follows the child named `predecessor`, or comes first if there is none.
    /// SAML puts it after `Issuer`.
    ///
    /// Later changes to the element, including its namespace prefixes, invalidate the signature.
    /// - Parameter element: built or parsed, with an attribute `ID` and no signature.
    /// - Throws: ``CryptographyError/operationFailed`` where OpenSSL cannot sign.
    package func sign(_ element: XMLElement, after predecessor: String = "Issuer") throws(CryptographyError) -> XMLElement {
        let digest = key.algorithm.hash.digest(element.canonicalForm())
        let signedInfo = Self.signedInfo(of: element.attribute("ID") ?? "", digest: digest, algorithm: key.algorithm)
        let value = try key.sign(signedInfo.canonicalForm())
        var parts: [XMLElement.Node] = [.element(signedInfo), .element(Self.element("SignatureValue", text: value.base64))]
        if let certificate {
            let data = Self.element("X509Data", [.element(Self.element("X509Certificate", text: certificate))])
            parts.append(.element(Self.element("KeyInfo", [.element(data)])))
        }
        let place = element.content.firstIndex { node in
            if case .element(let child) = node { child.name == predecessor } else { false }
        }
        var signed = element
        signed.content.insert(.element(Self.element("Signature", parts)), at: place.map { $0 + 1 } ?? 0)
        return signed
    }

    private static func signedInfo(of id: String, digest: [UInt8], algorithm: XMLSignatureAlgorithm) -> XMLElement {
        let transforms = [XMLTransform.envelopedSignatureIdentifier, XMLSecurity.exclusiveCanonicalization].map { identifier in
            XMLElement.Node.element(element("Transform", algorithm: identifier))
        }
        var reference = element(
            "Reference",
            [
                .element(element("Transforms", transforms)),
                .element(element("DigestMethod", algorithm: algorithm.hash.xmlIdentifier)),
                .element(element("DigestValue", text: digest.base64)),
            ])
        reference.attributes = [.init(name: "URI", namespace: "", value: "#" + id)]
        return element(
            "SignedInfo",
            [
                .element(element("CanonicalizationMethod", algorithm: XMLSecurity.exclusiveCanonicalization)),
                .element(element("SignatureMethod", algorithm: algorithm.rawValue)),
                .element(reference),
            ])
    }

    private static func element(_ name: String, _ content: [XMLElement.Node]) -> XMLElement {
        XMLElement("ds:" + name, in: XMLSecurity.signature, content)
    }

    private static func element(_ name: String, text: String) -> XMLElement {
        XMLElement("ds:" + name, in: XMLSecurity.signature, text: text)
    }

    private static func element(_ name: String, algorithm: String) -> XMLElement {
        XMLElement("ds:" + name, in: XMLSecurity.signature, attributes: ["Algorithm": algorithm])
    }
}
