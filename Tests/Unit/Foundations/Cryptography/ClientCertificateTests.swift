import Testing

@testable import Cryptography

@Suite("Certificates of clients")
struct ClientCertificateTests {
    private static let now: Int64 = 1_800_000_000

    private func issue(
        for key: ClientKey, subject: [(type: String, value: String)] = [("CN", "batch"), ("OU", "a"), ("OU", "b")]
    ) throws -> (certificate: ClientCertificate, authority: String) {
        let authority = try RSAPrivateKey.generate()
        let pem = try authority.selfSignedCertificate(named: "corp")
        var request = ClientCertificateRequest(subject: subject, notBefore: Self.now - 60, notAfter: Self.now + 60)
        request.dnsNames = ["a.example"]
        request.uris = ["spiffe://corp/batch"]
        let issued = try authority.issue(request, for: key, authority: pem)
        return (try #require(try ClientCertificate.all(inPEM: issued).first), pem)
    }

    @Test("have the names that were certified")
    func names() throws {
        let (certificate, _) = try issue(for: .ec(.generate()))
        #expect(certificate.version == 3)
        #expect(!certificate.isAuthority)
        #expect(certificate.maySign)
        #expect(certificate.hasStrongHash)
        #expect(certificate.serial.count == 16)
        #expect(certificate.attributes.filter { $0.place == .subject }.map(\.value) == ["batch", "a", "b"])
        #expect(certificate.first(.issuer, "CN") == "corp")
        #expect(certificate.first(.alternative, "DNS") == "a.example")
        #expect(certificate.first(.alternative, "URI") == "spiffe://corp/batch")
    }

    @Test("have decimal serial numbers")
    func serial() throws {
        let (certificate, _) = try issue(for: .ec(.generate()))
        var bytes: [UInt8] = []
        var digits = certificate.decimalSerial.utf8.map { Int($0) - 0x30 }
        while digits.contains(where: { $0 > 0 }) {
            var rest = 0
            for index in digits.indices {
                let value = rest * 10 + digits[index]
                (digits[index], rest) = (value / 256, value % 256)
            }
            bytes.insert(UInt8(rest), at: 0)
        }
        #expect(bytes == certificate.serial)
    }

    @Test("are trusted while they are valid, and by their own authority only")
    func trust() throws {
        let (certificate, authority) = try issue(for: .ec(.generate()))
        let trust = try #require(CertificateTrust(pem: authority))
        #expect(trust.fault(of: certificate, chain: [], now: Self.now) == nil)
        #expect(trust.fault(of: certificate, chain: [], now: Self.now + 61) == "certificate has expired")
        // The path has the authority, which the client did not send.
        let path = try trust.path(from: certificate, chain: [], now: Self.now)
        let root = try #require(try ClientCertificate.all(inPEM: authority).first)
        #expect(path.map(\.der) == [root.der])
        let other = try #require(CertificateTrust(pem: RSAPrivateKey.generate().selfSignedCertificate(named: "corp")))
        #expect(other.fault(of: certificate, chain: [], now: Self.now) != nil)
    }

    @Test("verify signatures of their keys")
    func signatures() throws {
        for key in [ClientKey.ec(try .generate()), .ec(try .generate(.p384)), .rsa(try .generate())] {
            let (certificate, _) = try issue(for: key)
            let signature = try key.sign([1, 2, 3])
            #expect(certificate.verify(signature, of: [1, 2, 3]))
            #expect(!certificate.verify(signature, of: [1, 2, 4]))
            #expect(try ClientKey(pem: key.pem).sign([1]).isEmpty == false)
        }
    }

    @Test("are refused as authorities, and so is other text")
    func authorities() throws {
        #expect(CertificateTrust(pem: "") == nil)
        #expect(CertificateTrust(pem: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n") == nil)
        let authority = try CertificateAuthority.make(named: "other", now: Self.now)
        let server = try authority.issue(for: .generate(), names: ["localhost"], now: Self.now)
        #expect(CertificateTrust(pem: server) == nil)
        #expect(try #require(CertificateTrust(pem: authority.certificate)).hasSigned(revocations: server) == false)
    }

    @Test("cannot have a subject that X.520 does not allow", arguments: ["unknown", "C"])
    func subjects(type: String) throws {
        #expect(throws: CryptographyError.self) { try issue(for: .ec(.generate()), subject: [(type, "too long")]) }
    }
}
