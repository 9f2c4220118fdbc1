import Testing

@testable import Cloud

@Suite("Certificates of a mobile cloud's seed")
struct TokenCertificateSeedTests {
    @Test("are texts, or those of an identity provider of ours (R20)")
    func sources() throws {
        let seed = try decodeSeed(
            """
            {mobileCloud: {certificates: [
                {alias: "elsewhere", pem: "-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----"},
                {alias: "own", identityProvider: "company"},
            ]}, identityProviders: [{name: "company", issuer: "https://company.example"}]}
            """)
        #expect(
            seed.mobileCloud?.environment.certificates == [
                TokenCertificate(alias: "elsewhere", source: .pem("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----")),
                TokenCertificate(alias: "own", source: .identityProvider("company")),
            ])
    }

    @Test(
        "are one or the other",
        arguments: [
            (#"{alias: "a"}"#, "pem"), (#"{alias: "a", pem: "-----BEGIN CERTIFICATE-----", identityProvider: "company"}"#, "pem"),
            (#"{alias: "a", pem: "MIIB"}"#, "pem"), (#"{alias: "a", identityProvider: ""}"#, "identityProvider"),
            (#"{alias: "", identityProvider: "company"}"#, "alias"),
        ])
    func faults(text: String, key: String) throws {
        let error = try #require(throws: SeedError.self) { try decodeSeed("{mobileCloud: {certificates: [\(text)]}}") }
        #expect(error.place == "mobileCloud.certificates[0].\(key)")
    }
}
