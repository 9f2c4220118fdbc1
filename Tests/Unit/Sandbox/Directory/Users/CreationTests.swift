import Policy
import Testing
import WireFormats

@testable import Directory

@Suite("The creation of users, groups and roles")
struct CreationTests {
    private static let account = "123456789012"
    private let time = Timestamp(seconds: 1_700_000_000)

    private func role(_ name: String) throws -> Role {
        let trust =
            #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}}"#
        return Role(
            account: Self.account, name: name, path: "/", id: "R-\(name)", created: time,
            trustPolicy: TrustPolicy(document: try PolicyDocument(parsing: trust, kind: .trust), text: trust))
    }

    @Test("is refused for a name in use, and beyond the quota of the account")
    func limits() throws {
        var directory = Directory()
        func user(_ name: String) -> User { User(account: Self.account, name: name, path: "/", id: "U-\(name)", created: time) }
        func group(_ name: String) -> Group { Group(account: Self.account, name: name, path: "/", id: "G-\(name)", created: time) }
        let (reader, other) = (try role("reader"), try role("writer"))
        try directory.createUser(user("ann"), limit: 1)
        try directory.createGroup(group("staff"), limit: 1)
        try directory.createRole(reader)
        #expect(throws: DirectoryRefusal.alreadyExists("ANN")) { try directory.createUser(user("ANN"), limit: 1) }
        #expect(throws: DirectoryRefusal.alreadyExists("staff")) { try directory.createGroup(group("staff"), limit: 1) }
        #expect(throws: DirectoryRefusal.alreadyExists("reader")) { try directory.createRole(reader, limit: 1) }
        #expect(throws: DirectoryRefusal.limitExceeded(.usersOfAccount, 1)) { try directory.createUser(user("bob"), limit: 1) }
        #expect(throws: DirectoryRefusal.limitExceeded(.groupsOfAccount, 1)) { try directory.createGroup(group("all"), limit: 1) }
        #expect(throws: DirectoryRefusal.limitExceeded(.rolesOfAccount, 1)) { try directory.createRole(other, limit: 1) }
        try directory.createRole(other)
        #expect(directory.roles.count == 2)
    }

    @Test("of a role is undone by its deletion, unless an instance profile or a policy prevents it")
    func deletesRole() throws {
        var directory = Directory()
        var reader = try role("reader")
        reader.attachedPolicies = ["arn:aws:iam::aws:policy/ReadOnlyAccess"]
        try directory.createRole(reader)
        directory.put(
            .instanceProfile(InstanceProfile(account: Self.account, name: "vm", path: "/", id: "I1", created: time, role: "reader")))
        let holdings: [DirectoryRefusal.Holding] = [.instanceProfiles, .attachedPolicies, .inlinePolicies]
        #expect(throws: DirectoryRefusal.notEmpty(.instanceProfiles)) {
            try directory.deleteRole("reader", in: Self.account, unlessHolding: holdings)
        }
        #expect(throws: DirectoryRefusal.notEmpty(.attachedPolicies)) {
            try directory.deleteRole("reader", in: Self.account, unlessHolding: [.attachedPolicies])
        }
        try directory.deleteRole("reader", in: Self.account, unlessHolding: [])
        #expect(throws: DirectoryRefusal.noSuchRole("reader")) { try directory.deleteRole("reader", in: Self.account, unlessHolding: []) }
    }
}
