import Cloud
import Directory
import WireFormats

/// How often an account's users, groups and roles use managed policies.
struct PolicyUses {
    /// Uses as attached policies, by ARN.
    private(set) var attachments: [String: Int] = [:]
    /// Uses as permissions boundaries, by ARN.
    private(set) var boundaries: [String: Int] = [:]

    init(_ directory: Directory, account: String) {
        for user in directory.users.values.map(\.user) where user.account == account { note(user.attachedPolicies, user.boundary) }
        for group in directory.groups.values where group.account == account { note(group.attachedPolicies, nil) }
        for role in directory.roles.values.map(\.role) where role.account == account { note(role.attachedPolicies, role.boundary) }
    }

    private mutating func note(_ attached: [String], _ boundary: String?) {
        for arn in attached { attachments[arn, default: 0] += 1 }
        if let boundary { boundaries[boundary, default: 0] += 1 }
    }

    /// Returns whether any entity uses the policy, in the given way or in any.
    func contains(_ arn: String, as usage: PolicyUsage? = nil) -> Bool {
        (usage != .boundary && attachments[arn] != nil) || (usage != .permissions && boundaries[arn] != nil)
    }
}

/// The use of a managed policy. (IAM API Reference, "ListPolicies", `PolicyUsageFilter`.)
enum PolicyUsage: String, CaseIterable {
    case permissions = "PermissionsPolicy"
    case boundary = "PermissionsBoundary"
}

extension ManagedPolicy {
    /// Writes the members of the shape `Policy`. Lists omit description and tags.
    func encode(into xml: inout XMLWriter, _ uses: PolicyUses, as view: View) {
        xml.element("PolicyName", name)
        xml.element("PolicyId", id)
        xml.element("Arn", arn)
        xml.element("Path", path)
        xml.element("DefaultVersionId", "v\(defaultVersion)")
        xml.element("AttachmentCount", uses.attachments[arn] ?? 0)
        xml.element("PermissionsBoundaryUsageCount", uses.boundaries[arn] ?? 0)
        xml.element("IsAttachable", true)
        if view == .complete, let description { xml.element("Description", description) }
        xml.element("CreateDate", created.iso8601)
        xml.element("UpdateDate", updated.iso8601)
        switch view {
        case .created: xml.tags(tags)
        case .listed: break
        case .complete: xml.allTags(tags)
        }
    }

    /// Which members a response contains (confirmed with the real service by tests of moto, "policy resource returns subset").
    enum View {
        /// The members in CreatePolicy: no description, and tags if there are any.
        case created
        case listed
        /// The members in GetPolicy: tags even if there are none.
        case complete
    }
}
