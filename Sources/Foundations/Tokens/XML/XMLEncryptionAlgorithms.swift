package import Cryptography
import WireFormats

/// How the content of an `EncryptedData` is encrypted; the raw value is the identifier. (XML Encryption 1.1, section 5.2.)
package enum XMLBlockEncryption: String, Sendable, CaseIterable, Codable {
    case aes128CBC = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
    case aes192CBC = "http://www.w3.org/2001/04/xmlenc#aes192-cbc"
    case aes256CBC = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"
    case aes128GCM = "http://www.w3.org/2009/xmlenc11#aes128-gcm"
    case aes192GCM = "http://www.w3.org/2009/xmlenc11#aes192-gcm"
    case aes256GCM = "http://www.w3.org/2009/xmlenc11#aes256-gcm"

    /// The length of a key in bytes.
    package var keyByteCount: Int {
        switch self {
        case .aes128CBC, .aes128GCM: 16
        case .aes192CBC, .aes192GCM: 24
        case .aes256CBC, .aes256GCM: 32
        }
    }

    var mode: BlockEncryption.Mode {
        switch self {
        case .aes128CBC, .aes192CBC, .aes256CBC: .cbc
        case .aes128GCM, .aes192GCM, .aes256GCM: .gcm
        }
    }
}

/// How the key of an `EncryptedData` is encrypted for its receiver. (XML Encryption 1.1, section 5.5.2.)
///
/// RSAES-PKCS1-v1_5 (section 5.5.1) is not supported: responses to tampered texts reveal its plaintext.
package enum XMLKeyTransport: Hashable, Sendable {
    /// `rsa-oaep-mgf1p`, whose mask uses SHA-1, and whose digest is SHA-1 unless it names another.
    case maskedBySHA1(HashAlgorithm = .sha1)
    /// `rsa-oaep` of version 1.1, which names both digests.
    case oaep(OAEP)

    private static let version10 = XMLSecurity.encryption + "rsa-oaep-mgf1p"
    private static let version11 = XMLSecurity.encryption11 + "rsa-oaep"

    /// Reads the `EncryptionMethod` of an `EncryptedKey`; `nil` for other algorithms and for those with `OAEPparams`.
    init?(_ method: XMLElement) {
        guard method.child("OAEPparams") == nil else { return nil }
        var hash = HashAlgorithm.sha1
        if let named = method.child("DigestMethod", in: XMLSecurity.signature) {
            guard let known = HashAlgorithm(xmlIdentifier: named.attribute("Algorithm")) else { return nil }
            hash = known
        }
        switch method.attribute("Algorithm") {
        case Self.version10:
            self = .maskedBySHA1(hash)
        case Self.version11:
            var mask = HashAlgorithm.sha1
            if let named = method.child("MGF", in: XMLSecurity.encryption11) {
                guard let known = Self.masks.first(where: { $0.identifier == named.attribute("Algorithm") }) else { return nil }
                mask = known.hash
            }
            self = .oaep(OAEP(hash: hash, maskHash: mask))
        default: return nil
        }
    }

    private static let masks: [(identifier: String, hash: HashAlgorithm)] = [
        (XMLSecurity.encryption11 + "mgf1sha1", .sha1), (XMLSecurity.encryption11 + "mgf1sha256", .sha256),
        (XMLSecurity.encryption11 + "mgf1sha384", .sha384), (XMLSecurity.encryption11 + "mgf1sha512", .sha512),
    ]

    var padding: OAEP {
        switch self {
        case .maskedBySHA1(let hash): OAEP(hash: hash, maskHash: .sha1)
        case .oaep(let padding): padding
        }
    }

    /// The `EncryptionMethod` that names the algorithm.
    var method: XMLElement {
        var content = [
            XMLElement.Node.element(
                XMLElement("ds:DigestMethod", in: XMLSecurity.signature, attributes: ["Algorithm": padding.hash.xmlIdentifier]))
        ]
        guard case .oaep(let padding) = self else {
            return XMLElement("xenc:EncryptionMethod", in: XMLSecurity.encryption, attributes: ["Algorithm": Self.version10], content)
        }
        if let mask = Self.masks.first(where: { $0.hash == padding.maskHash }) {
            content.append(
                .element(XMLElement("xenc11:MGF", in: XMLSecurity.encryption11, attributes: ["Algorithm": mask.identifier])))
        }
        return XMLElement("xenc:EncryptionMethod", in: XMLSecurity.encryption, attributes: ["Algorithm": Self.version11], content)
    }
}
