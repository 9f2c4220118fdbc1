import Directory
import Testing

@testable import IdentityProviders

@Suite("Grants of the token endpoint")
struct TokenGrantTests {
    @Test("have a row for each grant type", arguments: ["authorization_code", "refresh_token"] + FurtherGrant.allCases.map(\.rawValue))
    func known(_ grantType: String) throws {
        #expect(TokenGrant.named(grantType) != nil)
    }

    @Test("are known by their exact names", arguments: ["", "implicit", "Password", "device_code"])
    func unknown(_ grantType: String) throws {
        #expect(TokenGrant.named(grantType) == nil)
    }
}
