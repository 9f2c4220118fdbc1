import Cloud
package import Directory
package import Policy
import WireFormats

/// Decides every authorization, for signed requests of all versions and for unsigned ones.
package enum Authorizer {
    /// A decision and its inputs, from which the trace can be computed again.
    ///
    /// A class, because the journal keeps it: as a structure its thirty words would be copied several times per request.
    package final class Verdict: DecisionEvidence {
        /// The decision, with the statements that determined it.
        package let decision: Decision
        /// The condition keys and their values.
        package let context: RequestContext
        /// The policies that were evaluated.
        package let policies: PolicySet

        init(decision: Decision, context: RequestContext, policies: PolicySet) {
            self.decision = decision
            self.context = context
            self.policies = policies
        }

        /// Every statement that was considered, and why it did or did not apply.
        package var trace: DecisionTrace { policies.trace(for: context) }

        package var remedy: Remedy? { policies.remedy(for: context) }

        package var unresolvedVariables: [String] { decision.isAllowed ? [] : policies.unresolvedVariables(for: context) }

        package var request: DecidedRequest? { DecidedRequest(context: context, policies: policies, isAllowed: decision.isAllowed) }

        /// Returns the decision on the same request with other policies.
        package func assuming(_ edit: (inout PolicySet) -> Void) -> Verdict {
            var policies = policies
            edit(&policies)
            return Authorizer.verdict(context, policies)
        }

        /// The same verdict with the decision changed to allowed.
        package var allowed: Verdict { Verdict(decision: Decision(.allowed), context: context, policies: policies) }
    }

    /// Decides whether a caller, with or without credentials, may perform an action.
    package static func decide(_ request: AccessRequest) -> Verdict {
        let caller = request.caller
        let facts = request.facts
        let resourceAccount = request.resourceAccount
        let operationKeys = request.operationKeys
        var keys = ConditionKeys(caller.session?.keys ?? ConditionKeys()) { key in
            globalKey(key, caller: caller, facts: facts, resourceAccount: resourceAccount) ?? operationKeys?(key)
        }
        for key in request.keys { keys.set(key.name, to: key.value) }
        if !request.assumed.isEmpty { keys.set(request.assumed.map { (key: $0.key, values: $0.value) }) }
        var policies = caller.policies
        policies.resource = request.resourcePolicy
        policies.lists = request.lists
        return verdict(
            RequestContext(
                action: request.action, resource: request.resource, principal: caller.principal,
                resourceAccount: resourceAccount, keys: keys),
            policies)
    }

    /// Decides whether a role's trust policy lets a federated identity assume the role.
    ///
    /// The caller has a token or an assertion but no AWS credentials, so the principal is the identity provider.
    /// (IAM User Guide, "Available keys for AWS web identity federation" and "Available keys for SAML-based AWS STS federation".)
    /// - Parameters:
    ///   - action: the action of the identity, or another action that the call needs, such as tagging.
    ///   - assumed: condition keys that override those of the identity.
    package static func decide(
        _ action: String, by identity: some FederatedIdentity, on entry: RoleEntry, sessionName: String, facts: RequestFacts,
        assumed: [String: ConditionValues] = [:]
    ) -> Verdict {
        let role = entry.role
        let principal = identity.federatedPrincipal
        let account = role.account
        var keys = ConditionKeys { key in
            switch key {
            case "aws:principalaccount": .one(account)
            case "aws:principaltype": .one("User")
            case "aws:userid": .one(principal)
            default:
                role.tags.resourceTag(key) ?? alibabaTransportKey(key, facts: facts)
                    ?? transportKey(key, facts: facts, resourceAccount: account)
            }
        }
        keys.set("sts:RoleSessionName", to: sessionName)
        let requests = identity.requests
        if let source = requests.sourceIdentity { keys.set("sts:SourceIdentity", to: source) }
        if type(of: identity).canNameRoles { keys.set("sts:RoleAuthorizedByIdp", to: requests.roles == nil ? "false" : "true") }
        if !requests.tags.isEmpty {
            for tag in requests.tags { keys.set("aws:RequestTag/\(tag.key)", to: tag.conditionValues) }
            keys.set("aws:TagKeys", to: requests.tags.map(\.key))
        }
        if !requests.transitiveTagKeys.isEmpty { keys.set("sts:TransitiveTagKeys", to: requests.transitiveTagKeys) }
        keys.add(identity.trustKeys)
        if !assumed.isEmpty { keys.set(assumed.map { (key: $0.key, values: $0.value) }) }
        return verdict(
            RequestContext(
                action: action, resource: entry.arn, principal: Principal(.federated(provider: principal), account: account),
                resourceAccount: account, keys: keys),
            PolicySet(
                resource: AttachedPolicy(String(joining: "trust policy of ", role.name), role.trustPolicy.document),
                rule: EvaluationRule(account: account)))
    }

    static func verdict(_ context: RequestContext, _ policies: PolicySet) -> Verdict {
        Verdict(decision: policies.decision(for: context), context: context, policies: policies)
    }

    /// Returns a global key that depends on the caller. (IAM User Guide, "AWS global condition context keys".)
    private static func globalKey(
        _ key: String, caller: Caller, facts: RequestFacts, resourceAccount: String
    ) -> ConditionValues? {
        switch key {
        case "aws:principalaccount": return caller.account.map { .one($0) }
        case "aws:userid": return .one(caller.userID)
        case "aws:principalarn":
            // For a session, the ARN is the role's.
            if case .role(let role, _) = caller { return .one(role.arn) }
            return caller.arn.map { .one($0) }
        case "aws:principaltype":
            return switch caller {
            case .anonymous: .one("Anonymous")
            case .root: .one("Account")
            case .user: .one("User")
            case .role: .one("AssumedRole")
            case .federatedUser: .one("FederatedUser")
            }
        case "aws:username":
            if case .user(let user, _) = caller { return .one(user.user.name) }
            return nil
        case "aws:tokenissuetime":
            return caller.session.map { .one(facts.ages.effective($0.credentials.issued).iso8601) }
        case "aws:multifactorauthpresent":
            // The key is present only with temporary credentials.
            return caller.session.map { .one($0.credentials.deviceUsed == nil ? "false" : "true") }
        case "aws:multifactorauthage":
            // The value is the number of seconds since the device was used.
            return caller.session?.credentials.deviceUsed.map { .one(String(facts.time.seconds - facts.ages.effective($0).seconds)) }
        // The key is absent from anonymous requests.
        case "aws:principalisawsservice": return caller.account.map { _ in .one("false") }
        case "aws:sourceidentity":
            return caller.session?.credentials.sourceIdentity.map { .one($0) }
        default:
            if key.hasPrefix("acs:") { return alibabaKey(key, caller: caller, facts: facts) }
            if key.hasPrefix(principalTag), let tag = caller.tag(String(key.dropFirst(principalTag.count))) { return .one(tag) }
            return transportKey(key, facts: facts, resourceAccount: resourceAccount)
        }
    }

    private static let principalTag = "aws:principaltag/"

    /// The global keys that a request can have, as the User Guide spells them. Tag keys are missing, because their names depend on the
    /// tags.
    static let globalKeys = [
        "aws:CurrentTime", "aws:EpochTime", "aws:FederatedProvider", "aws:MultiFactorAuthAge", "aws:MultiFactorAuthPresent",
        "aws:PrincipalAccount", "aws:PrincipalArn", "aws:PrincipalIsAWSService", "aws:PrincipalType", "aws:Referer",
        "aws:RequestedRegion", "aws:ResourceAccount", "aws:SecureTransport", "aws:SourceIdentity", "aws:SourceIp",
        "aws:TokenIssueTime", "aws:UserAgent", "aws:userid", "aws:username", "aws:ViaAWSService",
    ]

    /// Returns a global key that does not depend on the caller.
    static func transportKey(_ key: String, facts: RequestFacts, resourceAccount: String) -> ConditionValues? {
        switch key {
        case "aws:currenttime": .one(facts.time.iso8601)
        case "aws:epochtime": .one(String(facts.time.seconds))
        case "aws:securetransport": .one(facts.isSecure ? "true" : "false")
        case "aws:sourceip": facts.sourceIP().map { .one($0) } ?? .unknown
        case "aws:useragent": facts.userAgent.map { .one($0) }
        case "aws:referer": facts.referer.map { .one($0) }
        case "aws:requestedregion": .one(facts.region)
        case "aws:viaawsservice": .one("false")
        case "aws:resourceaccount": .one(resourceAccount)
        default: nil
        }
    }
}

extension Caller {
    /// Returns the value of a tag of the user or role. Session tags take precedence and are part of the session's claims.
    /// - Parameter name: the lower-cased tag key, since condition keys are not case-sensitive.
    fileprivate func tag(_ name: String) -> String? {
        let tags: [Tag] =
            switch self {
            case .anonymous, .root: []
            case .user(let user, _): user.user.tags
            case .role(let role, _): role.role.tags
            case .federatedUser(let federated, _): federated.user?.user.tags ?? []
            }
        return tags.first { $0.key.lowercased() == name }?.value
    }
}
