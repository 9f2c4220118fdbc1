import Directory
package import Policy
import WireFormats

extension Authorizer {
    /// Decides whether a role's trust policy lets a service assume the role.
    ///
    /// Only the trust policy counts: services have no identity policies. The request comes from the service and not from the client that
    /// receives the credentials, so it has no `aws:SourceIp` and no `aws:UserAgent`.
    /// - Parameters:
    ///   - action: one of the actions of the assumption.
    ///   - facts: the properties of the client's request, of which the time counts.
    ///   - assumed: condition keys that override all others, for hypothetical decisions.
    package static func decide(
        _ action: String, for assumption: RoleAssumption, by service: ServiceCaller, facts: RequestFacts,
        assumed: [String: ConditionValues] = [:]
    ) -> Verdict {
        let account = assumption.role.role.account
        let tagKeys = assumption.tagKeys
        var keys = ConditionKeys { key in
            tagKeys[key] ?? serviceKey(key, of: service, facts: facts, resourceAccount: account)
        }
        for key in assumption.keys { keys.set(key.name, to: key.value) }
        if !assumed.isEmpty { keys.set(assumed.map { (key: $0.key, values: $0.value) }) }
        let context = RequestContext(
            action: action, resource: assumption.role.arn, principal: Principal(.service(service.principal)), resourceAccount: account,
            keys: keys)
        return verdict(context, PolicySet(resource: assumption.trust, rule: EvaluationRule(account: account)))
    }

    /// Decides whether the policy of a resource lets a service perform an action on it, as when S3 sends a message to a queue.
    /// - Parameters:
    ///   - account: the owner of the resource.
    ///   - policy: the policy of the resource; `nil` if it has none.
    ///   - facts: the properties of the request, of which the time and the region count.
    package static func decide(
        _ action: String, on resource: String, ownedBy account: String, policy: AttachedPolicy?, by service: ServiceCaller,
        facts: RequestFacts
    ) -> Verdict {
        let keys = ConditionKeys { key in serviceKey(key, of: service, facts: facts, resourceAccount: account) }
        return verdict(
            RequestContext(
                action: action, resource: resource, principal: Principal(.service(service.principal)), resourceAccount: account,
                keys: keys),
            PolicySet(resource: policy))
    }

    /// Returns a global key of a request that a service makes. It has no `aws:SourceIp` and no `aws:UserAgent`.
    private static func serviceKey(
        _ key: String, of service: ServiceCaller, facts: RequestFacts, resourceAccount: String
    ) -> ConditionValues? {
        switch key {
        case "aws:principalisawsservice", "aws:securetransport": .one("true")
        case "aws:principalservicename": .one(service.principal)
        case "aws:sourcearn": service.sourceARN.map { .one($0) }
        case "aws:sourceaccount": service.sourceAccount.map { .one($0) }
        case "aws:sourceip", "aws:useragent", "aws:referer": nil
        default: transportKey(key, facts: facts, resourceAccount: resourceAccount)
        }
    }
}
