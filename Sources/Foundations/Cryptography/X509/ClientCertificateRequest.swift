import COpenSSL

/// What an authority is asked to certify of a client.
package struct ClientCertificateRequest: Sendable {
    /// The attributes of the subject, in order: short names such as `CN`, and their values.
    package var subject: [(type: String, value: String)]
    /// The DNS names among the subject alternative names.
    package var dnsNames: [String] = []
    /// The URIs among the subject alternative names.
    package var uris: [String] = []
    /// The start of the validity, in seconds since 1970.
    package var notBefore: Int64
    /// The end of the validity, in seconds since 1970.
    package var notAfter: Int64

    /// - Parameter subject: the attributes of the subject, in order.
    package init(subject: [(type: String, value: String)], notBefore: Int64, notAfter: Int64) {
        (self.subject, self.notBefore, self.notAfter) = (subject, notBefore, notAfter)
    }

    /// Returns whether a name can be a subject alternative name. Only signs that OpenSSL's configuration does not use are allowed.
    package static func isAlternative(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 1024
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-._~:/@%*".utf8.contains(byte)
                }
            }
    }

    /// The subject alternative names in the form of OpenSSL's configuration; `nil` for none.
    fileprivate var alternatives: String? {
        let names = dnsNames.map { "DNS:\($0)" } + uris.map { "URI:\($0)" }
        return names.isEmpty ? nil : names.joined(separator: ",")
    }
}

extension RSAPrivateKey {
    /// Issues a certificate for a client, as PEM.
    /// - Parameters:
    ///   - key: the key of the client.
    ///   - authority: the certificate of this key, as PEM.
    /// - Throws: ``CryptographyError/operationFailed``, also for an attribute that OpenSSL does not know and for a value that is too long.
    package func issue(_ request: ClientCertificateRequest, for key: ClientKey, authority: String) throws(CryptographyError) -> String {
        guard (request.dnsNames + request.uris).allSatisfy(ClientCertificateRequest.isAlternative) else { throw .operationFailed }
        var serial = try randomBytes(16)
        // The serial number is positive and has full length. (RFC 5280 section 4.1.2.2.)
        serial[0] = serial[0] & 0x7F | 0x40
        var subject: [CChar] = []
        for attribute in request.subject { subject += Array(attribute.type.utf8CString) + Array(attribute.value.utf8CString) }
        subject.append(0)
        let capacity = 16_384
        let pem = authority.withCString { authority in
            (request.alternatives ?? "").withCString { alternatives in
                var claims = copenssl_certificate_claims()
                claims.alternatives = request.alternatives == nil ? nil : alternatives
                claims.not_before = request.notBefore
                claims.not_after = request.notAfter
                withUnsafeMutableBytes(of: &claims.serial) { $0.copyBytes(from: serial) }
                return withExtendedLifetime(key) {
                    bytes(upTo: capacity) { buffer in
                        buffer.withMemoryRebound(to: CChar.self, capacity: capacity) {
                            copenssl_client_certificate_issue(
                                key.handle.pointer, subject, &claims, handle.pointer, authority, $0, capacity)
                        }
                    }
                }
            }
        }
        guard !pem.isEmpty else { throw .operationFailed }
        return String(decoding: pem, as: UTF8.self)
    }
}

extension ClientCertificate {
    /// Returns the certificates of a PEM text.
    /// - Throws: ``CryptographyError/invalidKey`` for a text without one.
    package static func all(inPEM pem: String) throws(CryptographyError) -> [ClientCertificate] {
        var certificates: [ClientCertificate] = []
        while certificates.count < 100 {
            var text = pem
            let index = certificates.count
            let der = text.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) { text in
                    bytes(upTo: 65_536) { copenssl_certificate_der(text.baseAddress, text.count, index, $0, 65_536) }
                }
            }
            if der.isEmpty { break }
            certificates.append(try ClientCertificate(der: der))
        }
        guard !certificates.isEmpty else { throw .invalidKey }
        return certificates
    }

    /// Returns a certificate in DER as PEM. (RFC 7468 section 5.)
    /// - Parameter text: the certificate in base 64.
    package static func pem(base64 text: String) -> String {
        var (lines, rest) = (["-----BEGIN CERTIFICATE-----"], text[...])
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        return (lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }
}
