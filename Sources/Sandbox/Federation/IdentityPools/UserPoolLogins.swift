package import Cloud
package import WireFormats

/// What identity pools need of user pools: the verification of their ID tokens.
package protocol UserPoolLogins: Sendable {
    /// Verifies an ID token of a user pool: its signature, that it is an ID token, and its times.
    /// - Parameters:
    ///   - pool: the identifier of the user pool, such as `us-east-1_AbCdEfGhI`.
    ///   - isCurrent: whether the user must still exist and be enabled, and the token must not be revoked.
    /// - Returns: the claims.
    /// - Throws: `WebIdentityError`, or an error of the database.
    func claims(ofIDToken text: String, pool: String, isCurrent: Bool, in cloud: Cloud) async throws -> JSONObject
}
