import Cloud
import Directory
import Federation
import Policy

/// A holder of policies as IAM sees it: the operations on its policies differ in names and numbers alone.
protocol IAMPolicyHolder: PolicyHolder {
    static var family: HolderFamily { get }
    var tags: [Tag] { get }
    var boundary: String? { get }
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

extension User: IAMPolicyHolder {
    static let family = HolderFamily.user
}

extension Group: IAMPolicyHolder {
    static let family = HolderFamily.group
    var tags: [Tag] { [] }
    var boundary: String? { nil }
}

extension Role: IAMPolicyHolder {
    static let family = HolderFamily.role
}

extension IAMPolicyHolder {
    /// The condition keys that every change of its policies has.
    var boundaryKeys: [OperationKey] { boundary.map { [("iam:PermissionsBoundary", $0)] } ?? [] }
}

extension IAMCall {
    /// The holder of a name. What does not exist is told only to those who may perform the action on it.
    func found<Holder: IAMPolicyHolder>(_ name: String) throws(QueryError) -> Holder {
        if let holder = Holder.find(name, in: directory, account: account) { return holder }
        try authorize(on: arn(Holder.family.noun, name))
        throw Holder.family.missing(name)
    }

    /// Changes a holder as it stands when its turn has come; `change` refuses what cannot be.
    func change<Holder: IAMPolicyHolder>(_ name: String, _ change: (inout Holder, Directory) throws -> Void) async throws {
        try await edit(Holder.family) { [account] directory in
            try directory.updateHolder(Holder.self, name, in: account, change)
        }
    }

    /// Changes the directory, and writes its refusals in the words of IAM.
    /// - Parameter family: the kind of what is changed; of no meaning for managed policies.
    func edit<Result: Sendable>(
        _ family: HolderFamily = .user, _ change: (inout Directory) throws -> Result
    ) async throws -> Result {
        try await cloud.edit(
            saying: { error in
                switch error {
                case let refusal as DirectoryRefusal: QueryError(refusal, of: family)
                case let refusal as any IAMRefusal: refusal.inWordsOfIAM
                default: error
                }
            }, change)
    }
}
