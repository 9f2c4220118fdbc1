import Testing
import WireFormats

@testable import Directory

@Suite("Operations on credentials")
struct CredentialOperationTests {
    private let time = Timestamp(seconds: 1_700_000_000)

    @Test("a user has at most two access keys, which are found by their identifiers")
    func accessKeys() throws {
        var keys: [AccessKey] = []
        try keys.add(AccessKey(id: "A", secret: "a", created: time))
        try keys.add(AccessKey(id: "B", secret: "b", created: time))
        #expect(throws: DirectoryRefusal.limitExceeded(.accessKeysOfUser, 2)) { try keys.add(AccessKey(id: "C", secret: "c")) }
        try keys.set("A", isActive: false)
        #expect(keys.map(\.isActive) == [false, true])
        try keys.set("A", isActive: true)
        #expect(keys.map(\.isActive) == [true, true])
        try keys.delete("A")
        #expect(keys.map(\.id) == ["B"])
        #expect(throws: DirectoryRefusal.noSuchAccessKey("A")) { try keys.delete("A") }
        #expect(throws: DirectoryRefusal.noSuchAccessKey("A")) { try keys.set("A", isActive: true) }
    }

    @Test("the last 24 passwords and the present one are remembered")
    func passwords() {
        var profile = LoginProfile(password: "p0", created: time, mustChange: false)
        for number in 1...30 { profile.setPassword("p\(number)", at: Timestamp(seconds: 1_700_000_000 + Int64(number))) }
        #expect(profile.password == "p30")
        #expect(profile.changed == Timestamp(seconds: 1_700_000_030))
        #expect(profile.earlier.count == 24)
        #expect(profile.earlier.first == "p29")
        #expect(profile.hasUsed("p30", amongLast: 1))
        #expect(!profile.hasUsed("p29", amongLast: 1))
        #expect(profile.hasUsed("p29", amongLast: 2))
        #expect(profile.hasUsed("p7", amongLast: 24))
        #expect(!profile.hasUsed("p6", amongLast: 24))
        #expect(!profile.hasUsed("p30", amongLast: nil))
    }
}
