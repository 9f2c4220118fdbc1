import Cloud
import Directory
import WireFormats

extension RPCService {
    /// Operations on the versions of policies.
    static let policyVersions: [String: RPCOperation] = [
        "CreatePolicyVersion": RPCOperation { try await $0.createPolicyVersion() },
        "GetPolicyVersion": RPCOperation { try $0.getPolicyVersion() },
        "ListPolicyVersions": RPCOperation { try $0.listPolicyVersions() },
        "SetDefaultPolicyVersion": RPCOperation { try await $0.setDefaultPolicyVersion() },
        "DeletePolicyVersion": RPCOperation { try await $0.deletePolicyVersion() },
    ]
}

extension RPCCall {
    /// Returns a version as RAM describes it. (RAM API Reference, "PolicyVersion".)
    func describe(_ version: ManagedPolicy.Version, of policy: ManagedPolicy) -> RPCValue {
        [
            "VersionId": .text("v\(version.number)"), "IsDefaultVersion": .flag(version.number == policy.defaultVersion),
            "PolicyDocument": .text(version.shownText), "CreateDate": .date(version.created),
        ]
    }

    /// Returns the number in `VersionId`, such as 1 for `v1`.
    private func versionNumber() throws(RPCError) -> Int {
        let text = try required("VersionId")
        guard text.hasPrefix("v"), let number = Int(digits: text.dropFirst()) else {
            throw .wrongFormat("VersionId")
        }
        return number
    }

    private static let noVersion = RPCError.notExist("Policy.Version", "policy version")

    /// CreatePolicyVersion. With `RotateStrategy`, it deletes the oldest version that is not the default to make room.
    fileprivate func createPolicyVersion() async throws -> RPCValue {
        let name = try name("PolicyName", .policy)
        let text = try required("PolicyDocument")
        let document = try document(text)
        let isDefault = try flag("SetAsDefault") ?? false
        let strategy = self.text("RotateStrategy") ?? "None"
        guard ["None", "DeleteOldestNonDefaultVersionWhenLimitExceeded"].contains(strategy) else {
            throw RPCError.incorrect("RotateStrategy")
        }
        try permit(customPolicy(name))
        let (policy, version) = try await changePolicy(name) { [now] policy throws(DirectoryRefusal) in
            let version = try policy.addVersion(
                document, text: text, at: now, isDefault: isDefault, replacesOldest: strategy != "None")
            return (policy, version)
        }
        return ["PolicyVersion": describe(version, of: policy)]
    }

    fileprivate func getPolicyVersion() throws(RPCError) -> RPCValue {
        let arn = try namedPolicy()
        let number = try versionNumber()
        try permit(arn)
        let policy = try policy(arn, in: directory)
        guard let version = policy.versions.first(where: { $0.number == number }) else { throw Self.noVersion }
        return ["PolicyVersion": describe(version, of: policy)]
    }

    fileprivate func listPolicyVersions() throws(RPCError) -> RPCValue {
        let arn = try namedPolicy()
        try permit(arn)
        let policy = try policy(arn, in: directory)
        return ["PolicyVersions": .list(of: "PolicyVersion", policy.versions.map { describe($0, of: policy) })]
    }

    fileprivate func setDefaultPolicyVersion() async throws -> RPCValue {
        let name = try name("PolicyName", .policy)
        let number = try versionNumber()
        try permit(customPolicy(name))
        try await changePolicy(name) { [now] policy throws(DirectoryRefusal) in try policy.setDefaultVersion(number, at: now) }
        return .done
    }

    fileprivate func deletePolicyVersion() async throws -> RPCValue {
        let name = try name("PolicyName", .policy)
        let number = try versionNumber()
        try permit(customPolicy(name))
        try await changePolicy(name) { [now] policy throws(DirectoryRefusal) in try policy.deleteVersion(number, at: now) }
        return .done
    }
}
