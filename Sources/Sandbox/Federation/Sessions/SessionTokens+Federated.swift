package import Directory

extension SessionTokens {
    /// Issues credentials for a session of a role to a federated identity.
    /// - Parameters:
    ///   - name: the name of the session.
    ///   - duration: the duration in seconds.
    ///   - leastSize: the minimum size of the session token in bytes.
    ///   - policies: the policies that limit the session.
    /// - Returns: the credentials and their session token.
    package func session(
        of role: RoleEntry, named name: String, for identity: some FederatedIdentity, duration: Int, leastSize: Int,
        policies: SessionPolicies
    ) throws -> (credentials: SessionCredentials, token: String) {
        try mint(for: .role(arn: role.arn, id: role.role.id, sessionName: name), duration: duration, leastSize: leastSize) {
            session in
            session.claims = identity.sessionKeys
            session.claims.append(.init(key: "aws:FederatedProvider", values: [identity.federatedPrincipal]))
            for tag in identity.requests.tags { session.claims.append(.init(key: "aws:PrincipalTag/\(tag.key)", values: tag.values)) }
            session.transitiveTagKeys = identity.requests.transitiveTagKeys
            policies.apply(to: &session)
            session.sourceIdentity = identity.requests.sourceIdentity
        }
    }
}
