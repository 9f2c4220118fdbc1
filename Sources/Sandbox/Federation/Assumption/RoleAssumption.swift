package import Directory
package import Policy
package import WireFormats

/// A request for a session of a role: what it sets in the session, and the condition keys that policies see of it.
/// (STS API Reference, "AssumeRole"; IAM User Guide, "Pass session tags in AWS STS".)
package struct RoleAssumption: Sendable {
    /// The role.
    package let role: RoleEntry
    /// The name of the session.
    package let sessionName: String
    /// The session tags in the request.
    package var tags: [Tag] = []
    /// The tags that the session inherits from the session of the caller.
    package var inheritedTags: [Tag] = []
    /// The keys of the tags in the request that sessions made from this one inherit.
    package var transitiveTagKeys: [String] = []
    /// Whether policies see the tags also as `aws:PrincipalTag/…`, as those of IAM Roles Anywhere.
    package var hasPrincipalTags = false
    /// The external ID.
    package var externalID: String?
    /// The source identity, also one that the caller's session has already.
    package var sourceIdentity: String?
    /// The policies that limit the session; `nil` for none.
    package var policies: SessionPolicies?
    /// Whether a session makes the request.
    package var isChained = false
    /// Condition keys that each request of the session has, such as `ec2:RoleDelivery`.
    package var sessionKeys: [SessionCredentials.Claim] = []

    /// - Parameters:
    ///   - role: the role.
    ///   - sessionName: the name of the session.
    package init(of role: RoleEntry, named sessionName: String) {
        self.role = role
        self.sessionName = sessionName
    }

    /// The actions that policies must allow, in the order in which they are decided: tags, also inherited ones, require `sts:TagSession`, and
    /// a source identity requires `sts:SetSourceIdentity`.
    package var actions: [String] {
        var actions = ["sts:AssumeRole"]
        if !tags.isEmpty || !inheritedTags.isEmpty { actions.append("sts:TagSession") }
        if sourceIdentity != nil { actions.append("sts:SetSourceIdentity") }
        return actions
    }

    /// The trust policy of the role.
    package var trust: AttachedPolicy {
        AttachedPolicy(String(joining: "trust policy of ", role.role.name), role.role.trustPolicy.document)
    }

    /// The condition keys of the request that have one value.
    package var keys: [OperationKey] {
        var keys: [OperationKey] = [("sts:RoleSessionName", sessionName)]
        if let externalID { keys.append(("sts:ExternalId", externalID)) }
        if let sourceIdentity { keys.append(("sts:SourceIdentity", sourceIdentity)) }
        return keys
    }

    /// The condition keys of the request about tags, by lowercased name: those of the session and those of the role.
    package var tagKeys: TextDictionary<ConditionValues> {
        var keys = Self.requestKeys(tags, transitive: transitiveTagKeys)
        if hasPrincipalTags { for tag in tags { keys["aws:principaltag/\(tag.key.lowercased())"] = .one(tag.value) } }
        let tagsOfRole = role.role.tags
        for name in Set(tagsOfRole.map { $0.key.lowercased() }) {
            for prefix in ["aws:resourcetag/", "iam:resourcetag/"] { keys[prefix + name] = tagsOfRole.conditionValues(of: name) }
        }
        return keys
    }

    /// Returns `aws:RequestTag/…`, `aws:TagKeys` and `sts:TransitiveTagKeys`, by lowercased name.
    package static func requestKeys(_ tags: [Tag], transitive: [String]) -> TextDictionary<ConditionValues> {
        var keys: TextDictionary<ConditionValues> = [:]
        for tag in tags { keys["aws:requesttag/\(tag.key.lowercased())"] = .one(tag.value) }
        keys["aws:tagkeys"] = .many(tags.map(\.key))
        keys["sts:transitivetagkeys"] = .many(transitive)
        return keys
    }

    /// Sets the properties of the session.
    func apply(to session: inout SessionCredentials) {
        session.claims += sessionKeys
        session.set(tags: tags, inherited: inheritedTags, transitive: transitiveTagKeys)
        policies?.apply(to: &session)
        session.sourceIdentity = sourceIdentity
        session.isChained = isChained
    }

    /// The holder of the session.
    var holder: SessionCredentials.Holder { .role(arn: role.arn, id: role.role.id, sessionName: sessionName) }
}

extension SessionCredentials {
    /// The prefix of tags among the claims of a session.
    private static let tagPrefix = "aws:PrincipalTag/"

    /// Adds tags to the session.
    /// - Parameters:
    ///   - tags: the tags of the request.
    ///   - inherited: the tags of the caller's session, which remain transitive.
    ///   - transitive: the keys of the tags in the request that further sessions inherit.
    package mutating func set(tags: [Tag], inherited: [Tag], transitive: [String]) {
        claims += (inherited + tags).map { .init(key: Self.tagPrefix + $0.key, values: [$0.value]) }
        transitiveTagKeys = inherited.map(\.key) + transitive
    }

    /// The session's own tags.
    package var tags: [Tag] {
        claims.compactMap { claim in
            guard claim.key.hasPrefix(Self.tagPrefix), let value = claim.values.first else { return nil }
            return Tag(key: String(claim.key.dropFirst(Self.tagPrefix.count)), value: value)
        }
    }

    /// The session's tags that sessions made from it inherit.
    package var transitiveTags: [Tag] {
        let keys = Set(transitiveTagKeys.map { $0.lowercased() })
        return keys.isEmpty ? [] : tags.filter { keys.contains($0.key.lowercased()) }
    }
}
