import Cloud
package import Directory
package import Federation
import HTTPTypes
import NIOCore
package import Policy
import WireFormats

extension Call {
    /// Evaluates whether `caller` may perform `action`, and records the decision in the journal.
    /// - Parameters:
    ///   - resource: an ARN, or `*`.
    ///   - account: the owner of the resource.
    ///   - lists: the grants of ACLs, as policies.
    ///   - keys: condition keys of the operation, such as `s3:prefix`.
    ///   - region: the region that the request is signed for.
    ///   - operationKeys: returns further condition keys of the operation by lower-cased name, when a policy reads them.
    ///     The journal stores it, so it must not capture the call.
    ///   - assumed: condition keys that override all others, for hypothetical decisions.
    package func authorize(
        _ caller: Caller, _ action: String, on resource: String, ownedBy account: String,
        resourcePolicy: AttachedPolicy? = nil, lists: [AttachedPolicy] = [], keys: [OperationKey] = [],
        region: String = "us-east-1", operationKeys: (@Sendable (String) -> ConditionValues?)? = nil,
        assumed: [String: ConditionValues] = [:]
    ) -> Authorizer.Verdict {
        let request = AccessRequest(
            caller: caller, action: action, resource: resource, resourceAccount: account,
            resourcePolicy: resourcePolicy, lists: lists, keys: keys, operationKeys: operationKeys,
            facts: facts(region: region), assumed: assumed)
        return note(Authorizer.decide(request))
    }

    /// Evaluates whether a role's trust policy allows a federated identity to assume the role.
    /// - Returns: the first denial, or the permission.
    package func authorize(assumption identity: some FederatedIdentity, of role: RoleEntry, sessionName: String) -> Decision {
        var decision = Decision(.allowed)
        for action in identity.actions where decision.isAllowed {
            decision = note(decide(action, by: identity, on: role, sessionName: sessionName)).decision
        }
        return decision
    }

    /// Evaluates whether a role's trust policy allows a service to assume the role.
    /// - Returns: the first denial, or the permission.
    package func authorize(_ assumption: RoleAssumption, by service: ServiceCaller) -> Decision {
        var decision = Decision(.allowed)
        for action in assumption.actions where decision.isAllowed {
            decision = note(decide(action, for: assumption, by: service)).decision
        }
        return decision
    }

    /// Returns the decision on one of the actions of a service that assumes a role, without recording it.
    /// - Parameter assumed: condition keys that override all others, for hypothetical decisions.
    package func decide(
        _ action: String, for assumption: RoleAssumption, by service: ServiceCaller, assumed: [String: ConditionValues] = [:]
    ) -> Authorizer.Verdict {
        Authorizer.decide(action, for: assumption, by: service, facts: facts(region: service.region), assumed: assumed)
    }

    /// Evaluates whether a caller may assume a role.
    /// - Returns: the first denial, or the permission.
    package func authorize(_ assumption: RoleAssumption, by caller: Caller, region: String) -> Decision {
        var decision = Decision(.allowed)
        let tagKeys = assumption.tagKeys
        for action in assumption.actions where decision.isAllowed {
            decision =
                authorize(
                    caller, action, on: assumption.role.arn, ownedBy: assumption.role.role.account, resourcePolicy: assumption.trust,
                    keys: assumption.keys, region: region, operationKeys: { tagKeys[$0] }
                ).decision
        }
        return decision
    }

    /// Returns the decision on one of the actions of a federated identity that assumes a role, without recording it.
    /// - Parameter assumed: condition keys that override all others, for hypothetical decisions.
    package func decide(
        _ action: String, by identity: some FederatedIdentity, on role: RoleEntry, sessionName: String,
        assumed: [String: ConditionValues] = [:]
    ) -> Authorizer.Verdict {
        Authorizer.decide(
            action, by: identity, on: role, sessionName: sessionName, facts: facts(region: "us-east-1"), assumed: assumed)
    }

    /// Returns the decision on a federated identity that assumes a role, without recording it: the first denial, or the permission.
    package func decide(assumption identity: some FederatedIdentity, of role: RoleEntry, sessionName: String) -> Authorizer.Verdict {
        var verdict = decide(type(of: identity).action, by: identity, on: role, sessionName: sessionName)
        for action in identity.actions.dropFirst() where verdict.decision.isAllowed {
            verdict = decide(action, by: identity, on: role, sessionName: sessionName)
        }
        return verdict
    }

    private func note(_ verdict: Authorizer.Verdict) -> Authorizer.Verdict {
        note(
            JournalDecision(
                action: verdict.context.action, resource: verdict.context.resource, allowed: verdict.decision.isAllowed,
                evidence: verdict))
        return !verdict.decision.isAllowed && servesDenied ? verdict.allowed : verdict
    }

    /// Returns the client's address for policies; `nil` if it cannot be known. Requests without a connection have the empty one.
    private var sourceOfPolicies: @Sendable () -> String? {
        if case .unknownClient = request.forwarding { return { nil } }
        return { [peer] in peer?.ipAddress ?? "" }
    }

    private func facts(region: String) -> RequestFacts {
        RequestFacts(
            time: received, ages: cloud.clock.ages, isSecure: isSecure, userAgent: headers.value(of: .userAgent),
            referer: headers.value(of: .referer), region: region,
            sourceIP: sourceOfPolicies)
    }
}
