import Cloud
import Directory
import Federation
import WireFormats

extension STSFace {
    /// GetFederationToken. Returns credentials for a federated user on behalf of the calling user. They allow only what both the caller's
    /// policies and the policies in the request allow. (STS API Reference, "GetFederationToken".)
    @Sendable static func getFederationToken(_ call: inout STSCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("Name", length: 2...32, pattern: .name)
        let policy = call.parameters.text("Policy", length: 1...2048, pattern: .policy)
        let policyARNs = call.parameters.list("PolicyArns", member: "arn", most: 10, length: 20...2048, pattern: .arn)
        let asked = try call.parameters.integer("DurationSeconds", range: 900...129_600)
        let tags = SessionTags(&call.parameters, of: call.caller, canBeTransitive: false)
        let leastSize = try call.parameters.leastSessionTokenSize()
        try call.parameters.check()
        try tags.check()
        let creator = call.caller.creator
        let federated = Caller.FederatedUser(name: name, account: call.account, user: nil)
        let question = STSCall.Question(resource: federated.arn, lists: tags.conditionKeys)
        try call.authorize("sts:GetFederationToken", question)
        if !tags.isEmpty { try call.authorize("sts:TagSession", question) }
        let policies = try SessionPolicies(
            document: policy, arns: policyARNs, tagBytes: tags.size, account: call.account, directory: call.directory,
            known: call.face.tokens.policies)
        let (credentials, token) = try call.face.tokens.mint(
            for: .federatedUser(name: name, account: call.account, creator: creator),
            duration: min(asked ?? 43_200, creator == nil ? longestRootSession : 129_600), leastSize: leastSize
        ) { session in
            tags.apply(to: &session)
            policies.apply(to: &session)
        }
        return { xml in
            xml.credentials(credentials, token: token)
            xml.element("FederatedUser") { xml in
                xml.element("FederatedUserId", "\(federated.account):\(name)")
                xml.element("Arn", federated.arn)
            }
            // AssumeRole omits an empty size; this operation returns 0 (observed of STS).
            xml.element("PackedPolicySize", policies.size ?? 0)
        }
    }
}

extension Caller {
    /// The user that counts as creator of the sessions that the caller requests for others; `nil` for the root user.
    var creator: SessionCredentials.Creator? {
        if case .user(let user, _) = self { .init(arn: user.arn, id: user.user.id) } else { nil }
    }
}
