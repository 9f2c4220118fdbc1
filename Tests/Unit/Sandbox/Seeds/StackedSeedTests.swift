import Fixtures
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Layered seeds")
struct StackedSeedTests {
    @Test("may repeat a root key and add to a social provider")
    func additions() async throws {
        let first = try decodeSeed(
            """
            {accounts: [{id: "000000000000", rootKeys: [{id: "a", secret: "s"}]}], identityProviders: [
                {name: "google", tokenLifetime: 60, clients: [{id: "one"}], people: [{name: "ann", subject: "1", password: "p"}]},
            ]}
            """)
        let second = try decodeSeed(
            """
            {accounts: [{id: "000000000000", rootKeys: [{id: "a", secret: "s"}, {id: "b", secret: "t"}]}], identityProviders: [
                {name: "google", clients: [{id: "two"}], people: [{name: "ben", subject: "2", password: "p"}]},
            ]}
            """)
        let cloud = try await Cloud.open(folder: nil, seeds: [first, second])
        #expect(cloud.directory.accounts["000000000000"]?.rootKeys.map(\.id) == ["a", "b"])
        let google = try #require(cloud.directory.providers["google"])
        #expect(google.tokenLifetime == 60)
        #expect(google.clients.map(\.id) == ["one", "two"])
        #expect(google.people.map(\.name) == ["ann", "ben"])
        await cloud.close()
    }

    @Test(
        "may not contradict one another",
        arguments: [
            // The same key with another secret, and in another account.
            (#"accounts: [{id: "000000000000", rootKeys: [{id: "a", secret: "t"}]}]"#, "accounts[0].rootKeys[0].id"),
            (#"accounts: [{id: "111111111111", rootKeys: [{id: "a", secret: "s"}]}]"#, "accounts[0].rootKeys[0].id"),
            (#"identityProviders: [{name: "google", clients: [{id: "one"}]}]"#, "identityProviders[0].clients[0].id"),
            (
                #"identityProviders: [{name: "google", people: [{name: "ann", subject: "2", password: "p"}]}]"#,
                "identityProviders[0].people[0].name"
            ),
            (#"identityProviders: [{name: "company", issuer: "https://company.example"}]"#, "identityProviders[0].name"),
            (#"identityProviders: [{name: "g", issuer: "https://accounts.google.com"}]"#, "identityProviders[0].issuer"),
        ])
    func contradictions(text: String, place: String) async throws {
        let first = try decodeSeed(
            """
            {accounts: [{id: "000000000000", rootKeys: [{id: "a", secret: "s"}]}], identityProviders: [
                {name: "google", clients: [{id: "one"}], people: [{name: "ann", subject: "1", password: "p"}]},
                {name: "company", issuer: "https://company.example"},
            ]}
            """, name: "first")
        let error = try #require(throws: SeedError.self) {
            try Seed.checkTogether([first, decodeSeed("{\(text)}", name: "second")])
        }
        #expect(error.file == "second")
        #expect(error.place == place)
    }
}
