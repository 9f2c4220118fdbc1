import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on managed policies of users, groups and roles. (IAM API Reference, "AttachUserPolicy" and similar operations.)
    static let attachedPolicies: [String: Operation] = [
        "AttachUserPolicy": .init { call in try await attach(User.self, &call) },
        "DetachUserPolicy": .init { call in try await detach(User.self, &call) },
        "ListAttachedUserPolicies": .init { call in try listAttached(User.self, &call) },
        "AttachGroupPolicy": .init { call in try await attach(Group.self, &call) },
        "DetachGroupPolicy": .init { call in try await detach(Group.self, &call) },
        "ListAttachedGroupPolicies": .init { call in try listAttached(Group.self, &call) },
        "AttachRolePolicy": .init { call in try await attach(Role.self, &call) },
        "DetachRolePolicy": .init { call in try await detach(Role.self, &call) },
        "ListAttachedRolePolicies": .init { call in try listAttached(Role.self, &call) },
    ]

    /// The maximum number of managed policies of one holder. (IAM User Guide, "IAM and AWS STS quotas".)
    static let attachedQuota = 10

    private static func attach<Holder: IAMPolicyHolder>(_: Holder.Type, _ call: inout IAMCall) async throws -> QueryService.Result? {
        let (found, arn): (Holder, String) = try named(&call)
        let account = call.account
        try await call.change(found.name) { (holder: inout Holder, directory) in
            _ = try directory.attachable(arn, in: account)
            // Attaching a policy that is already attached is not an error.
            do { try holder.attach(arn, limit: attachedQuota) } catch DirectoryRefusal.alreadyAttached {}
        }
        return nil
    }

    private static func detach<Holder: IAMPolicyHolder>(_: Holder.Type, _ call: inout IAMCall) async throws -> QueryService.Result? {
        let (found, arn): (Holder, String) = try named(&call)
        try await call.change(found.name) { (holder: inout Holder, _) in try holder.detach(arn) }
        return nil
    }

    private static func listAttached<Holder: IAMPolicyHolder>(_: Holder.Type, _ call: inout IAMCall) throws -> QueryService.Result? {
        let family = Holder.family
        let name = call.parameters.requiredText(family.nameParameter, length: 1...family.longestName, pattern: .entityName)
        let prefix = call.parameters.pathPrefix()
        let part = try call.parameters.part()
        try call.parameters.check()
        let holder: Holder = try call.found(name)
        try call.authorize(on: holder.arn, tags: holder.tags)
        let directory = call.directory
        let policies = holder.attachedPolicies.compactMap { directory.policy(arn: $0) }.filter { $0.path.hasPrefix(prefix) }
            .sorted { $0.arn < $1.arn }
        let page = try Page(of: policies, part, key: \.arn)
        return { xml in
            page.encode("AttachedPolicies", into: &xml) { policy, xml in
                xml.element("PolicyName", policy.name)
                xml.element("PolicyArn", policy.arn)
            }
        }
    }

    /// Returns the holder and the policy that a call names. Authorizes the call.
    private static func named<Holder: IAMPolicyHolder>(_ call: inout IAMCall) throws(ServiceError) -> (Holder, String) {
        let family = Holder.family
        let name = call.parameters.requiredText(family.nameParameter, length: 1...family.longestName, pattern: .entityName)
        let arn = call.parameters.requiredText("PolicyArn", length: 20...2048)
        try call.parameters.check()
        try ManagedPolicy.check(arn: arn)
        let holder: Holder = try call.found(name)
        try call.authorize(on: holder.arn, tags: holder.tags, keys: [("iam:PolicyARN", arn)] + holder.boundaryKeys)
        return (holder, arn)
    }
}
