import Cloud
import Directory
import Policy
import WireFormats

extension RPCService {
    /// Operations on policies.
    static let policies: [String: RPCOperation] = [
        "CreatePolicy": RPCOperation { try await $0.createPolicy() }, "GetPolicy": RPCOperation { try $0.getPolicy() },
        "UpdatePolicyDescription": RPCOperation { try await $0.updatePolicyDescription() },
        "DeletePolicy": RPCOperation { try await $0.deletePolicy() }, "ListPolicies": RPCOperation { try $0.listPolicies() },
    ]
}

extension RPCCall {
    private static let mostPolicies = 1500
    private static let longestDocument = 6144

    /// Returns the ARN of the policy that a call names with `PolicyType` and `PolicyName`.
    func namedPolicy() throws(RPCError) -> String {
        let type = try policyType(try required("PolicyType"))
        let name = try name("PolicyName", .policy)
        return type == .system ? ManagedPolicy.arnOfAlibaba(name) : customPolicy(name)
    }

    /// Returns the ARN of a policy of the account.
    func customPolicy(_ name: String) -> String { resource("policy", name) }

    /// The owner of a policy.
    enum PolicyOwner: String {
        case system = "System"
        case custom = "Custom"
    }

    private func policyType(_ text: String) throws(RPCError) -> PolicyOwner {
        guard let type = PolicyOwner(rawValue: text) else { throw .incorrect("PolicyType") }
        return type
    }

    /// Returns the policy with an ARN.
    /// - Throws: `EntityNotExist.Policy`.
    func policy(_ arn: String, in directory: Directory) throws(RPCError) -> ManagedPolicy {
        guard let policy = directory.policy(arn: arn) else { throw .notExist("Policy", "policy") }
        return policy
    }

    /// Parses the text of a policy.
    func document(_ text: String) throws(RPCError) -> PolicyDocument {
        guard (1...Self.longestDocument).contains(text.utf8.count) else { throw .tooLong("PolicyDocument") }
        do {
            return try PolicyDocument(parsing: text, kind: .identity, dialect: .ram)
        } catch {
            throw .malformedPolicy(error)
        }
    }

    /// Applies a change to a policy of the account.
    func changePolicy<Result: Sendable>(
        _ name: String, _ change: @Sendable (inout ManagedPolicy) throws(DirectoryRefusal) -> Result
    ) async throws -> Result {
        let arn = customPolicy(name)
        return try await edit { directory throws(DirectoryRefusal) in try directory.updatePolicy(arn, change) }
    }

    /// How much of a policy a response contains.
    enum PolicyDetail {
        case created
        case described
        case listed
    }

    /// Returns a policy as RAM describes it. (RAM API Reference, "Policy".)
    func describe(_ policy: ManagedPolicy, _ detail: PolicyDetail, attachments: Int = 0) -> RPCValue {
        .members([
            "PolicyName": .text(policy.name), "PolicyType": .text(policy.owner.rawValue), "Description": .text(policy.description ?? ""),
            "DefaultVersion": .text("v\(policy.defaultVersion)"), "CreateDate": .date(policy.created),
            "UpdateDate": detail == .created ? nil : .date(policy.updated),
            "AttachmentCount": detail == .listed ? .integer(Int64(attachments)) : nil,
            "Tags": detail == .listed ? Self.describe(policy.tags) : nil,
        ])
    }

    fileprivate func createPolicy() async throws -> RPCValue {
        let name = try name("PolicyName", .policy)
        let text = try required("PolicyDocument")
        let document = try document(text)
        let description = try remark("Description", longest: 1024)
        let tags = try tags()
        try permit(resource("policy"))
        let policy = ManagedPolicy(
            account: account, name: name, path: "/", id: try RAMIdentifier.policy(), description: description, created: now,
            document: document, text: text, tags: tags)
        try await edit { directory in try directory.createPolicy(policy, limit: Self.mostPolicies) }
        return ["Policy": describe(policy, .created)]
    }

    /// GetPolicy. The response includes the default version.
    fileprivate func getPolicy() throws(RPCError) -> RPCValue {
        let arn = try namedPolicy()
        try permit(arn)
        let directory = directory
        let policy = try policy(arn, in: directory)
        let version = policy.versions.first { $0.number == policy.defaultVersion }
        return .members([
            "Policy": describe(policy, .listed, attachments: directory.attachments(of: arn, in: account)),
            "DefaultPolicyVersion": version.map { describe($0, of: policy) },
        ])
    }

    fileprivate func updatePolicyDescription() async throws -> RPCValue {
        let name = try name("PolicyName", .policy)
        guard let description = try remark("NewDescription", longest: 1024) else { throw RPCError.missing("NewDescription") }
        try permit(customPolicy(name))
        let policy = try await changePolicy(name) { [now] policy throws(DirectoryRefusal) in
            policy.description = description
            policy.updated = now
            return policy
        }
        return ["Policy": describe(policy, .described)]
    }

    /// DeletePolicy. With `CascadingDelete`, it also deletes the policy's versions.
    fileprivate func deletePolicy() async throws -> RPCValue {
        let arn = customPolicy(try name("PolicyName", .policy))
        let isCascading = try flag("CascadingDelete") ?? false
        try permit(arn)
        try await edit { directory in
            try directory.deletePolicy(
                arn, unlessHolding: [.attachedUsers, .attachedGroups, .attachedRoles] + (isCascading ? [] : [.versions]))
        }
        return .done
    }

    /// ListPolicies. Returns the account's policies and those of Alibaba Cloud that Virga has.
    fileprivate func listPolicies() throws(RPCError) -> RPCValue {
        var type: PolicyOwner?
        if let text = text("PolicyType") { type = try policyType(text) }
        try permit(resource("policy"))
        let directory = directory
        let own = type == .system ? [] : directory.policies.values.filter { $0.account == account }
        let others = type == .custom ? [] : ManagedPolicy.allOfAlibaba
        let wanted = try tags()
        return try list("Policies", of: "Policy", (own + others).filter { $0.tags.has(wanted) }, by: { "\($0.owner.rawValue)/\($0.name)" })
        { policy in
            describe(policy, .listed, attachments: directory.attachments(of: policy.arn, in: account))
        }
    }
}

extension ManagedPolicy {
    var owner: RPCCall.PolicyOwner { account == Vendor.alibabaSystem ? .system : .custom }
}

extension Directory {
    /// Returns how many of an account's users, groups and roles have the policy attached.
    fileprivate func attachments(of arn: String, in account: String) -> Int {
        let holders = holders(of: arn, in: account)
        return holders.users.count + holders.groups.count + holders.roles.count
    }
}
