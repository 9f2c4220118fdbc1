import Cloud
import Fixtures
import Seeds
import Testing

extension SignOnTests {
    @Test("fault rules show error pages")
    func injected() async throws {
        let app = try await ServiceProviderFixture()
        _ = app.cloud.faults.add(FaultRule(service: "company", action: "Metadata", failure: .init(code: "server_error", status: 500)))
        let answer = try await app.visitor.get("company/saml/metadata")
        #expect(answer.status == 500)
        #expect(answer.body.contains("server_error"))
        #expect(answer.body.contains("<h1>"))
    }

    @Test("a provider without SAML has none of its paths")
    func without() async throws {
        let seed = try SeedFile(name: "test", text: Array("{identityProviders: [{name: 'plain', issuer: 'https://plain.example'}]}".utf8))
            .decode()
        let visitor = Visitor(try await Cloud.openForTest(seeds: [seed]))
        for path in ["plain/saml/metadata", "plain/saml/sso", "plain/adfs/ls/idpinitiatedsignon"] {
            #expect(try await visitor.get(path).status == 404)
        }
    }
}
