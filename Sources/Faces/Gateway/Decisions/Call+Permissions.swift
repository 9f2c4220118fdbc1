package import Calls
package import Federation
import Policy
package import ServiceModels
package import WireFormats

extension Call {
    /// Decides each permission that a call of a forwarded service needs, and records the decisions in the journal.
    ///
    /// A batch or a transaction is refused as a whole if one of its resources is, so that nothing of it reaches the upstream. All decisions
    /// are made nevertheless: the journal and policies that are made from it have them all.
    /// - Parameters:
    ///   - keys: the condition keys that the call sets.
    ///   - access: the policies on resources, by the text of the resource.
    ///   - region: the region that the call is signed for.
    ///   - name: returns the text of a resource that policies see. What only the service knows was looked up before.
    /// - Returns: the first denial; `nil` if the call is allowed.
    package func denial(
        of permissions: [RequiredPermission], keys: [RequestKey], by caller: Caller, region: String,
        access: TextDictionary<ResourceAccess> = [:], naming name: (ResourceName) -> String
    ) -> Authorizer.Verdict? {
        var values: TextDictionary<ConditionValues> = [:]
        for key in keys {
            let value: ConditionValues = key.isMultivalued ? .many(key.values) : .one(key.values.first ?? "")
            values[key.name.lowercased()] = value
        }
        let known = values
        var first: Authorizer.Verdict?
        for permission in permissions {
            let resource = name(permission.resource)
            var passed: [OperationKey] = []
            if let service = permission.passedTo { passed.append((name: "iam:PassedToService", value: service)) }
            if permission.action.hasPrefix("kms:"), let account = caller.account {
                passed.append((name: "kms:CallerAccount", value: account))
            }
            let owner = resource.ownerInARN ?? caller.account ?? ""
            let found = access[resource] ?? ResourceAccess()
            let tags = found.tags
            let verdict = authorize(
                caller, permission.action, on: resource, ownedBy: owner,
                resourcePolicy: found.policyInForce(for: permission.action, crossesAccounts: owner != caller.account), lists: found.grants,
                keys: passed, region: region,
                operationKeys: { key in known[key] ?? (key.hasPrefix("aws:") ? tags.resourceTag(key) : nil) })
            if !verdict.decision.isAllowed, first == nil { first = verdict }
        }
        return first
    }
}
