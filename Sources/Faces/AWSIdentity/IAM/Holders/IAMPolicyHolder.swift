import Cloud
import Directory
import Federation
import Policy
import WireFormats

/// A policy holder as IAM sees it. The operations on the policies of all kinds of holders differ only in names and quotas.
protocol IAMPolicyHolder: PolicyHolder {
    static var family: HolderFamily { get }
    var tags: [Tag] { get }
    var boundary: String? { get }
}

/// The names and quotas of the operations on a kind of holder.
/// (IAM User Guide, "IAM and AWS STS quotas".)
struct HolderFamily: Sendable {
    /// The name in ARNs and messages.
    var noun: String
    /// The name in operations, parameters and quotas.
    var title: String
    /// The maximum size of all inline policies together, in characters without white space.
    var inlineSize: Int
    /// The length of the longest name that the operations on attached policies accept.
    var longestName: Int

    static let user = HolderFamily(noun: "user", title: "User", inlineSize: 2048, longestName: 64)
    static let group = HolderFamily(noun: "group", title: "Group", inlineSize: 5120, longestName: 128)
    static let role = HolderFamily(noun: "role", title: "Role", inlineSize: 10_240, longestName: 64)

    /// The parameter with the holder's name.
    var nameParameter: String { title + "Name" }

    func missing(_ name: String) -> ServiceError { .noSuchEntity("The \(noun) with name \(name) cannot be found.") }
}

extension User: IAMPolicyHolder {
    static let family = HolderFamily.user
}

extension Group: IAMPolicyHolder, ServiceResource {
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
    /// Returns the holder with a name. Only a caller who may perform the action learns that the holder does not exist.
    func found<Holder: IAMPolicyHolder>(_ name: String) throws(ServiceError) -> Holder {
        if let holder = Holder.find(name, in: directory, account: account) { return holder }
        try authorize(on: arn(Holder.family.noun, name))
        throw Holder.family.missing(name)
    }

    /// Applies a change to a holder, in its state at the time of the edit. `change` throws if it is not allowed.
    func change<Holder: IAMPolicyHolder>(_ name: String, _ change: (inout Holder, Directory) throws -> Void) async throws {
        try await edit(Holder.family) { [account] directory in
            try directory.updateHolder(Holder.self, name, in: account, change)
        }
    }

    /// Edits the directory and translates its errors into IAM's.
    /// - Parameter family: the kind of the holder that changes; irrelevant for managed policies.
    func edit<Result: Sendable>(
        _ family: HolderFamily = .user, _ change: (inout Directory) throws -> Result
    ) async throws -> Result {
        try await cloud.edit(
            saying: { error in
                switch error {
                case let refusal as DirectoryRefusal: ServiceError(refusal, of: family)
                case let refusal as any IAMRefusal: refusal.inWordsOfIAM
                default: error
                }
            }, change)
    }
}
