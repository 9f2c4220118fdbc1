import WireFormats

/// An identity without credentials that an identity provider has authenticated, and whose provider a role's trust policy names.
package protocol FederatedIdentity: Sendable {
    /// The action that the trust policy must allow: `sts:AssumeRoleWithWebIdentity` or `sts:AssumeRoleWithSAML`.
    static var action: String { get }
    /// The `Federated` principal of the trust policy.
    var federatedPrincipal: String { get }
    /// Whether the identity's tokens can list the roles that may be assumed. If so, every call has the condition key
    /// `sts:RoleAuthorizedByIdp`.
    static var canNameRoles: Bool { get }
    /// Condition keys for the role's trust policy.
    var trustKeys: [SessionCredentials.Claim] { get }
    /// Condition keys that are kept in the session.
    var sessionKeys: [SessionCredentials.Claim] { get }
    /// The session settings that the provider requests.
    var requests: SessionRequests { get }
}

extension FederatedIdentity {
    /// Whether the identity's token can list the roles that may be assumed.
    package static var canNameRoles: Bool { false }

    /// The actions that a trust policy must allow, in the order in which they are decided: tags also require `sts:TagSession`, a source
    /// identity `sts:SetSourceIdentity`.
    package var actions: [String] {
        var actions = [Self.action]
        if !requests.tags.isEmpty { actions.append("sts:TagSession") }
        if requests.sourceIdentity != nil { actions.append("sts:SetSourceIdentity") }
        return actions
    }
}
