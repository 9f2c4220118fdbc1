import Fixtures
import Policy
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import ObjectStore
@testable import Seeds

@Suite("Token vending machines in seeds")
struct VendingMachineSeedTests {
    private func seed(_ vending: String, file: String = "s") throws -> Seed {
        let text = """
            {accounts: [{id: "000000000000", users: [{name: "Vendor"}]}, {id: "111111111111"}], vendingMachines: {\(vending)}}
            """
        return try SeedFile(name: file, text: Array(text.utf8)).decode()
    }

    private static let uid = String(repeating: "u", count: 24)
    private static let key = String(repeating: "0", count: 32)

    @Test("are parsed")
    func reads() async throws {
        let decoded = try seed(
            """
            account: "000000000000", user: "vendor",
            policy: {Statement: [{Effect: "Allow", Action: "s3:*", Resource: "arn:aws:s3:::box/__USERNAME__/*"}]},
            anonymous: {devices: [{uid: "\(Self.uid)", key: "\(Self.key)"}]},
            identity: {app: "Notes", hosts: ["TVM.Example"], people: [{name: "alice", password: "secret1"}]},
            """)
        let cloud = try await Cloud.open(folder: nil, seeds: [decoded])
        let vending = cloud.directory.vending
        #expect(Set(vending.machines.keys) == [.anonymous, .identity])
        #expect(vending.machines[.identity]?.app == "notes")
        #expect(vending.machines[.anonymous]?.app == "mymobileappname")
        #expect(vending.kind(ofHost: "tvm.example") == .identity)
        #expect(vending.kind(ofHost: "other.example") == nil)
        #expect(vending.machines[.anonymous]?.policy(for: "d").contains("arn:aws:s3:::box/d/*") == true)
        #expect(vending.device(Self.uid, of: .anonymous)?.key == Self.key)
        #expect(vending.device(Self.uid, of: .identity) == nil)
        let alice = try #require(vending.user(named: "alice"))
        #expect(alice.secret == .password("secret1"))
        #expect(vending.user(id: alice.id) == alice)
        #expect(alice.id.utf8.count == 32)
        await cloud.close()
    }

    @Test("are stored in the database, with later registrations")
    func persists() async throws {
        let decoded = try seed(#"account: "000000000000", anonymous: {}, identity: {people: [{name: "alice", password: "secret1"}]}"#)
        try await withTemporaryFolder { folder async throws in
            let first = try await Cloud.open(folder: folder, seeds: [decoded])
            try await first.edit { directory in
                directory.put(.vending(.device(VendingDevice(machine: .identity, uid: "a/b", key: "k", userID: "1"))))
                directory.put(.vending(.user(VendingUser(name: "bob", id: "1", secret: .hashes(["h"])))))
            }
            await first.close()
            let second = try await Cloud.open(folder: folder, seeds: [])
            let vending = second.directory.vending
            #expect(vending.machines.count == 2)
            #expect(vending.user(id: "1")?.secret == .hashes(["h"]))
            #expect(vending.device("a/b", of: .identity)?.userID == "1")
            #expect(vending.user(named: "alice") != nil)
            try await second.edit { directory in
                directory.remove(.init(.vending, "device/identity/a/b"))
                directory.remove(.init(.vending, "user/bob"))
                directory.remove(.init(.vending, "machine/anonymous"))
            }
            let rest = second.directory.vending
            #expect(rest.device("a/b", of: .identity) == nil)
            #expect(rest.user(named: "bob") == nil)
            #expect(rest.machines[.anonymous] == nil)
            await second.close()
        }
    }

    @Test(
        "that are invalid have an error with the place",
        arguments: [
            ("account: '000000000000'", "vendingMachines"), ("anonymous: {}", "vendingMachines.account"),
            ("account: '000000000000', anonymous: {people: []}", "vendingMachines.anonymous.people"),
            ("account: '000000000000', anonymous: {devices: [{uid: 'short', key: '\(key)'}]}", "vendingMachines.anonymous.devices[0].uid"),
            ("account: '000000000000', anonymous: {devices: [{uid: '\(uid)', key: '\(uid)'}]}", "vendingMachines.anonymous.devices[0].key"),
            (
                "account: '000000000000', identity: {people: [{name: 'a b', password: 'secret1'}]}",
                "vendingMachines.identity.people[0].name"
            ),
            ("account: '000000000000', identity: {people: [{name: 'abc', password: 'x'}]}", "vendingMachines.identity.people[0].password"),
            ("account: '000000000000', identity: {}, policy: {Statement: [{Effect: 'Maybe'}]}", "vendingMachines.policy"),
            ("account: '000000000000', identity: {hosts: ['http://x.example']}", "vendingMachines.identity.hosts"),
            // These are host names of the whole process.
            ("account: '000000000000', identity: {hosts: ['127.0.0.1']}", "vendingMachines.identity.hosts"),
            ("account: '000000000000', anonymous: {hosts: ['tvm.example', '10.0.0.7']}", "vendingMachines.anonymous.hosts"),
            ("account: '000000000000', anonymous: {hosts: ['localhost']}", "vendingMachines.anonymous.hosts"),
            ("account: '000000000000', anonymous: {hosts: ['[::1]']}", "vendingMachines.anonymous.hosts"),
            ("account: '000000000000', anonymous: {hosts: ['tvm..example']}", "vendingMachines.anonymous.hosts"),
            (
                "account: '000000000000', identity: {people: [{name: 'abc', password: 'secret'}, {name: 'abc', password: 'secret'}]}",
                "vendingMachines.identity.people[1].name"
            ),
            ("account: '000000000000', identity: {hosts: ['a.x']}, anonymous: {hosts: ['A.x']}", "vendingMachines.identity.hosts[0]"),
        ])
    func wrong(vending: String, place: String) throws {
        let error = #expect(throws: SeedError.self) { try seed(vending) }
        #expect(error?.place == place, "\(String(describing: error))")
        #expect(error?.file == "s", "\(String(describing: error))")
    }

    @Test(
        "must refer to existing accounts and users, and each machine is defined once",
        arguments: [
            ("account: '222222222222', identity: {}", "vendingMachines.account"),
            ("account: '111111111111', user: 'vendor', identity: {}", "vendingMachines.user"),
        ])
    func references(vending: String, place: String) throws {
        let decoded = try seed(vending)
        let error = #expect(throws: SeedError.self) { try Seed.checkTogether([decoded]) }
        #expect(error?.place == place)
        let one = try seed("account: '000000000000', identity: {}")
        let further = try SeedFile(
            name: "t", text: Array("{vendingMachines: {account: '000000000000', anonymous: {}}}".utf8)
        ).decode()
        try Seed.checkTogether([one, further])
        let again = try SeedFile(name: "t", text: Array("{vendingMachines: {account: '000000000000', identity: {}}}".utf8)).decode()
        let twice = #expect(throws: SeedError.self) { try Seed.checkTogether([one, again]) }
        #expect(twice?.file == "t")
        #expect(twice?.place == "vendingMachines.identity")
    }
}
