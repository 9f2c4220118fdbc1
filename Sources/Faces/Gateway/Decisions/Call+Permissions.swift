package import Calls
package import Federation
import Policy
package import ServiceModels
import WireFormats

extension Call {
    /// Decides each permission that a call of a forwarded service needs, and records the decisions in the journal.
    ///
    /// A batch or a transaction is refused as a whole if one of its resources is, so that nothing of it reaches the upstream. All decisions
    /// are made nevertheless: the journal and policies that are made from it have them all.
    /// - Parameters:
    ///   - keys: the condition keys that the call sets.
    ///   - region: the region that the call is signed for.
    ///   - name: returns the text of a resource that policies see. What only the service knows was looked up before.
    /// - Returns: the first denial; `nil` if the call is allowed.
    package func denial(
        of permissions: [RequiredPermission], keys: [RequestKey], by caller: Caller, region: String, naming name: (ResourceName) -> String
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
            let verdict = authorize(
                caller, permission.action, on: resource, ownedBy: Self.owner(of: resource) ?? caller.account ?? "", keys: passed,
                region: region, operationKeys: { known[$0] })
            if !verdict.decision.isAllowed, first == nil { first = verdict }
        }
        return first
    }

    /// Returns the account in an ARN; `nil` if it has none, and then the caller's owns the resource.
    private static func owner(of resource: String) -> String? {
        guard resource.hasPrefix("arn:") else { return nil }
        let parts = resource.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 6, !parts[4].isEmpty else { return nil }
        return String(parts[4])
    }
}
