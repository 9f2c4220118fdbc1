import WireFormats

/// What IAM reads of the metadata of a SAML identity provider. (SAML 2.0 Metadata, sections 2.3.2 and 2.4.3.)
struct SAMLMetadata {
    /// The name of the identity provider.
    var entityID: String
    /// Until when the document counts, if it says so.
    var validUntil: Timestamp?

    private static let namespace = "urn:oasis:names:tc:SAML:2.0:metadata"

    /// - Throws: `InvalidInput` for what describes no identity provider that signs with certificates of at least 1,024 bits.
    init(_ text: String) throws(QueryError) {
        let root: XMLElement
        do {
            root = try XMLElement(parsing: Array(text.utf8))
        } catch {
            throw .invalidInput("Could not parse metadata")
        }
        guard root.name == "EntityDescriptor", root.namespace == Self.namespace, let entityID = root.attribute("entityID"),
            !entityID.isEmpty, let provider = root.child("IDPSSODescriptor"), provider.namespace == Self.namespace
        else { throw .invalidInput("Could not parse metadata") }
        let certificates = provider.children(named: "KeyDescriptor").filter { $0.attribute("use") ?? "signing" == "signing" }
            .compactMap { $0.child("KeyInfo") }.flatMap { $0.children(named: "X509Data") }
            .flatMap { $0.children(named: "X509Certificate") }
        guard (1...10).contains(certificates.count) else { throw .invalidInput("Could not parse metadata") }
        for certificate in certificates {
            let text = String(certificate.text.unicodeScalars.filter { !$0.properties.isWhitespace }.map(Character.init))
            guard let bytes = [UInt8](base64: text), let bits = CertificateKey(certificate: bytes)?.rsaBits, bits >= 1024 else {
                throw .invalidInput("Could not parse metadata")
            }
        }
        self.entityID = entityID
        if let text = root.attribute("validUntil") {
            guard let time = Timestamp(iso8601: text) else { throw .invalidInput("Could not parse metadata") }
            validUntil = time
        }
    }
}

/// The public key of a certificate, as far as its size goes. (RFC 5280 section 4.1, in the encoding of ITU-T X.690.)
struct CertificateKey {
    /// The length of the modulus; nothing for a key that is not RSA's.
    var rsaBits: Int?

    /// Nothing for what is no certificate.
    init?(certificate: [UInt8]) {
        var outer = DERReader(certificate[...])
        guard var whole = outer.constructed(0x30), outer.isAtEnd, var body = whole.constructed(0x30) else { return nil }
        // Version, serial number, algorithm, issuer, validity and subject stand before the key.
        body.skip(0xA0)
        guard body.skip(0x02), body.skip(0x30), body.skip(0x30), body.skip(0x30), body.skip(0x30), var info = body.constructed(0x30),
            var algorithm = info.constructed(0x30), let identifier = algorithm.content(0x06), let bits = info.content(0x03),
            bits.first == 0
        else { return nil }
        // rsaEncryption, 1.2.840.113549.1.1.1 (RFC 8017 appendix A.1).
        guard identifier.elementsEqual([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]) else { return }
        var key = DERReader(bits.dropFirst())
        guard var numbers = key.constructed(0x30), let modulus = numbers.content(0x02) else { return nil }
        let digits = modulus.drop { $0 == 0 }
        rsaBits = digits.first.map { digits.count * 8 - $0.leadingZeroBitCount } ?? 0
    }
}

/// Walks values of distinguished encoding, one after the other.
private struct DERReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    /// The content of the next value, if it has the tag.
    mutating func content(_ tag: UInt8) -> ArraySlice<UInt8>? {
        var bytes = rest
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard (1...4).contains(count), bytes.count >= count else { return nil }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard bytes.count >= length else { return nil }
        rest = bytes.dropFirst(length)
        return bytes.prefix(length)
    }

    mutating func constructed(_ tag: UInt8) -> DERReader? { content(tag).map(DERReader.init) }

    @discardableResult
    mutating func skip(_ tag: UInt8) -> Bool { content(tag) != nil }
}
