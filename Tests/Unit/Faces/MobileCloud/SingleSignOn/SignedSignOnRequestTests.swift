import Cryptography
import Directory
import Testing
import Tokens
import WireFormats

extension SAMLSignOnTests {
    @Test("signs requests if the provider requires it, in the query and in a form")
    func signedRequests() async throws {
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn(wantsSigned: true)) { mobile async throws in
            let keys = try await Self.keys(of: mobile)
            try await SAMLProviderStub.request(RelayBrowser(mobile).get(mobile.tokenURL())).verify(with: keys)
        }
        try await MobileSandbox.withSignOn(SAMLProviderStub.signOn(binding: .httpPOST, wantsSigned: true)) { mobile async throws in
            let keys = try await Self.keys(of: mobile)
            let page = try await RelayBrowser(mobile).get(mobile.tokenURL())
            #expect(page.status == 200)
            #expect(page.action == SAMLProviderStub.signOn)
            let request = try XMLElement(parsing: [UInt8](base64: page.hidden("SAMLRequest") ?? "") ?? [])
            #expect(try XMLSignatureVerifier(keys: keys).verify(request).attribute("ID") != nil)
        }
    }

    private static func keys(of mobile: MobileSandbox) async throws -> [VerificationKey] {
        let metadata = try await mobile.get("/mobile/platform/sso/redirect/saml/metadata").text
        return try ServiceProviderMetadata(metadata).serviceProvider.signingCertificates.compactMap { text in
            VerificationKey(try X509Certificate(der: [UInt8](base64: text) ?? []))
        }
    }
}
