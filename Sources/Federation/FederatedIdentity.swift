/// Somebody who has no credentials yet, and for whom a provider vouches whom a role's trust policy names.
package protocol FederatedIdentity: Sendable {
    /// What the call asks of the trust policy: `sts:AssumeRoleWithWebIdentity` or `sts:AssumeRoleWithSAML`.
    static var action: String { get }
    /// What a trust policy's `Federated` principal names.
    var federatedPrincipal: String { get }
    /// Whether its tokens can name the roles that may be taken, so that `sts:RoleAuthorizedByIdp` says in each call whether they do.
    static var canNameRoles: Bool { get }
    /// Condition keys for the role's trust policy.
    var trustKeys: [SessionCredentials.Claim] { get }
    /// Condition keys that stay with the session.
    var sessionKeys: [SessionCredentials.Claim] { get }
    /// What the provider asks of the session.
    var requests: SessionRequests { get }
}

extension FederatedIdentity {
    /// Whether the identity's token can list the roles that its holder may take.
    package static var canNameRoles: Bool { false }
}
