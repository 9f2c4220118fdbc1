import Testing
import WireFormats

@testable import Directory

@Suite("Operations on users and groups")
struct UserOperationTests {
    private static let time = Timestamp(seconds: 1_700_000_000)
    static let accounts = ["123456789012", "1234567890123456"]

    private func directory(_ account: String) -> Directory {
        var directory = Directory()
        var ann = User(account: account, name: "ann", path: "/", id: "U1")
        ann.accessKeys = [AccessKey(id: "KEY", secret: "secret", created: Self.time)]
        ann.joinDates = ["staff": Self.time]
        ann.groups = ["staff"]
        directory.put(.group(Group(account: account, name: "staff", path: "/", id: "G1", created: Self.time)))
        directory.put(.user(ann))
        directory.put(.user(User(account: account, name: "bob", path: "/", id: "U2")))
        var device = MultiFactorDevice(account: account, name: "phone", path: "/", seed: [1], created: Self.time)
        device.user = "ann"
        device.enabled = Self.time
        directory.put(.device(device))
        return directory
    }

    @Test("a renamed user keeps keys, groups and MFA devices", arguments: accounts)
    func renamesUser(_ account: String) throws {
        var directory = directory(account)
        try directory.updateUser("ann", in: account) { $0.name = "anna" }
        #expect(directory.user("ann", in: account) == nil)
        #expect(directory.user("anna", in: account)?.user.groups == ["staff"])
        #expect(directory.devices(of: "anna", in: account).map(\.name) == ["phone"])
        #expect(directory.devices(of: "ann", in: account).isEmpty)
        guard case .user(let holder, _)? = directory.keys["KEY"] else {
            Issue.record("nothing has the key")
            return
        }
        #expect(holder.user.name == "anna")
    }

    @Test("a user can be renamed to its own name in another case, but not to another user's", arguments: accounts)
    func refusesNames(_ account: String) throws {
        var directory = directory(account)
        try directory.updateUser("ann", in: account) { $0.name = "Ann" }
        #expect(directory.user("ann", in: account)?.user.name == "Ann")
        #expect(directory.devices(of: "Ann", in: account).count == 1)
        #expect(throws: DirectoryRefusal.alreadyExists("bob")) { try directory.updateUser("ann", in: account) { $0.name = "bob" } }
        #expect(throws: DirectoryRefusal.noSuchUser("eve")) { try directory.updateUser("eve", in: account) { $0.name = "x" } }
    }

    @Test("the first obstacle to the deletion of a user is reported")
    func deletesUser() throws {
        let account = Self.accounts[0]
        var directory = directory(account)
        #expect(throws: DirectoryRefusal.notEmpty(.devices)) {
            try directory.deleteUser("ann", in: account, unlessHolding: [.loginProfile, .devices, .accessKeys])
        }
        #expect(throws: DirectoryRefusal.notEmpty(.groups)) { try directory.deleteUser("ann", in: account, unlessHolding: [.groups]) }
        #expect(directory.user("ann", in: account) != nil)
    }

    @Test("a new user with the name of a deleted one does not get its MFA devices")
    func releasesDevices() throws {
        let account = Self.accounts[1]
        var directory = directory(account)
        try directory.deleteUser("ann", in: account, unlessHolding: [])
        #expect(directory.user("ann", in: account) == nil)
        #expect(directory.keys["KEY"] == nil)
        #expect(directory.devices(of: "ann", in: account).isEmpty)
        #expect(directory.devices.values.allSatisfy { $0.enabled == nil })
    }

    @Test("a renamed group keeps its members and the dates on which they joined", arguments: accounts)
    func renamesGroup(_ account: String) throws {
        var directory = directory(account)
        try directory.updateGroup("staff", in: account) { $0.name = "crew" }
        let ann = try #require(directory.user("ann", in: account)?.user)
        #expect(ann.groups == ["crew"])
        #expect(ann.joinDates == ["crew": Self.time])
        #expect(throws: DirectoryRefusal.noSuchGroup("staff")) { try directory.updateGroup("staff", in: account) { $0.name = "x" } }
        #expect(throws: DirectoryRefusal.notEmpty(.members)) { try directory.deleteGroup("crew", in: account, unlessHolding: []) }
    }

    @Test("a user joins a group once, up to the limit, and leaves it")
    func membership() throws {
        let account = Self.accounts[0]
        var directory = directory(account)
        #expect(throws: DirectoryRefusal.alreadyMember(user: "ann", group: "staff")) {
            try directory.addUser("ann", toGroup: "staff", in: account, limit: 1)
        }
        #expect(throws: DirectoryRefusal.limitExceeded(.groupsOfUser, 0)) {
            try directory.addUser("bob", toGroup: "staff", in: account, limit: 0)
        }
        #expect(throws: DirectoryRefusal.notMember(user: "bob", group: "staff")) {
            try directory.removeUser("bob", fromGroup: "staff", in: account)
        }
        try directory.removeUser("ann", fromGroup: "staff", in: account)
        #expect(directory.user("ann", in: account)?.user.joinDates == [:])
        try directory.deleteGroup("staff", in: account, unlessHolding: [.attachedPolicies])
        #expect(directory.group("staff", in: account) == nil)
    }
}
