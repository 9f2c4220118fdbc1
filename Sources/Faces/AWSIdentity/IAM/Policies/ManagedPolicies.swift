import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension IAMFace {
    /// Operations on managed policies. (IAM User Guide, "Managed policies and inline policies".)
    static let managedPolicies: [String: Operation] = [
        "CreatePolicy": .init(createPolicy), "GetPolicy": .init(getPolicy), "DeletePolicy": .init(deletePolicy),
        "ListPolicies": .authorized(members: { try PolicyFilter(&$0) }, on: { $1.entities("policy", below: $0.path) }, listPolicies),
        "ListEntitiesForPolicy": .init(listEntitiesForPolicy),
    ]

    private static func createPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("PolicyName", length: 1...128, pattern: .entityName)
        let path = call.parameters.text("Path", length: 1...512, pattern: .policyPath) ?? "/"
        let text = call.parameters.requiredText("PolicyDocument", length: 1...131_072, pattern: .policyDocument)
        let description = call.parameters.text("Description", length: 0...1000)
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let arn = call.arn("policy", name, path: path)
        try call.authorize(on: arn, newTags: tags)
        try call.admit(tags, ManagedPolicy.tagFamily, on: arn)
        let policy = ManagedPolicy(
            account: call.account, name: name, path: path, id: try UniqueID.policy.make(), description: description, created: call.now,
            document: try .managed(text), text: text, tags: tags)
        try await call.edit { directory in try directory.createPolicy(policy) }
        let uses = PolicyUses(call.directory, account: call.account)
        return { xml in xml.element("Policy") { policy.encode(into: &$0, uses, as: .created) } }
    }

    private static func getPolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("PolicyArn", length: 20...2048)
        try call.parameters.check()
        let policy = try call.policy(arn)
        let uses = PolicyUses(call.directory, account: call.account)
        return { xml in xml.element("Policy") { policy.encode(into: &$0, uses, as: .complete) } }
    }

    private static func deletePolicy(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("PolicyArn", length: 20...2048)
        try call.parameters.check()
        try call.ownPolicy(arn)
        try await call.edit { directory in
            try directory.deletePolicy(arn, unlessHolding: [.attachedUsers, .attachedGroups, .attachedRoles, .bounded, .versions])
        }
        return nil
    }

    private static func listPolicies(_ filter: PolicyFilter, _: UntaggedResource, _ call: IAMCall) async throws -> QueryService.Result? {
        let uses = PolicyUses(call.directory, account: call.account)
        func isListed(_ policy: ManagedPolicy) -> Bool {
            // The usage filter has an effect only together with `OnlyAttached` (observed of AWS).
            policy.path.hasPrefix(filter.path) && (!filter.onlyAttached || uses.contains(policy.arn, as: filter.usage))
        }
        let (last, most) = (try filter.part.last() ?? "", filter.part.limit + 1)
        var policies: [ManagedPolicy] = []
        if filter.scope != "AWS" {
            policies += Array(call.directory.policies(of: call.account, after: last).lazy.filter(isListed).prefix(most))
        }
        // The ARNs of AWS's policies follow those of accounts, which begin with a number.
        if filter.scope != "Local", policies.count < most {
            policies += Array(ManagedPolicy.allOfAWS.lazy.filter { $0.arn > last && isListed($0) }.prefix(most - policies.count))
        }
        let page = Page(next: policies, limit: filter.part.limit, key: \.arn)
        return { xml in page.encode("Policies", into: &xml) { policy, xml in policy.encode(into: &xml, uses, as: .listed) } }
    }
}

/// The members of ListPolicies.
private struct PolicyFilter {
    let scope: String
    let onlyAttached: Bool
    let path: String
    let usage: PolicyUsage?
    let part: PagePart

    init(_ parameters: inout QueryParameters) throws(ServiceError) {
        scope = parameters.choice("Scope", of: ["All", "AWS", "Local"]) ?? "All"
        onlyAttached = try parameters.flag("OnlyAttached") ?? false
        path = parameters.text("PathPrefix", length: 1...512, pattern: .policyPath) ?? "/"
        usage = parameters.policyUsage()
        part = try parameters.part()
    }
}

extension QueryParameters {
    /// Reads `PolicyUsageFilter`.
    mutating func policyUsage() -> PolicyUsage? {
        choice("PolicyUsageFilter", of: PolicyUsage.allCases.map(\.rawValue)).flatMap(PolicyUsage.init)
    }
}

extension QueryParameters.Pattern {
    /// Paths of managed policies, and prefixes of such paths.
    static let policyPath = Self(text: "((/[A-Za-z0-9\\.,\\+@=_-]+)*)/") { scalar in
        name.accepts(scalar) || scalar == "/"
    } frame: {
        $0.hasPrefix("/") && $0.hasSuffix("/") && !$0.contains("//")
    }
}

extension ServiceError {
    static func missingPolicy(_ arn: String) -> ServiceError { .noSuchEntity("Policy \(arn) was not found.") }
}

extension IAMCall {
    /// Returns the managed policy with an ARN, of the account or of AWS. Authorizes the call on it.
    func policy(_ arn: String) throws(ServiceError) -> ManagedPolicy {
        try ManagedPolicy.check(arn: arn)
        let policy = directory.policy(arn: arn)
        guard policy?.account == "aws" || arn.hasPrefix("arn:aws:iam::\(account):") || arn.hasPrefix("arn:aws:iam::aws:") else {
            throw foreign(arn)
        }
        try authorize(on: arn, tags: policy?.tags ?? [])
        guard let policy else { throw .missingPolicy(arn) }
        return policy
    }

    /// Returns the account's managed policy with an ARN. Authorizes the call on it. AWS's own policies cannot be changed.
    @discardableResult
    func ownPolicy(_ arn: String, newTags: [Tag] = []) throws(ServiceError) -> ManagedPolicy {
        try ManagedPolicy.check(arn: arn)
        guard arn.hasPrefix("arn:aws:iam::\(account):") else { throw foreign(arn) }
        try authorize(on: arn, tags: directory.policies[arn]?.tags ?? [], newTags: newTags)
        guard let policy = directory.policies[arn] else { throw .missingPolicy(arn) }
        return policy
    }

    /// Returns the error for an action on a policy of another account.
    private func foreign(_ arn: String) -> ServiceError {
        ServiceError(
            "AccessDenied", .forbidden,
            "User: \(caller.arn ?? "anonymous") is not authorized to perform: iam:\(action) on resource: policy \(arn)")
    }
}
