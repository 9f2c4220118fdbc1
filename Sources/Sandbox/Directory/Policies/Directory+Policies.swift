import WireFormats

extension Directory {
    /// Returns the managed policies of an account whose ARNs follow `arn`, ordered by ARN.
    package func policies(of account: String, after arn: String) -> some Sequence<ManagedPolicy> {
        let prefix = "arn:aws:iam::\(account):"
        return policies.ordered(after: TextKey(arn < prefix ? prefix : arn)).lazy.map(\.value).prefix { $0.account == account }
    }

    /// Returns the users, groups and roles of an account that a managed policy is attached to, by name.
    /// - Parameter arn: the ARN of the policy.
    package func holders(of arn: String, in account: String) -> (users: [User], groups: [Group], roles: [Role]) {
        (
            users.values.map(\.user).filter { $0.account == account && $0.attachedPolicies.contains(arn) }.sorted { $0.name < $1.name },
            groups.values.filter { $0.account == account && $0.attachedPolicies.contains(arn) }.sorted { $0.name < $1.name },
            roles.values.map(\.role).filter { $0.account == account && $0.attachedPolicies.contains(arn) }.sorted { $0.name < $1.name }
        )
    }

    /// Adds a managed policy. Names are unique in the account, whatever the path, and without regard to case.
    /// - Parameter limit: the number of policies that an account can have, or `nil` if there is no limit.
    /// - Throws: `policyAlreadyExists` or `limitExceeded`, in this order.
    package mutating func createPolicy(_ policy: ManagedPolicy, limit: Int? = nil) throws(DirectoryRefusal) {
        let own = policies.values.filter { $0.account == policy.account }
        guard !own.contains(where: { $0.name.lowercased() == policy.name.lowercased() }) else { throw .policyAlreadyExists(policy.name) }
        if let limit, own.count >= limit { throw .limitExceeded(.policiesOfAccount, limit) }
        put(.policy(policy))
    }

    /// Changes a managed policy of an account.
    /// - Returns: what `change` returns.
    /// - Throws: `noSuchPolicy`, or what `change` throws.
    @discardableResult
    package mutating func updatePolicy<Result>(
        _ arn: String, _ change: (inout ManagedPolicy) throws(DirectoryRefusal) -> Result
    ) throws(DirectoryRefusal) -> Result {
        guard var policy = policies[arn] else { throw .noSuchPolicy(arn) }
        let result = try change(&policy)
        put(.policy(policy))
        return result
    }

    /// Deletes a managed policy of an account with all its versions.
    /// - Parameter holdings: what prevents the deletion, in the order in which it is reported.
    /// - Throws: `noSuchPolicy`, or `notEmpty` with the first of `holdings` that the policy has.
    package mutating func deletePolicy(
        _ arn: String, unlessHolding holdings: [DirectoryRefusal.Holding]
    ) throws(DirectoryRefusal) {
        guard let policy = policies[arn] else { throw .noSuchPolicy(arn) }
        let holders = holders(of: arn, in: policy.account)
        for holding in holdings {
            let hasOne =
                switch holding {
                case .attachedUsers: !holders.users.isEmpty
                case .attachedGroups: !holders.groups.isEmpty
                case .attachedRoles: !holders.roles.isEmpty
                case .bounded:
                    users.values.contains { $0.user.boundary == arn } || roles.values.contains { $0.role.boundary == arn }
                case .versions: policy.versions.count > 1
                default: false
                }
            if hasOne { throw .notEmpty(holding) }
        }
        remove(.init(.policy, arn))
    }
}
