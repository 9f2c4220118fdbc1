package import Cryptography
package import WireFormats

/// The reason why an element could not be decrypted.
package enum XMLEncryptionError: Error, Hashable, Sendable {
    /// The element lacks a part of an encrypted element, or repeats one.
    case malformed
    /// An algorithm is not supported.
    case unsupportedAlgorithm
    /// None of the keys decrypts the text, or the plaintext is not an element. The error does not distinguish these cases, since the
    /// difference would help to guess the plaintext.
    case failed
}

/// Decrypts elements with the receiver's keys. (XML Encryption 1.1, section 4.4; SAML 2.0 Core, section 6.)
package struct XMLDecryptor: Sendable {
    private let keys: [RSAPrivateKey]

    package init(keys: [RSAPrivateKey]) {
        self.keys = keys
    }

    /// Returns the plaintext element of an `EncryptedAssertion` or another element of that form.
    ///
    /// The element contains one `EncryptedData`. The `EncryptedKey`s are beside it or in its `KeyInfo`; one of them must be for one of our
    /// keys.
    /// - Parameter ancestors: the elements around it, the outermost first; their namespaces apply to the plaintext.
    package func decrypt(
        _ holder: XMLElement, within ancestors: [XMLElement] = [], limits: XMLLimits = XMLLimits()
    ) throws(XMLEncryptionError) -> XMLElement {
        let data = holder.children(named: "EncryptedData", in: XMLSecurity.encryption)
        guard data.count == 1, data[0].attribute("Type") ?? Self.wholeElement == Self.wholeElement,
            let method = data[0].child("EncryptionMethod", in: XMLSecurity.encryption), let ciphertext = Self.cipherValue(of: data[0])
        else { throw .malformed }
        guard let encryption = XMLBlockEncryption(rawValue: method.attribute("Algorithm") ?? "") else { throw .unsupportedAlgorithm }
        let elements = Self.encryptedKeys(of: data[0], beside: holder).prefix(Self.mostKeys + 1)
        let encryptedKeys = try elements.map { element throws(XMLEncryptionError) in try EncryptedKey(element) }
        guard 1...Self.mostKeys ~= encryptedKeys.count else { throw .malformed }
        for encryptedKey in encryptedKeys {
            for key in keys {
                guard let contentKey = try? key.decrypt(encryptedKey.ciphertext, encryptedKey.transport.padding),
                    contentKey.count == encryption.keyByteCount,
                    let text = try? BlockEncryption(encryption.mode, key: contentKey).decrypt(ciphertext),
                    let element = try? XMLElement(parsing: text, limits: limits, within: ancestors + [holder])
                else { continue }
                return element
            }
        }
        throw .failed
    }

    /// The maximum number of encrypted keys, since each attempt to decrypt one takes a millisecond.
    private static let mostKeys = 16

    private static let wholeElement = XMLSecurity.encryption + "Element"

    private struct EncryptedKey {
        let transport: XMLKeyTransport
        let ciphertext: [UInt8]

        init(_ element: XMLElement) throws(XMLEncryptionError) {
            guard let method = element.child("EncryptionMethod", in: XMLSecurity.encryption), let value = cipherValue(of: element)
            else { throw .malformed }
            guard let transport = XMLKeyTransport(method) else { throw .unsupportedAlgorithm }
            self.transport = transport
            ciphertext = value
        }
    }

    /// Returns the keys in `KeyInfo`. If it has none, returns the keys beside the data: those that its `RetrievalMethod` elements name, or
    /// all if it has no such elements. (SAML 2.0 Errata, E43.)
    private static func encryptedKeys(of data: XMLElement, beside holder: XMLElement) -> [XMLElement] {
        let siblings = holder.children(named: "EncryptedKey", in: XMLSecurity.encryption)
        guard let info = data.child("KeyInfo", in: XMLSecurity.signature) else { return siblings }
        let inside = info.children(named: "EncryptedKey", in: XMLSecurity.encryption)
        if !inside.isEmpty { return inside }
        let named = info.children(named: "RetrievalMethod", in: XMLSecurity.signature).compactMap { $0.attribute("URI") }
        return named.isEmpty ? siblings : siblings.filter { key in key.attribute("Id").map { named.contains("#" + $0) } ?? false }
    }

    private static func cipherValue(of element: XMLElement) -> [UInt8]? {
        element.child("CipherData", in: XMLSecurity.encryption)?.child("CipherValue", in: XMLSecurity.encryption)?.base64Content
    }
}
