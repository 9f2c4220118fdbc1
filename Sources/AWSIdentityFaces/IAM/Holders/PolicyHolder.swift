import Cloud
import Directory
import Federation
import Policy

/// What holds policies and goes by a name: the operations on its policies differ in names and numbers alone.
protocol PolicyHolder: Sendable {
    static var family: HolderFamily { get }
    static func find(_ name: String, in directory: Directory, account: String) -> Self?
    var name: String { get }
    var arn: String { get }
    var tags: [Tag] { get }
    var boundary: String? { get }
    var policies: [InlinePolicy] { get set }
    var attachedPolicies: [String] { get set }
    var record: DirectoryRecord { get }
    /// Refuses to change what belongs to a service of AWS.
    func checkIsModifiable() throws(QueryError)
}

/// How the operations on a kind of holder call it, and what its quotas are.
/// (IAM User Guide, "IAM and AWS STS quotas".)
struct HolderFamily: Sendable {
    /// As in ARNs and messages.
    var noun: String
    /// As in the names of operations, parameters and quotas.
    var title: String
    /// Characters of all inline policies together, white space not counted.
    var inlineSize: Int
    /// The longest name that the operations on attached policies take.
    var longestName: Int

    static let user = HolderFamily(noun: "user", title: "User", inlineSize: 2048, longestName: 64)
    static let group = HolderFamily(noun: "group", title: "Group", inlineSize: 5120, longestName: 128)
    static let role = HolderFamily(noun: "role", title: "Role", inlineSize: 10_240, longestName: 64)

    /// The parameter that names one.
    var nameParameter: String { title + "Name" }

    func missing(_ name: String) -> QueryError { .noSuchEntity("The \(noun) with name \(name) cannot be found.") }
}

extension User: PolicyHolder {
    static let family = HolderFamily.user
    static func find(_ name: String, in directory: Directory, account: String) -> User? { directory.user(name, in: account)?.user }
    var record: DirectoryRecord { .user(self) }
}

extension Group: PolicyHolder {
    static let family = HolderFamily.group
    static func find(_ name: String, in directory: Directory, account: String) -> Group? { directory.group(name, in: account) }
    var tags: [Tag] { [] }
    var boundary: String? { nil }
    var record: DirectoryRecord { .group(self) }
}

extension Role: PolicyHolder {
    static let family = HolderFamily.role
    static func find(_ name: String, in directory: Directory, account: String) -> Role? { directory.role(name, in: account)?.role }
    var record: DirectoryRecord { .role(self) }
}

extension PolicyHolder {
    func checkIsModifiable() throws(QueryError) {}

    /// The condition keys that every change of its policies has.
    var boundaryKeys: [OperationKey] { boundary.map { [("iam:PermissionsBoundary", $0)] } ?? [] }

    /// Refuses to delete what still holds policies.
    func checkHoldsNothing() throws(QueryError) {
        guard attachedPolicies.isEmpty else { throw .deleteConflict("Cannot delete entity, must detach all policies first.") }
        guard policies.isEmpty else { throw .deleteConflict("Cannot delete entity, must delete policies first.") }
    }
}

extension IAMCall {
    /// The holder of a name. What does not exist is told only to those who may perform the action on it.
    func found<Holder: PolicyHolder>(_ name: String) throws(QueryError) -> Holder {
        if let holder = Holder.find(name, in: directory, account: account) { return holder }
        try authorize(on: arn(Holder.family.noun, name))
        throw Holder.family.missing(name)
    }

    /// Changes a holder as it stands when its turn has come; `change` refuses what cannot be.
    func change<Holder: PolicyHolder>(_ name: String, _ change: (inout Holder, Directory) throws -> Void) async throws {
        try await cloud.edit { [account] directory in
            guard var holder = Holder.find(name, in: directory, account: account) else { throw Holder.family.missing(name) }
            try holder.checkIsModifiable()
            try change(&holder, directory)
            directory.put(holder.record)
        }
    }
}
