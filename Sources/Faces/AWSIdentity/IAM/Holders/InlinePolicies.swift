import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension IAMFace {
    /// Operations on inline policies of users, groups and roles. (IAM API Reference, "PutUserPolicy" and similar operations.)
    static let inlinePolicies: [String: Operation] = [
        "PutUserPolicy": .init { call in try await putPolicy(User.self, &call) },
        "GetUserPolicy": .init { call in try getPolicy(User.self, &call) },
        "DeleteUserPolicy": .init { call in try await deletePolicy(User.self, &call) },
        "ListUserPolicies": .init { call in try listPolicies(User.self, &call) },
        "PutGroupPolicy": .init { call in try await putPolicy(Group.self, &call) },
        "GetGroupPolicy": .init { call in try getPolicy(Group.self, &call) },
        "DeleteGroupPolicy": .init { call in try await deletePolicy(Group.self, &call) },
        "ListGroupPolicies": .init { call in try listPolicies(Group.self, &call) },
        "PutRolePolicy": .init { call in try await putPolicy(Role.self, &call) },
        "GetRolePolicy": .init { call in try getPolicy(Role.self, &call) },
        "DeleteRolePolicy": .init { call in try await deletePolicy(Role.self, &call) },
        "ListRolePolicies": .init { call in try listPolicies(Role.self, &call) },
    ]

    private static func putPolicy<Holder: IAMPolicyHolder>(_: Holder.Type, _ call: inout IAMCall) async throws -> QueryService.Result? {
        let family = Holder.family
        let name = call.parameters.requiredText(family.nameParameter, length: 1...128, pattern: .entityName)
        let policyName = call.parameters.requiredText("PolicyName", length: 1...128, pattern: .entityName)
        let text = call.parameters.requiredText("PolicyDocument", length: 1...131_072, pattern: .policyDocument)
        try call.parameters.check()
        let found: Holder = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags, keys: found.boundaryKeys)
        // Ceph accepts a Principal element only in policies of roles.
        let policy = try InlinePolicy(name: policyName, parsing: text, Holder.self == Role.self ? call.dialect : .aws)
        try await call.change(name) { (holder: inout Holder, _) in
            do throws(InlinePolicyRefusal) {
                try holder.putInlinePolicy(policy, limit: family.inlineSize)
            } catch {
                throw ServiceError(error, of: family, holder.name)
            }
        }
        return nil
    }

    private static func getPolicy<Holder: IAMPolicyHolder>(_: Holder.Type, _ call: inout IAMCall) throws -> QueryService.Result? {
        let (holder, policyName): (Holder, String) = try named(&call)
        guard let policy = holder.inlinePolicy(policyName) else {
            throw ServiceError(.noSuchPolicy(policyName), of: Holder.family, holder.name)
        }
        return { xml in
            xml.element(Holder.family.nameParameter, holder.name)
            xml.element("PolicyName", policyName)
            xml.element("PolicyDocument", percentEncoded(policy.shownText))
        }
    }

    private static func deletePolicy<Holder: IAMPolicyHolder>(_: Holder.Type, _ call: inout IAMCall) async throws -> QueryService.Result? {
        let (found, policyName): (Holder, String) = try named(&call)
        try await call.change(found.name) { (holder: inout Holder, _) in
            do throws(InlinePolicyRefusal) {
                try holder.deleteInlinePolicy(policyName)
            } catch {
                throw ServiceError(error, of: Holder.family, holder.name)
            }
        }
        return nil
    }

    private static func listPolicies<Holder: IAMPolicyHolder>(_: Holder.Type, _ call: inout IAMCall) throws -> QueryService.Result? {
        let name = call.parameters.requiredText(Holder.family.nameParameter, length: 1...128, pattern: .entityName)
        let part = try call.parameters.part()
        try call.parameters.check()
        let holder: Holder = try call.found(name)
        try call.authorize(on: holder.arn, tags: holder.tags)
        let page = try Page(of: holder.policies.map(\.name).sorted(), part, key: \.self)
        return { xml in page.encode("PolicyNames", into: &xml) }
    }

    /// Returns the holder and the policy name that a call passes. Authorizes the call.
    private static func named<Holder: IAMPolicyHolder>(_ call: inout IAMCall) throws(ServiceError) -> (Holder, String) {
        let name = call.parameters.requiredText(Holder.family.nameParameter, length: 1...128, pattern: .entityName)
        let policyName = call.parameters.requiredText("PolicyName", length: 1...128, pattern: .entityName)
        try call.parameters.check()
        let holder: Holder = try call.found(name)
        try call.authorize(on: holder.arn, tags: holder.tags, keys: call.action.hasPrefix("Delete") ? holder.boundaryKeys : [])
        return (holder, policyName)
    }
}

extension ServiceError {
    /// A refusal to change the inline policies of a holder.
    fileprivate init(_ refusal: InlinePolicyRefusal, of family: HolderFamily, _ holder: String) {
        self =
            switch refusal {
            case .noSuchPolicy(let name): .noSuchEntity("The \(family.noun) policy with name \(name) cannot be found.")
            case .limitExceeded(let limit):
                .limitExceeded("Maximum policy size of \(limit) bytes exceeded for \(family.noun) \(holder)")
            }
    }
}

extension InlinePolicy {
    /// Parses a policy from its text.
    /// - Throws: `MalformedPolicyDocument`.
    fileprivate init(name: String, parsing text: String, _ dialect: Dialect) throws(ServiceError) {
        self.init(name: name, document: try .written(text, as: .identity, in: dialect), text: text)
    }
}
