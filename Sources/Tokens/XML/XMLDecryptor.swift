package import Cryptography
package import WireFormats

/// Why an element could not be decrypted.
package enum XMLEncryptionError: Error, Hashable, Sendable {
    /// The parts are not those of an encrypted element, or there are several of one.
    case malformed
    /// An algorithm that is not taken.
    case unsupportedAlgorithm
    /// None of the keys opens the text, or what it opens is no element. Which of them went wrong is not said, since that would help to
    /// guess the text.
    case failed
}

/// Decrypts elements with the receiver's keys. (XML Encryption 1.1, section 4.4; SAML 2.0 Core, section 6.)
package struct XMLDecryptor: Sendable {
    private let keys: [RSAPrivateKey]

    package init(keys: [RSAPrivateKey]) {
        self.keys = keys
    }

    /// The element that an `EncryptedAssertion`, or another element of that form, stands for: an `EncryptedData`, and
    /// beside it or in its `KeyInfo` the `EncryptedKey`s, one of which must be for one of our keys.
    /// - Parameter ancestors: the elements around it, the outermost first; their namespaces count for the text.
    package func decrypt(
        _ holder: XMLElement, within ancestors: [XMLElement] = [], limits: XMLLimits = XMLLimits()
    ) throws(XMLEncryptionError) -> XMLElement {
        let data = holder.children(named: "EncryptedData", in: XMLSecurity.encryption)
        guard data.count == 1, data[0].attribute("Type") ?? Self.wholeElement == Self.wholeElement,
            let method = data[0].child("EncryptionMethod", in: XMLSecurity.encryption), let ciphertext = Self.cipherValue(of: data[0])
        else { throw .malformed }
        guard let encryption = XMLBlockEncryption(rawValue: method.attribute("Algorithm") ?? "") else { throw .unsupportedAlgorithm }
        let encryptedKeys = try Self.encryptedKeys(of: data[0], beside: holder).map { element throws(XMLEncryptionError) in
            try EncryptedKey(element)
        }
        guard !encryptedKeys.isEmpty else { throw .malformed }
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

    /// The keys in `KeyInfo`, those that its `RetrievalMethod` names, and, where it has neither, those beside the data.
    /// (SAML 2.0 Errata, E43.)
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
