import Fixtures
import Testing

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Certificates of a mobile cloud's seed")
struct TokenCertificateSeedTests {
    private static let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBeTCCAR+gAwIBAgIUcJPdaw85QVlCq5G/53YMLoSmFtcwCgYIKoZIzj0EAwIw
        ETEPMA0GA1UEAwwGaXNzdWVyMCAXDTI2MTEyMjEwNDU1OFoYDzIxMjYxMDI5MTA0
        NTU4WjARMQ8wDQYDVQQDDAZpc3N1ZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AASOyjpFoRY8jEmF7n//B7xZ1/dD0H+XKj+W3QG/B9OMu162Mrr1IG8PqzzLT9Pd
        kglzj1b7P38KwLi8s9PyHNVio1MwUTAdBgNVHQ4EFgQU/G77i2lCSQ1yOFnf1PnD
        ZeXTtewwHwYDVR0jBBgwFoAU/G77i2lCSQ1yOFnf1PnDZeXTtewwDwYDVR0TAQH/
        BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAkQ0aIM2CFXDIHTJD8fXODLoDJRLT
        uzIfL7oxIwhTLroCIHyLGIcxe35SIpntsFexWKzMEXN+1dTbwDjTsPxgp0c1
        -----END CERTIFICATE-----
        """

    @Test("are texts, or those of an identity provider in the seed (R20)")
    func sources() throws {
        let seed = try decodeSeed(
            """
            {mobileCloud: {certificates: [
                {alias: "elsewhere", pem: "\(Self.pem.split(separator: "\n").joined(separator: "\\n"))"},
                {alias: "own", identityProvider: "company"},
            ]}, identityProviders: [{name: "company", issuer: "https://company.example"}]}
            """)
        #expect(
            seed.mobileCloud?.environment.certificates == [
                TokenCertificate(alias: "elsewhere", source: .pem(Self.pem)),
                TokenCertificate(alias: "own", source: .identityProvider("company")),
            ])
    }

    @Test(
        "have exactly one source",
        arguments: [
            (#"{alias: "a"}"#, "pem"), (#"{alias: "a", pem: "-----BEGIN CERTIFICATE-----", identityProvider: "company"}"#, "pem"),
            (#"{alias: "a", pem: "MIIB"}"#, "pem"),
            (#"{alias: "a", pem: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"}"#, "pem"),
            (#"{alias: "a", identityProvider: ""}"#, "identityProvider"),
            (#"{alias: "", identityProvider: "company"}"#, "alias"),
        ])
    func faults(text: String, key: String) throws {
        let error = try #require(throws: SeedError.self) { try decodeSeed("{mobileCloud: {certificates: [\(text)]}}") }
        #expect(error.place == "mobileCloud.certificates[0].\(key)")
    }
}
