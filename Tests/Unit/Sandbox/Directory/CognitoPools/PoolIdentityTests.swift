import Testing
import WireFormats

@testable import Directory

@Suite("Identities of identity pools")
struct PoolIdentityTests {
    private static let pool = IdentityPool(account: "123456789012", id: "us-east-1:a", name: "shop", allowsGuests: true)
    private static let now = Timestamp(seconds: 1000)

    private func login(_ provider: String, _ subject: String) -> PoolIdentity.Login { .init(provider: provider, subject: subject) }

    private func directory() -> Directory {
        var directory = Directory()
        directory.insert(.identityPool(.pool(Self.pool)))
        return directory
    }

    @Test("have one owner for each login, whatever the order")
    func owners() throws {
        var directory = directory()
        let one = try directory.identity(of: [login("a", "1")], in: Self.pool, newID: "us-east-1:1", now: Self.now)
        let two = try directory.identity(of: [login("b", "1")], in: Self.pool, newID: "us-east-1:2", now: Timestamp(seconds: 2000))
        #expect(one.id != two.id)
        let merged = try directory.identity(of: [login("b", "1"), login("a", "1")], in: Self.pool, newID: "us-east-1:3", now: Self.now)
        #expect(merged.id == one.id)
        #expect(directory.identityPools.identity(of: login("b", "1"), in: Self.pool.id)?.id == one.id)
        #expect(directory.identityPools.identity(two.id)?.isDisabled == true)
        #expect(directory.identityPools.identity("us-east-1:3") == nil)
    }

    @Test("follow merges of merges")
    func chains() throws {
        var directory = directory()
        let one = try directory.identity(of: [login("a", "1")], in: Self.pool, newID: "us-east-1:1", now: Self.now)
        let two = try directory.identity(of: [login("b", "1")], in: Self.pool, newID: "us-east-1:2", now: Self.now)
        let three = try directory.identity(of: [login("c", "1")], in: Self.pool, newID: "us-east-1:3", now: Self.now)
        let first = try directory.identity(one.id, presenting: [login("a", "1"), login("b", "1")], in: Self.pool, now: Self.now)
        #expect(first.id == two.id)
        let second = try directory.identity(two.id, presenting: [login("b", "1"), login("c", "1")], in: Self.pool, now: Self.now)
        #expect(second.id == three.id)
        let found = try directory.identity(one.id, presenting: [login("a", "1")], in: Self.pool, now: Self.now)
        #expect(found.id == three.id)
        #expect(throws: IdentityPoolRefusal.forbidden(one.id)) {
            try directory.identity(one.id, presenting: [login("d", "1")], in: Self.pool, now: Self.now)
        }
    }

    @Test("have at most twenty logins, and one of each public provider")
    func limits() throws {
        var pool = Self.pool
        pool.developerProvider = "own"
        var directory = directory()
        directory.insert(.identityPool(.pool(pool)))
        let logins = (1...20).map { login("own", "\($0)") }
        let full = try directory.identity(of: logins, in: pool, newID: "us-east-1:1", now: Self.now)
        #expect(full.logins.count == 20)
        #expect(throws: IdentityPoolRefusal.tooManyLogins(20)) {
            try directory.identity(of: logins + [login("own", "21")], in: pool, newID: "us-east-1:2", now: Self.now)
        }
        #expect(throws: IdentityPoolRefusal.severalLogins(provider: "a")) {
            try directory.identity(of: [login("a", "1"), login("a", "2")], in: pool, newID: "us-east-1:3", now: Self.now)
        }
        #expect(directory.identityPools.identities(of: pool.id).map(\.id) == ["us-east-1:1"])
    }

    @Test("of guests end at the documented number, and those with logins do not")
    func mostGuests() throws {
        var directory = directory()
        for number in 1..<Directory.mostGuests {
            directory.insert(
                .identityPool(.identity(PoolIdentity(pool: Self.pool.id, id: "us-east-1:\(number)", logins: [], created: Self.now))))
        }
        let last = try directory.identity(of: [], in: Self.pool, newID: "us-east-1:last", now: Self.now)
        #expect(throws: IdentityPoolRefusal.tooManyGuests(10_000)) {
            try directory.identity(of: [], in: Self.pool, newID: "us-east-1:more", now: Self.now)
        }
        _ = try directory.identity(of: [login("a", "1")], in: Self.pool, newID: "us-east-1:member", now: Self.now)
        // A guest who logs in or is deleted makes room.
        _ = try directory.identity(last.id, presenting: [login("a", "2")], in: Self.pool, now: Self.now)
        directory.removeIdentity("us-east-1:1")
        for name in ["next", "more"] {
            _ = try directory.identity(of: [], in: Self.pool, newID: "us-east-1:\(name)", now: Self.now)
        }
        #expect(directory.identityPools.guestCount(of: Self.pool.id) == 10_000)
        try directory.deleteIdentityPool(Self.pool.id, in: Self.pool.account)
        #expect(directory.identityPools.guestCount(of: Self.pool.id) == 0)
    }

    @Test("are gone with their pool")
    func deletion() throws {
        var directory = directory()
        _ = try directory.identity(of: [login("a", "1")], in: Self.pool, newID: "us-east-1:1", now: Self.now)
        #expect(throws: IdentityPoolRefusal.noSuchPool(Self.pool.id)) {
            try directory.deleteIdentityPool(Self.pool.id, in: "999999999999")
        }
        try directory.deleteIdentityPool(Self.pool.id, in: Self.pool.account)
        #expect(directory.identityPools.isEmpty)
        #expect(directory.identityPools.identity("us-east-1:1") == nil)
        #expect(directory.identityPools.identity(of: login("a", "1"), in: Self.pool.id) == nil)
    }
}
