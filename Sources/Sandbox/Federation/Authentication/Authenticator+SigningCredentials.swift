import Cloud
import Directory
import WireFormats

/// Credentials that sign requests as a principal of the sandbox.
package struct SigningCredentials: Sendable, Equatable {
    /// The identifier of the access key.
    package var accessKey: String
    /// The secret of the access key.
    package var secret: String
    /// The session token of temporary credentials.
    package var sessionToken: String?

    package init(accessKey: String, secret: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secret = secret
        self.sessionToken = sessionToken
    }
}

extension Authenticator {
    /// The name of the sessions that are created to sign as a role.
    private static let sessionName = "virga"
    /// The lifetime of these sessions in seconds.
    private static let sessionLifetime = 3600
    /// A session that ends sooner, in seconds, is not used again.
    private static let leastRemaining: Int64 = 300

    /// Returns credentials that sign requests as a principal.
    ///
    /// A user or root user signs with its first active access key; without one, it gets a session. A role gets a session that is called
    /// `virga`, for which its trust policy is not evaluated.
    /// - Parameter name: the ARN of a root user, a user, a role or a live session; or an access key.
    /// - Returns: `nil` for an unknown name.
    /// - Throws: an error of the random generator.
    package func credentials(toSignAs name: String) throws -> SigningCredentials? {
        let directory = cloud.directory
        switch directory.keys[name] {
        case .root(_, let key), .user(_, let key): return SigningCredentials(accessKey: key.id, secret: key.secret)
        case nil: break
        }
        if let session = caller(ofLiveSession: name)?.session { return try signing(session.credentials) }
        if let user = directory.user(arn: name) {
            if let key = user.user.accessKeys.first(where: \.isActive) { return SigningCredentials(accessKey: key.id, secret: key.secret) }
            return try session(for: .user(arn: user.arn, id: user.user.id))
        }
        if let role = directory.role(arn: name) {
            return try session(for: .role(arn: role.arn, id: role.role.id, sessionName: Self.sessionName))
        }
        if let account = directory.accounts.values.first(where: { $0.rootARN == name }) {
            if let key = account.rootKeys.first(where: \.isActive) { return SigningCredentials(accessKey: key.id, secret: key.secret) }
            return try session(for: .root(account: account.id))
        }
        return nil
    }

    /// Returns the credentials of a session that was created for the same holder before, or of a new one.
    private func session(for holder: SessionCredentials.Holder) throws -> SigningCredentials {
        let clock = cloud.clock
        let end = clock.now + .seconds(Self.leastRemaining)
        let known = sessions.live { credentials in
            credentials.holder == holder && credentials.effectiveExpiry(by: clock) > end && credentials.claims.isEmpty
                && credentials.sessionPolicies.isEmpty && credentials.sessionPolicyARNs.isEmpty && credentials.scopes.isEmpty
                && credentials.sourceIdentity == nil && credentials.deviceUsed == nil
        }
        if let known { return try signing(known.credentials) }
        let minted = try sessions.mint(for: holder, duration: Self.sessionLifetime)
        return SigningCredentials(
            accessKey: minted.credentials.accessKeyID, secret: minted.credentials.secretAccessKey, sessionToken: minted.token)
    }

    private func signing(_ credentials: SessionCredentials) throws -> SigningCredentials {
        SigningCredentials(
            accessKey: credentials.accessKeyID, secret: credentials.secretAccessKey, sessionToken: try sessions.token(of: credentials))
    }
}
