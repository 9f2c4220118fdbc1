import COpenSSL

/// A certificate authority that issues certificates for the names of this process. (RFC 5280.)
package struct CertificateAuthority: Sendable {
    /// The authority's own certificate, which clients must trust.
    package let certificate: String

    private let key: ECPrivateKey

    /// The size of the output buffer; a certificate with two hundred names is smaller.
    private static let capacity = 16_384
    private static let day: Int64 = 86_400

    /// Reads a key and certificate that ``pem`` returned.
    /// - Throws: ``CryptographyError/invalidKey`` where the text contains no key.
    package init(pem: String) throws(CryptographyError) {
        key = try ECPrivateKey(pem: pem)
        let begin = "-----BEGIN CERTIFICATE-----"
        guard let start = pem.firstRange(of: begin)?.lowerBound else { throw .invalidKey }
        certificate = String(pem[start...])
    }

    private init(key: ECPrivateKey, certificate: String) {
        self.key = key
        self.certificate = certificate
    }

    /// Creates an authority that is valid for ten years.
    /// - Parameter now: seconds since 1970.
    package static func make(named name: String, now: Int64) throws(CryptographyError) -> CertificateAuthority {
        let key = try ECPrivateKey.generate()
        let certificate = try issue(for: key, name, alternatives: nil, days: 3650, now: now, by: key, certificate: nil)
        return CertificateAuthority(key: key, certificate: certificate)
    }

    /// The key and the certificate as PEM, for storage.
    package var pem: String {
        get throws(CryptographyError) { try key.pem + certificate }
    }

    /// Issues a certificate for a server, valid for 397 days, the longest that browsers accept.
    /// - Parameters:
    ///   - names: DNS names, whose first label may be `*`, and IP addresses; other names are left out.
    ///   - now: seconds since 1970.
    package func issue(for key: ECPrivateKey, names: [String], now: Int64) throws(CryptographyError) -> String {
        let alternatives = names.compactMap(Self.alternative).joined(separator: ",")
        guard let first = names.first, !alternatives.isEmpty else { throw .operationFailed }
        // X.520 limits a common name to 64 characters. Clients look only at the alternative names.
        return try Self.issue(
            for: key, first.utf8.count <= 64 ? first : "virga", alternatives: alternatives, days: 397, now: now, by: self.key,
            certificate: certificate)
    }

    /// The alternative name as `DNS:...` or `IP:...`. Only letters, digits, and the signs of names are allowed, so that a name cannot
    /// inject OpenSSL configuration.
    private static func alternative(_ name: String) -> String? {
        let isAddress = name.contains(":") || name.split(separator: ".").count == 4 && name.utf8.allSatisfy { $0 < UInt8(ascii: "A") }
        let address = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "."), UInt8(ascii: ":"): true
            default: false
            }
        }
        if isAddress { return address ? "IP:\(name)" : nil }
        let isName =
            !name.isEmpty && name.utf8.count <= 253
            && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && label.utf8.count <= 63
                    && label.utf8.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"),
                            UInt8(ascii: "_"),
                            UInt8(ascii: "*"):
                            true
                        default: false
                        }
                    }
            }
        return isName ? "DNS:\(name)" : nil
    }

    private static func issue(
        for key: ECPrivateKey, _ name: String, alternatives: String?, days: Int64, now: Int64, by issuer: ECPrivateKey,
        certificate: String?
    ) throws(CryptographyError) -> String {
        var serial = try randomBytes(16)
        // The serial number is positive and has full length. (RFC 5280 section 4.1.2.2.)
        serial[0] = serial[0] & 0x7F | 0x40
        let text = withOptionalCString(alternatives) { alternatives in
            withOptionalCString(certificate) { certificate in
                name.withCString { name in
                    var claims = copenssl_certificate_claims()
                    claims.common_name = name
                    claims.alternatives = alternatives
                    claims.not_before = now - day
                    claims.not_after = now + days * day
                    withUnsafeMutableBytes(of: &claims.serial) { $0.copyBytes(from: serial) }
                    return bytes(upTo: capacity) { buffer in
                        buffer.withMemoryRebound(to: CChar.self, capacity: capacity) {
                            copenssl_certificate_issue(
                                key.handle.pointer, &claims, issuer.handle.pointer, certificate, $0, capacity)
                        }
                    }
                }
            }
        }
        guard !text.isEmpty else { throw .operationFailed }
        return String(decoding: text, as: UTF8.self)
    }

    private static func withOptionalCString<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }
}
