package import Cryptography
package import WireFormats

/// Encrypts elements for one receiver. (XML Encryption 1.1; SAML 2.0 Core, section 6.)
package struct XMLEncryptor: Sendable {
    private let recipient: RSAPublicKey
    private let certificate: String?
    private let encryption: XMLBlockEncryption
    private let transport: XMLKeyTransport

    /// Creates an encryptor for a receiver.
    /// - Parameter certificate: the receiver's certificate in DER, by which the receiver selects its key.
    package init(
        recipient: RSAPublicKey, certificate: [UInt8]? = nil, encryption: XMLBlockEncryption = .aes256GCM,
        transport: XMLKeyTransport = .maskedBySHA1()
    ) {
        self.recipient = recipient
        self.certificate = certificate?.base64
        self.encryption = encryption
        self.transport = transport
    }

    /// Returns an `EncryptedData` element that replaces the element, with the encrypted key in its `KeyInfo`.
    /// - Throws: ``CryptographyError/noEntropy`` or ``CryptographyError/operationFailed``.
    package func encrypt(_ element: XMLElement) throws(CryptographyError) -> XMLElement {
        let key = try randomBytes(encryption.keyByteCount)
        let ciphertext = try BlockEncryption(encryption.mode, key: key).encrypt(element.serialized())
        let encryptedKey = try recipient.encrypt(key, transport.padding)
        var keyParts = [XMLElement.Node.element(transport.method)]
        if let certificate {
            let data = XMLElement(
                "ds:X509Data", in: XMLSecurity.signature,
                [.element(XMLElement("ds:X509Certificate", in: XMLSecurity.signature, text: certificate))])
            keyParts.append(.element(Self.keyInfo(data)))
        }
        keyParts.append(.element(Self.cipherData(encryptedKey)))
        return XMLElement(
            "xenc:EncryptedData", in: XMLSecurity.encryption, attributes: ["Type": XMLSecurity.encryption + "Element"],
            [
                .element(
                    XMLElement("xenc:EncryptionMethod", in: XMLSecurity.encryption, attributes: ["Algorithm": encryption.rawValue])),
                .element(Self.keyInfo(XMLElement("xenc:EncryptedKey", in: XMLSecurity.encryption, keyParts))),
                .element(Self.cipherData(ciphertext)),
            ])
    }

    private static func keyInfo(_ content: XMLElement) -> XMLElement {
        XMLElement("ds:KeyInfo", in: XMLSecurity.signature, [.element(content)])
    }

    private static func cipherData(_ bytes: [UInt8]) -> XMLElement {
        XMLElement(
            "xenc:CipherData", in: XMLSecurity.encryption,
            [.element(XMLElement("xenc:CipherValue", in: XMLSecurity.encryption, text: bytes.base64))])
    }
}
