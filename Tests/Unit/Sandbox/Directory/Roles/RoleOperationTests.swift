import Policy
import Testing
import WireFormats

@testable import Directory

@Suite("Operations on roles and instance profiles")
struct RoleOperationTests {
    private static let account = "123456789012"

    private func role(_ name: String, path: String = "/") throws -> Role {
        let trust =
            #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}}"#
        return Role(
            account: Self.account, name: name, path: path, id: "R-\(name)",
            trustPolicy: TrustPolicy(document: try PolicyDocument(parsing: trust, kind: .trust)))
    }

    @Test("change of a role that belongs to a service only the description")
    func protects() throws {
        var directory = Directory()
        let linked = try role("linked", path: "/aws-service-role/ec2.amazonaws.com/")
        try directory.createServiceLinkedRole(linked)
        try directory.createRole(try role("own"))
        #expect(throws: ServiceLinkedRoleRefusal.alreadyExists("linked")) { try directory.createServiceLinkedRole(linked) }
        #expect(throws: DirectoryRefusal.protectedRole("linked")) {
            try directory.updateRole("LINKED", in: Self.account) { $0.maximumSessionDuration = 7200 }
        }
        #expect(throws: DirectoryRefusal.protectedRole("linked")) {
            try directory.deleteRole("linked", in: Self.account, unlessHolding: [])
        }
        #expect(throws: DirectoryRefusal.protectedRole("linked")) {
            try directory.updateHolder(Role.self, "linked", in: Self.account) { role, _ in role.boundary = nil }
        }
        let described = try directory.updateRole("linked", in: Self.account, isDescription: true) { $0.description = "of EC2" }
        #expect(described.description == "of EC2")
        #expect(throws: DirectoryRefusal.noSuchRole("none")) { try directory.updateRole("none", in: Self.account) { _ in } }
        #expect(throws: ServiceLinkedRoleRefusal.noSuchRole("own")) {
            try directory.deleteServiceLinkedRole("own", in: Self.account)
        }
        try directory.deleteServiceLinkedRole("linked", in: Self.account)
        #expect(directory.role("linked", in: Self.account) == nil)
    }

    @Test("put one role in an instance profile, and take it out")
    func instanceProfile() throws {
        var directory = Directory()
        let profile = InstanceProfile(account: Self.account, name: "vm", path: "/", id: "I1", created: .fill)
        let (linked, own) = (try role("linked", path: "/aws-service-role/ec2.amazonaws.com/"), try role("own"))
        try directory.createServiceLinkedRole(linked)
        try directory.createRole(own)
        #expect(throws: InstanceProfileRefusal.noSuchProfile("vm")) {
            try directory.addRole("own", toInstanceProfile: "vm", in: Self.account)
        }
        try directory.createInstanceProfile(profile)
        #expect(throws: InstanceProfileRefusal.alreadyExists("vm")) { try directory.createInstanceProfile(profile) }
        #expect(throws: InstanceProfileRefusal.noSuchRole("none")) {
            try directory.addRole("none", toInstanceProfile: "vm", in: Self.account)
        }
        #expect(throws: InstanceProfileRefusal.protectedRole("linked")) {
            try directory.addRole("linked", toInstanceProfile: "vm", in: Self.account)
        }
        try directory.addRole("OWN", toInstanceProfile: "VM", in: Self.account)
        #expect(directory.instanceProfiles(holding: own).map(\.name) == ["vm"])
        #expect(throws: InstanceProfileRefusal.limitExceeded(1)) {
            try directory.addRole("own", toInstanceProfile: "vm", in: Self.account)
        }
        #expect(throws: InstanceProfileRefusal.notEmpty) { try directory.deleteInstanceProfile("vm", in: Self.account) }
        #expect(throws: InstanceProfileRefusal.roleNotInProfile(role: "linked", profile: "vm")) {
            try directory.removeRole("linked", fromInstanceProfile: "vm", in: Self.account)
        }
        try directory.removeRole("Own", fromInstanceProfile: "vm", in: Self.account)
        try directory.deleteInstanceProfile("vm", in: Self.account)
        #expect(directory.instanceProfiles.isEmpty)
    }

    @Test("of a directory for a copy are the same, and have no activity yet")
    func copies() throws {
        var directory = Directory()
        try directory.createRole(try role("own"))
        let original = try #require(directory.roles.values.first)
        original.activity.note(Timestamp(seconds: 5), region: "us-east-1")
        let copy = directory.forCopy
        let copied = try #require(copy.roles.values.first)
        #expect(copied.arn == original.arn)
        #expect(copied.activity.last == nil)
        #expect(copy.changes.isEmpty)
        copied.activity.note(Timestamp(seconds: 9), region: "eu-west-1")
        #expect(original.activity.last?.time.seconds == 5)
        #expect(directory.changes.count == 1)
    }
}
