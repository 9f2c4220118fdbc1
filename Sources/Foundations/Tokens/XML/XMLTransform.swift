import WireFormats

/// A transform that a reference may apply to an element before the digest, of those that SAML allows. (SAML 2.0 Core, section 5.4.4.)
enum XMLTransform {
    case envelopedSignature
    case canonicalization(XMLCanonicalization)

    static let envelopedSignatureIdentifier = XMLSecurity.signature + "enveloped-signature"

    /// The maximum number of prefixes in a `PrefixList`, each of which is looked up for every element.
    private static let mostPrefixes = 64

    /// Reads a `Transform` or a `CanonicalizationMethod`.
    ///
    /// The variants with comments are rejected: the parser drops comments, so their digest cannot be computed.
    init(_ element: XMLElement) throws(XMLSignatureError) {
        let identifier = element.attribute("Algorithm") ?? ""
        switch identifier {
        case Self.envelopedSignatureIdentifier:
            guard element.children.isEmpty else { throw .malformed }
            self = .envelopedSignature
        case "http://www.w3.org/TR/2001/REC-xml-c14n-20010315":
            guard element.children.isEmpty else { throw .malformed }
            self = .canonicalization(.inclusive)
        case XMLSecurity.exclusiveCanonicalization:
            let children = element.children
            guard children.count <= 1 else { throw .malformed }
            var prefixes: [String] = []
            if let list = children.first {
                guard list.isNamed("InclusiveNamespaces", in: XMLSecurity.exclusiveCanonicalization),
                    let text = list.attribute("PrefixList")
                else { throw .malformed }
                prefixes = text.split(whereSeparator: \.isWhitespace).map(String.init)
                guard prefixes.count <= Self.mostPrefixes else { throw .malformed }
            }
            self = .canonicalization(.exclusive(inclusivePrefixes: prefixes))
        default: throw .forbiddenTransform(identifier)
        }
    }
}
