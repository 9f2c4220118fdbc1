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
            switch key {
            case "aws:principalisawsservice", "aws:securetransport": .one("true")
            case "aws:principalservicename": .one(service.principal)
            case "aws:sourcearn": service.sourceARN.map { .one($0) }
            case "aws:sourceaccount": service.sourceAccount.map { .one($0) }
            case "aws:sourceip", "aws:useragent", "aws:referer": nil
            default: tagKeys[key] ?? transportKey(key, facts: facts, resourceAccount: account)
            }
        }
        for key in assumption.keys { keys.set(key.name, to: key.value) }
        if !assumed.isEmpty { keys.set(assumed.map { (key: $0.key, values: $0.value) }) }
        let context = RequestContext(
            action: action, resource: assumption.role.arn, principal: Principal(.service(service.principal)), resourceAccount: account,
            keys: keys)
        return verdict(context, PolicySet(resource: assumption.trust, rule: EvaluationRule(account: account)))
    }
}
