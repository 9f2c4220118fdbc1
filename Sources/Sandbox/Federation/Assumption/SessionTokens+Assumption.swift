extension SessionTokens {
    /// Issues credentials for a session of a role. The caller has decided that policies allow it.
    /// - Parameters:
    ///   - duration: the duration in seconds.
    ///   - leastSize: the minimum size of the session token in bytes.
    /// - Returns: the credentials and their session token.
    package func session(
        by assumption: RoleAssumption, duration: Int, leastSize: Int = 0
    ) throws -> (credentials: SessionCredentials, token: String) {
        try mint(for: assumption.holder, duration: duration, leastSize: leastSize) { assumption.apply(to: &$0) }
    }
}
