import Cryptography
package import WireFormats

/// The namespaces of XML Signature and XML Encryption.
package enum XMLSecurity {
    /// The namespace of XML Signature. (XML Signature 1.1, section 1.3.)
    package static let signature = "http://www.w3.org/2000/09/xmldsig#"
    /// The namespace of XML Encryption. (XML Encryption 1.1, section 1.3.)
    package static let encryption = "http://www.w3.org/2001/04/xmlenc#"
    /// The namespace of the additions of XML Encryption 1.1.
    package static let encryption11 = "http://www.w3.org/2009/xmlenc11#"
    static let exclusiveCanonicalization = "http://www.w3.org/2001/10/xml-exc-c14n#"
}

extension HashAlgorithm {
    /// Creates the digest with this identifier. (XML Encryption 1.1, section 5.7; RFC 9231, section 2.1.)
    init?(xmlIdentifier: String?) {
        switch xmlIdentifier {
        case HashAlgorithm.sha1.xmlIdentifier: self = .sha1
        case HashAlgorithm.sha256.xmlIdentifier: self = .sha256
        case HashAlgorithm.sha384.xmlIdentifier: self = .sha384
        case HashAlgorithm.sha512.xmlIdentifier: self = .sha512
        default: return nil
        }
    }

    var xmlIdentifier: String {
        switch self {
        case .sha1: XMLSecurity.signature + "sha1"
        case .sha256: XMLSecurity.encryption + "sha256"
        case .sha384: "http://www.w3.org/2001/04/xmldsig-more#sha384"
        case .sha512: XMLSecurity.encryption + "sha512"
        }
    }
}

extension XMLElement {
    /// The bytes that the element contains in base 64, which may span lines. `nil` where the element is empty or contains elements or other
    /// text. (XML Schema Part 2, section 3.2.16.)
    package var base64Content: [UInt8]? {
        guard case .text(let text)? = content.first, content.count == 1 else { return nil }
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        guard text.utf8.contains(where: isSpace) else { return [UInt8](base64: text) }
        return [UInt8](base64: String(decoding: text.utf8.filter { !isSpace($0) }, as: UTF8.self))
    }

    /// Whether the element contains only elements, with white space between them.
    var hasElementsOnly: Bool {
        content.allSatisfy { node in
            guard case .text(let text) = node else { return true }
            return text.utf8.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        }
    }
}
