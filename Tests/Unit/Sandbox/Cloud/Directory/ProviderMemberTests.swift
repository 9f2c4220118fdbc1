import Fixtures
import SQLite
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("The clients and people of a provider")
struct ProviderMemberTests {
    private static let seed = """
        {identityProviders: [{name: "company", issuer: "https://login.example",
          clients: [{id: "web"}, {id: "cli"}], people: [{name: "ann", subject: "1", password: "p", claims: {email: "Ann@x.example"}}]}]}
        """

    private func client(_ id: String) -> Client {
        var client = Client(id: id, secret: nil, name: id, redirectURIs: ["https://\(id).example/cb"], applicationID: nil)
        client.isOpenlyRegistered = true
        return client
    }

    /// The number of records and the bytes in them.
    private func size(of cloud: Cloud) throws -> (rows: Int64, bytes: Int64) {
        try #require(
            try cloud.database.read { connection in
                try connection.first("SELECT count(*), sum(length(document)) FROM records") { ($0.integer(0), $0.integer(1)) }
            })
    }

    @Test("are records of their own: a registration writes as much beside ten thousand clients as beside ten")
    func cost() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            var writes: [Int] = []
            var growth: [Int64] = []
            for (count, id) in [(10, "client-aaaaa"), (10_000, "client-bbbbb")] {
                try await cloud.edit { directory in
                    for number in 0..<count { directory.put(self.client("\(count)-\(10_000 + number)"), at: "company") }
                }
                let before = try size(of: cloud)
                try await cloud.edit { directory in
                    directory.put(self.client(id), at: "company")
                    writes.append(directory.changes.count)
                }
                let after = try size(of: cloud)
                growth.append(after.bytes - before.bytes)
                #expect(after.rows == before.rows + 1)
            }
            #expect(writes == [1, 1])
            // The position has more digits.
            #expect(growth[1] - growth[0] <= 4)
            let provider = try #require(cloud.directory.providers["company"])
            #expect(provider.clients.count == 10_014)
            #expect(provider.client("client-bbbbb")?.redirectURIs == ["https://client-bbbbb.example/cb"])
            #expect(cloud.directory.openlyRegisteredClients == 10_012)
        }
    }

    @Test("are found by name and alias, counted by trait, and stay in their order after a restart")
    func restart() async throws {
        try await withTemporaryFolder { folder in
            func check(_ cloud: Cloud) throws {
                let provider = try #require(cloud.directory.providers["company"])
                #expect(provider.clients.map(\.id) == ["web", "b", "a"])
                #expect(provider.clients.first?.id == "web")
                #expect(provider.client("cli") == nil)
                #expect(provider.client("a")?.name == "changed")
                #expect(provider.clients.count(.page("https://a.example")) == 1)
                #expect(provider.clients.count(.page("https://z.example")) == 0)
                #expect(cloud.directory.openlyRegisteredClients == 2)
                #expect(provider.people.first(.subject("1"))?.name == "ann")
                #expect(provider.people.first(.mail("ann@x.example")) == nil)
                #expect(provider.people.first(.foldedMail("ann@x.example"))?.name == "ann")
            }
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                try await cloud.edit { directory in
                    for id in ["b", "z", "a"] { directory.put(self.client(id), at: "company") }
                    var changed = self.client("a")
                    changed.name = "changed"
                    directory.put(changed, at: "company")
                    for id in ["cli", "z", "unknown"] { directory.removeClient(id, at: "company") }
                    directory.put(self.client("x"), at: "unknown")
                }
                try check(cloud)
            }
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in try check(cloud) }
        }
    }

    @Test("change with a provider that is replaced, and leave with it")
    func replacement() async throws {
        try await withTemporaryFolder { folder in
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                try await cloud.edit { directory in
                    var provider = try #require(directory.providers["company"])
                    provider.clients = Roster([self.client("new"), try #require(provider.client("cli"))])
                    provider.tokenLifetime = 60
                    directory.put(.provider(provider))
                }
            }
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                let provider = try #require(cloud.directory.providers["company"])
                #expect(provider.clients.map(\.id) == ["new", "cli"])
                #expect(provider.people.map(\.name) == ["ann"])
                #expect(provider.tokenLifetime == 60)
                try await cloud.edit { $0.remove(DirectoryRecord.ID(.provider, "company")) }
                #expect(try size(of: cloud).rows == 0)
            }
        }
    }

    @Test("become records when a file of an earlier version is opened")
    func migration() async throws {
        try await withTemporaryFolder { folder in
            try await withSandbox(Self.seed, folder: folder) { _ in }
            do {
                // As the version before wrote it, with an ID that only a client of the control API could repeat.
                let connection = try Connection(path: folder + "/virga.sqlite")
                try connection.execute(
                    """
                    DELETE FROM records WHERE family IN ('providerClient', 'providerPerson');
                    UPDATE records SET document = json_set(document, '$.clients', json('[
                        {"id":"web","name":"first","redirectURIs":[],"metadata":{}},
                        {"id":"café/1","name":"second","redirectURIs":["https://app.example/cb"],"metadata":{}},
                        {"id":"web","name":"third","redirectURIs":[],"metadata":{}}]'),
                        '$.people', json('[{"name":"ann","subject":"1","password":"p","claims":{"n":[1.50,12345678901234567,"\\u00e9"]}}]'))
                    WHERE family = 'provider';
                    PRAGMA user_version = 7;
                    """)
            }
            try await withSandbox(Self.seed, folder: folder) { cloud async throws in
                let provider = try #require(cloud.directory.providers["company"])
                #expect(provider.clients.map(\.name) == ["first", "second"])
                #expect(provider.client("café/1")?.redirectURIs == ["https://app.example/cb"])
                #expect(provider.person(named: "ann")?.claims == ["n": [1.5, 12_345_678_901_234_567, "é"]])
                // The provider's own record has none any more.
                let document = try cloud.database.read { connection in
                    try connection.first("SELECT document FROM records WHERE family = 'provider'") { $0.text(0) }
                }
                let record = try JSONValue(parsing: try #require(document))
                #expect(record["clients"] == nil)
                #expect(record["people"] == nil)
                try await cloud.edit { $0.removeClient("café/1", at: "company") }
                #expect(cloud.directory.providers["company"]?.clients.map(\.id) == ["web"])
            }
        }
    }

    @Test("without a name in a file of an earlier version are an error, and the file stays as it is", arguments: ["clients", "people"])
    func migrationOfNameless(list: String) async throws {
        try await withTemporaryFolder { folder in
            try await withSandbox(Self.seed, folder: folder) { _ in }
            func connection() throws -> Connection { try Connection(path: folder + "/virga.sqlite") }
            try connection().execute(
                """
                DELETE FROM records WHERE family IN ('providerClient', 'providerPerson');
                UPDATE records SET document = json_set(document, '$.\(list)', json('[{"metadata":{}}]')) WHERE family = 'provider';
                PRAGMA user_version = 7;
                """)
            let error = #expect(throws: StorageError.self) { try Database(folder: folder) }
            #expect(error?.description.contains("records.id") == true)
            #expect(try connection().first("PRAGMA user_version") { $0.integer(0) } == 7)
            #expect(try connection().first("SELECT count(*) FROM records WHERE family LIKE 'provider_%'") { $0.integer(0) } == 0)
        }
    }
}
