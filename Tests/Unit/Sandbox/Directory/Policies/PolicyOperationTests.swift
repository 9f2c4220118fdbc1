import Policy
import Testing
import WireFormats

@testable import Directory

@Suite("Operations on managed policies")
struct PolicyOperationTests {
    private static let account = "123456789012"
    private static let arn = "arn:aws:iam::123456789012:policy/read"
    private let time = Timestamp(seconds: 1_700_000_000)
    private let later = Timestamp(seconds: 1_700_000_060)

    private func document() throws -> PolicyDocument {
        try PolicyDocument(
            parsing: #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:GetObject","Resource":"*"}}"#, kind: .identity)
    }

    private func policy(_ name: String = "read") throws -> ManagedPolicy {
        ManagedPolicy(account: Self.account, name: name, path: "/", id: "P-\(name)", created: time, document: try document(), text: "1")
    }

    private func directory() throws -> Directory {
        var directory = Directory()
        directory.put(.policy(try policy()))
        directory.put(.user(User(account: Self.account, name: "ann", path: "/", id: "U1", created: time)))
        directory.put(.group(Group(account: Self.account, name: "staff", path: "/", id: "G1", created: time)))
        return directory
    }

    @Test("names are unique without regard to case, and their number is limited for an account")
    func create() throws {
        var directory = try directory()
        let (same, other) = (try policy("READ"), try policy("write"))
        #expect(throws: DirectoryRefusal.policyAlreadyExists("READ")) { try directory.createPolicy(same, limit: 1) }
        #expect(throws: DirectoryRefusal.limitExceeded(.policiesOfAccount, 1)) { try directory.createPolicy(other, limit: 1) }
        try directory.createPolicy(other, limit: 2)
        #expect(directory.policies.count == 2)
    }

    @Test("version numbers rise and are not reused")
    func versions() throws {
        var policy = try policy()
        let document = try document()
        #expect(try policy.addVersion(document, text: "2", at: later, isDefault: false).number == 2)
        #expect(policy.defaultVersion == 1)
        #expect(policy.updated == later)
        try policy.deleteVersion(2, at: later)
        #expect(try policy.addVersion(document, text: "3", at: later, isDefault: true).number == 3)
        #expect(policy.defaultVersion == 3)
        #expect(policy.versions.map(\.number) == [1, 3])
        try policy.setDefaultVersion(1, at: later)
        #expect(policy.defaultVersion == 1)
        #expect(throws: DirectoryRefusal.noSuchVersion(2)) { try policy.setDefaultVersion(2, at: later) }
        #expect(throws: DirectoryRefusal.noSuchVersion(2)) { try policy.deleteVersion(2, at: later) }
        #expect(throws: DirectoryRefusal.defaultVersion) { try policy.deleteVersion(1, at: later) }
    }

    @Test("a sixth version is refused, or replaces the oldest that is not the default")
    func versionLimit() throws {
        var policy = try policy()
        let document = try document()
        for number in 2...5 { _ = try policy.addVersion(document, text: "\(number)", at: time, isDefault: false) }
        #expect(throws: DirectoryRefusal.limitExceeded(.versionsOfPolicy, 5)) {
            _ = try policy.addVersion(document, text: "6", at: time, isDefault: false)
        }
        _ = try policy.addVersion(document, text: "6", at: time, isDefault: true, replacesOldest: true)
        #expect(policy.versions.map(\.number) == [1, 3, 4, 5, 6])
        _ = try policy.addVersion(document, text: "7", at: time, isDefault: false, replacesOldest: true)
        #expect(policy.versions.map(\.number) == [3, 4, 5, 6, 7])
    }

    @Test("a policy is attached once, with its date, up to a limit")
    func attach() throws {
        var user = User(account: Self.account, name: "ann", path: "/", id: "U1", created: time)
        try user.attach("a", at: later, limit: 2)
        #expect(throws: DirectoryRefusal.alreadyAttached("a")) { try user.attach("a", limit: 1) }
        try user.attach("b", limit: 2)
        #expect(throws: DirectoryRefusal.limitExceeded(.attachedPolicies, 2)) { try user.attach("c", limit: 2) }
        try user.attach("c", limit: 1) { $0 == "c" }
        #expect(user.attachedPolicies == ["a", "b", "c"])
        #expect(user.attachmentDate(of: "a") == later)
        #expect(user.attachmentDate(of: "b") == time)
        try user.detach("a")
        #expect(user.attachedPolicies == ["b", "c"])
        #expect(user.attachmentDate(of: "a") == time)
        #expect(throws: DirectoryRefusal.notAttached("a")) { try user.detach("a") }
    }

    @Test("the first obstacle to the deletion of a policy is reported")
    func delete() throws {
        var directory = try directory()
        let all: [DirectoryRefusal.Holding] = [.attachedUsers, .attachedGroups, .attachedRoles, .bounded, .versions]
        func refused(_ holding: DirectoryRefusal.Holding, _ directory: Directory) {
            var directory = directory
            #expect(throws: DirectoryRefusal.notEmpty(holding)) { try directory.deletePolicy(Self.arn, unlessHolding: all) }
        }
        let document = try document()
        try directory.updatePolicy(Self.arn) { policy throws(DirectoryRefusal) in
            _ = try policy.addVersion(document, text: "2", at: time, isDefault: false)
        }
        refused(.versions, directory)
        var ann = try #require(directory.user("ann", in: Self.account)?.user)
        ann.boundary = Self.arn
        directory.put(.user(ann))
        refused(.bounded, directory)
        var staff = try #require(directory.group("staff", in: Self.account))
        try staff.attach(Self.arn, limit: 1)
        directory.put(.group(staff))
        refused(.attachedGroups, directory)
        try ann.attach(Self.arn, limit: 1)
        directory.put(.user(ann))
        refused(.attachedUsers, directory)
        let holders = directory.holders(of: Self.arn, in: Self.account)
        #expect(holders.users.map(\.name) == ["ann"])
        #expect(holders.groups.map(\.name) == ["staff"])
        #expect(holders.roles.isEmpty)

        try directory.deletePolicy(Self.arn, unlessHolding: [])
        #expect(throws: DirectoryRefusal.noSuchPolicy(Self.arn)) { try directory.deletePolicy(Self.arn, unlessHolding: []) }
        #expect(throws: DirectoryRefusal.noSuchPolicy(Self.arn)) { try directory.updatePolicy(Self.arn) { _ in } }
    }
}
