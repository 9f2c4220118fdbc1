import Cryptography
import Testing

@Suite("External certificates")
struct X509CertificateTests {
    /// Made by `openssl req -x509`. The subject has a comma, a letter beyond ASCII, and a part of two attributes.
    static let pem = """
        -----BEGIN CERTIFICATE-----
        MIICrTCCAlOgAwIBAgIUQ+yCr2y/5yWkpNODlsaPESpDDcowCgYIKoZIzj0EAwIw
        gaoxCzAJBgNVBAYTAlVTMRQwEgYDVQQIDAtLYWxpZm9ybmllbjEPMA0GA1UEBwwG
        SMO8Z2VsMRMwEQYDVQQKDApBY21lLCBJbmMuMSIwCAYDVQQFEwE3MBYGA1UECwwP
        WW91ciBEZXBhcnRtZW50MRcwFQYDVQQDDA5pc3N1ZXIuZXhhbXBsZTEiMCAGCSqG
        SIb3DQEJARYTa2V5c0Bpc3N1ZXIuZXhhbXBsZTAgFw0yNjExMjIwODUzMzJaGA8y
        MDUxMDcxNDA4NTMzMlowgaoxCzAJBgNVBAYTAlVTMRQwEgYDVQQIDAtLYWxpZm9y
        bmllbjEPMA0GA1UEBwwGSMO8Z2VsMRMwEQYDVQQKDApBY21lLCBJbmMuMSIwCAYD
        VQQFEwE3MBYGA1UECwwPWW91ciBEZXBhcnRtZW50MRcwFQYDVQQDDA5pc3N1ZXIu
        ZXhhbXBsZTEiMCAGCSqGSIb3DQEJARYTa2V5c0Bpc3N1ZXIuZXhhbXBsZTBZMBMG
        ByqGSM49AgEGCCqGSM49AwEHA0IABF7k2UCEJ1HA3Ks4KeM8Kiw+HzfioSEf7kXG
        E9d9iAkaIU2e08mpN5Qqf9an9Vmxb60BLVn5L3xh/f6B5EWFy9SjUzBRMB0GA1Ud
        DgQWBBTs73gZ/86I7IaZnF2gRRDb6yjOUDAfBgNVHSMEGDAWgBTs73gZ/86I7IaZ
        nF2gRRDb6yjOUDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIE+G
        rwL+GA/8/Hxeh1DYQ54O1En0ungtQjKjeqoKp1uoAiEAjm0kswdAhSXZrQ7lZ+Ge
        yKQth9SUYjbKWtvEQBTX69E=
        -----END CERTIFICATE-----
        """

    @Test("have a subject in the form of RFC 4514 and a period of validity")
    func facts() throws {
        let certificate = try X509Certificate(pem: Self.pem)
        #expect(
            certificate.subject
                == "emailAddress=keys@issuer.example,CN=issuer.example,OU=Your Department+serialNumber=7,O=Acme\\, Inc.,L=Hügel,"
                + "ST=Kalifornien,C=US")
        #expect(certificate.notBefore == 1_795_337_612)
        #expect(certificate.notAfter == 2_572_937_612)
        #expect(certificate.ecKey?.curve == .p256)
        #expect(certificate.rsaKey == nil)
        #expect(throws: CryptographyError.invalidKey) { try X509Certificate(pem: "-----BEGIN CERTIFICATE-----") }
        #expect(throws: CryptographyError.invalidKey) { try X509Certificate(der: [0x30, 0x00]) }
    }

    @Test("have a chain in which each certificate issued the one before it, and is valid")
    func chains() throws {
        let (now, day) = (Int64(1_790_000_000), Int64(86_400))
        let authority = try CertificateAuthority.make(named: "test", now: now)
        let namesake = try CertificateAuthority.make(named: "test", now: now)
        let certificate = try authority.issue(for: ECPrivateKey.generate(), names: ["localhost"], now: now)
        func fault(_ chain: String, at moment: Int64) throws -> Int? {
            try X509Certificate.fault(inChain: chain, of: certificate, now: moment)
        }
        #expect(try fault(authority.certificate, at: now) == nil)
        #expect(try fault(authority.certificate + authority.certificate, at: now) == nil)
        #expect(try fault(namesake.certificate, at: now) == -1)
        #expect(try fault(certificate, at: now) == -1)
        #expect(try fault(authority.certificate + namesake.certificate, at: now) == 0)
        #expect(try fault(authority.certificate, at: now - 2 * day) == 0)
        #expect(try fault(authority.certificate, at: now + 3651 * day) == 0)
        for chain in ["", "nothing", String(repeating: authority.certificate, count: 102)] {
            #expect(throws: CryptographyError.invalidKey) { try fault(chain, at: now) }
        }
    }

    @Test("are valid from the first second of their period to the last")
    func period() throws {
        let certificate = try X509Certificate(pem: Self.pem)
        for moment in [certificate.notBefore, certificate.notAfter] { #expect(certificate.isValid(at: moment)) }
        for moment in [certificate.notBefore - 1, certificate.notAfter + 1] { #expect(!certificate.isValid(at: moment)) }
    }
}
