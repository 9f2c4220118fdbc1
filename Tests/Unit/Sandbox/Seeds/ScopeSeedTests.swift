import Fixtures
import Testing
import WireFormats

@testable import Directory
@testable import Seeds

@Suite("APIs, scopes and claims in seeds")
struct ScopeSeedTests {
    @Test("are the same after they are written")
    func roundTrip() throws {
        let text = """
            {name: "c", issuer: "https://c", unknownScopes: "ignore", apis: [
                {identifier: "https://a", scopes: {r: "Read", w: ""}, clients: ["x"], tokenFormat: "jwt", tokenLifetime: 60, claims: ["tenant"]},
                {identifier: "b", scopes: ["b.read"]},
            ], clients: [{id: "x", scopes: ["r", "w"], attributes: {roles: ["a"]}, claims: {
                unit: "attribute:department", list: "groups", some: "groups:app-", text: "template:${email}!", tier: "=gold", on: true,
                only: {source: "=x", into: ["idToken", "userinfo"]}, object: {source: {a: 1}},
            }}]}
            """
        let provider = try IdentityProvider.record.read(Array(text.utf8))
        #expect(provider.clients["x"]?.metadata.scope == "r w")
        #expect(provider.apis[0].scopes == [.init("r", text: "Read"), .init("w")])
        #expect(provider.apis[0].claims == [ClaimMapping("tenant", .attribute("tenant"))])
        let claims = try #require(provider.clients["x"]?.claims)
        #expect(claims.first(where: { $0.name == "only" })?.places == [.idToken, .userinfo])
        #expect(claims.first(where: { $0.name == "object" })?.source == .constant(["a": 1]))
        let written = try IdentityProvider.record.json(of: provider)
        let again = try IdentityProvider.record.read(JSONValue.object(written).serializedBytes())
        #expect(try IdentityProvider.record.json(of: again) == written)
        #expect(again.apis == provider.apis)
        #expect(again.clients["x"] == provider.clients["x"])
        #expect(again.unknownScopes == .ignore)
    }

    @Test(
        "that are invalid have an error with place and expected value",
        arguments: [
            ("apis: [{}]", "apis[0].identifier", "an API's identifier"),
            ("apis: [{identifier: 'a'}, {identifier: 'a'}]", "apis", "different identifiers"),
            ("apis: [{identifier: 'a', scopes: ['b c']}]", "apis[0].scopes", "visible ASCII characters"),
            ("apis: [{identifier: 'a', scopes: {email: 'x'}}]", "apis[0].scopes", "not those of OpenID Connect"),
            ("apis: [{identifier: 'a', scopes: {b: 1}}]", "apis[0].scopes", "a list of scopes, or an object"),
            ("apis: [{identifier: 'a', tokenFormat: 'saml'}]", "apis[0].tokenFormat", "opaque or jwt"),
            ("apis: [{identifier: 'a', tokenLifetime: 0}]", "apis[0].tokenLifetime", "seconds from 1"),
            ("apis: [{identifier: 'a', claims: ['sub']}]", "apis[0].claims", "claims that tokens do not set themselves"),
            ("unknownScopes: 'drop'", "unknownScopes", "refuse, ignore"),
            ("clients: [{id: 'c', scopes: []}]", "clients[0].scopes", "at least one scope"),
            ("clients: [{id: 'c', scopes: ['a'], metadata: {scope: 'b'}}]", "clients[0].scopes", "beside the scope of metadata"),
            ("clients: [{id: 'c', claims: {x: 'department'}}]", "clients[0].claims.x", "attribute:NAME"),
            ("clients: [{id: 'c', claims: {iss: '=x'}}]", "clients[0].claims.iss", "claims that tokens do not set themselves"),
            ("clients: [{id: 'c', claims: {x: {source: '=x', into: ['saml']}}}]", "clients[0].claims.x", "idToken, accessToken"),
            ("clients: [{id: 'c', claims: {x: {value: 1}}}]", "clients[0].claims.x", "source and into in place of value"),
            ("clients: [{id: 'c', attributes: {scope: 'x'}}]", "clients[0].attributes", "in place of 'scope'"),
        ])
    func wrong(members: String, place: String, expected: String) throws {
        try check("name: 'x', issuer: 'https://x', \(members)", place, expected)
    }

    @Test(
        "do not change the providers whose behaviour is fixed",
        arguments: [
            ("name: 'google', apis: [{identifier: 'a'}]", "apis", "no APIs"),
            ("name: 'amazon', unknownScopes: 'ignore'", "unknownScopes", "the provider's own behaviour is fixed"),
            ("name: 'facebook', clients: [{id: 'c', claims: {x: '=y'}}]", "clients", "clients without claims"),
        ])
    func fixed(members: String, place: String, expected: String) throws { try check(members, place, expected) }

    private func check(_ members: String, _ place: String, _ expected: String) throws {
        let error = try #require(throws: SeedError.self) { try decodeSeed("{identityProviders: [{\(members)}]}") }
        #expect(error.place == "identityProviders[0].\(place)")
        #expect(error.expected.contains(expected), "\(error)")
    }
}
