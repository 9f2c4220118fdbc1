import COpenSSL

/// A certificate with which a client proves who it is (RFC 5280), and the names in it. Nothing is verified unless a function says so.
package struct ClientCertificate: Sendable {
    /// The places of names in a certificate.
    package enum Place: String, Sendable {
        case subject
        case issuer
        /// The DNS names and URIs among the subject alternative names.
        case alternative
        /// The directory names among the subject alternative names.
        case directory
    }

    /// One attribute of a name.
    package struct Attribute: Hashable, Sendable {
        /// Where the attribute is.
        package let place: Place
        /// The short name of its type, such as `CN`; of other types the object identifier.
        package let type: String
        /// The value.
        package let value: String
    }

    /// The certificate in DER.
    package let der: [UInt8]
    /// The validity, the key and the subject as text.
    package let certificate: X509Certificate
    /// The version, which is 3 for certificates with extensions.
    package let version: Int
    /// Whether an extension is malformed.
    package let isMalformed: Bool
    /// Whether the certificate is that of an authority.
    package let isAuthority: Bool
    /// Whether the key usage includes digital signatures.
    package let maySign: Bool
    /// Whether the certificate is signed with SHA-256 or a longer digest of the same family.
    package let hasStrongHash: Bool
    /// The serial number, big-endian without leading zeros; empty if it is zero, negative or longer than 20 bytes.
    package let serial: [UInt8]
    /// The attributes of the names, in the order of the certificate.
    package let attributes: [Attribute]

    /// Reads a certificate in DER.
    /// - Throws: ``CryptographyError/invalidKey`` for anything else, and for one whose names are longer than 16 KiB.
    package init(der: [UInt8]) throws(CryptographyError) {
        certificate = try X509Certificate(der: der)
        var facts = copenssl_client_certificate()
        let capacity = 16_384
        let names = bytes(upTo: capacity) { buffer in
            buffer.withMemoryRebound(to: CChar.self, capacity: capacity) {
                copenssl_client_certificate_read(der, der.count, &facts, $0, capacity)
            }
        }
        guard !names.isEmpty else { throw .invalidKey }
        self.der = der
        version = Int(facts.version)
        isMalformed = facts.is_malformed != 0
        isAuthority = facts.is_authority != 0
        maySign = facts.may_sign != 0
        hasStrongHash = [COPENSSL_SHA256, COPENSSL_SHA384, COPENSSL_SHA512].contains { Int32($0) == facts.hash }
        let count = facts.serial_count
        serial = withUnsafeBytes(of: &facts.serial) { Array($0.prefix(count)) }
        attributes = Self.attributes(in: names)
    }

    /// Returns the first attribute of a name with a type.
    package func first(_ place: Place, _ type: String) -> String? {
        attributes.first { $0.place == place && $0.type.utf8.elementsEqual(type.utf8) }?.value
    }

    /// Reads texts with a zero at the end of each: after an empty one, three for each attribute.
    private static func attributes(in names: [UInt8]) -> [Attribute] {
        let texts = names.split(separator: 0, omittingEmptySubsequences: false).dropFirst().map { String(decoding: $0, as: UTF8.self) }
        return stride(from: 0, to: texts.count - 2, by: 3).compactMap { index in
            Place(rawValue: texts[index]).map { Attribute(place: $0, type: texts[index + 1], value: texts[index + 2]) }
        }
    }

    /// The serial number as a decimal number.
    package var decimalSerial: String {
        var (number, digits) = (serial, [UInt8]())
        while number.contains(where: { $0 != 0 }) {
            var rest = 0
            for index in number.indices {
                let value = rest << 8 | Int(number[index])
                (number[index], rest) = (UInt8(value / 10), value % 10)
            }
            digits.append(0x30 + UInt8(rest))
        }
        return digits.isEmpty ? "0" : String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// Returns whether the key of the certificate made a signature: RSASSA-PKCS1-v1_5 or ECDSA in DER, with SHA-256.
    package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        if let key = certificate.rsaKey { return key.verify(signature, of: message) }
        return certificate.ecKey?.verifySHA256(signature, of: message) ?? false
    }
}
