import WireFormats

/// A request that policies decided, with everything that the decision depended on, so that it can be decided again under other policies.
package struct DecidedRequest: Sendable {
    /// The request. Its condition keys can include values that are computed on demand; see ``kept(tags:)``.
    package var context: RequestContext
    /// The policies that were evaluated.
    package var policies: PolicySet
    /// The decision.
    package var isAllowed: Bool

    package init(context: RequestContext, policies: PolicySet, isAllowed: Bool) {
        self.context = context
        self.policies = policies
        self.isAllowed = isAllowed
    }

    /// Keys that generated policies can use, in addition to those that the evaluated policies read.
    private static let usefulKeys = ["s3:prefix", "oss:prefix", "aws:username"]

    /// Keys whose values differ from request to request. They do not make requests distinct.
    private static let volatileKeys: Set = [
        "aws:currenttime", "aws:epochtime", "aws:tokenissuetime", "aws:multifactorauthage", "acs:currenttime", "s3:signatureage",
    ]

    /// Returns the request with the condition keys that matter: those of the session, and those that policies read.
    /// - Parameter tags: the names of the caller's tags.
    package func kept(tags: [String]) -> DecidedRequest {
        var kept = self
        kept.context.keys = context.keys.keeping(policies.conditionKeys + Self.usefulKeys + tags.map { "aws:PrincipalTag/\($0)" })
        return kept
    }

    /// A text that is the same for requests that no policy can tell apart: principal, action, resource and condition keys.
    ///
    /// Values that always differ, such as the time, are replaced by the list of the statements that apply.
    package var identity: String {
        var parts = [context.principal.name, context.action, context.resource, context.resourceAccount]
        var isVolatile = false
        for (name, values) in context.keys.all {
            if Self.volatileKeys.contains(name) {
                isVolatile = true
            } else {
                parts.append("\(name)=\(values.all.joined(separator: "\u{1}"))")
            }
        }
        if isVolatile {
            var applied = ""
            _ = policies.decision(for: context) { _, _, index, outcome in
                if case .matched = outcome { applied += "+\(index)" } else { applied += "-" }
            }
            parts.append(applied)
        }
        return parts.joined(separator: "\u{0}")
    }

    /// The policies that were evaluated, with the type of each: identity policies, boundary, session policies, resource policy, ACLs.
    package var attached: [(type: PolicyType, policy: AttachedPolicy)] {
        var all = policies.identity.map { (type: PolicyType.identityBased, policy: $0) }
        if let boundary = policies.boundary { all.append((.permissionsBoundary, boundary)) }
        all += (policies.session ?? []).map { (.session, $0) }
        if let resource = policies.resource { all.append((resource.document.kind == .trust ? .roleTrust : .resourceBased, resource)) }
        return all + policies.lists.map { (.accessControlList, $0) }
    }

    /// Returns the ARN or name of the entity that a policy of the request belongs to; empty for a session policy.
    package func holder(of policy: AttachedPolicy, as type: PolicyType) -> String {
        switch type {
        case .identityBased, .permissionsBoundary:
            switch policy.origin {
            case .managed: ""
            case .inline(let kind, let name, _): "\(kind.rawValue) \(name) in \(context.principal.account ?? "")"
            case .other: ""
            }
        case .session: ""
        case .roleTrust: context.resource
        case .resourceBased, .accessControlList: Self.container(of: context.resource)
        }
    }

    /// Returns the bucket in `arn:aws:s3:::<bucket>/<key>` or `acs:oss:<region>:<account>:<bucket>/<key>`, or the ARN of a resource of
    /// another service.
    private static func container(of resource: String) -> String {
        let isOfAWS = resource.hasPrefix("arn:")
        let colons = isOfAWS ? 5 : 4
        let fields = resource.split(separator: ":", maxSplits: colons, omittingEmptySubsequences: false)
        if isOfAWS, fields.count > 2, fields[2] != "s3" { return resource }
        return fields.count == colons + 1 ? "bucket \(fields[colons].prefix { $0 != "/" })" : "bucket \(resource)"
    }
}
