import Cloud
import Directory
import Federation
import WireFormats

/// The login of a person in a browser. It lasts for an hour, also if the person signs out everywhere by the API. (Amazon Cognito User Pools API
/// Reference, GlobalSignOut.)
struct HostedSession: Sendable {
    let user: UserPoolUser
    /// When the person signed in.
    let authenticated: Timestamp

    /// Returns the session of the request's cookie, if it is live and its person can still sign in.
    init?(of visit: HostedVisit) throws {
        guard let cookie = HostedCookie.session.value(in: visit),
            let grant = try visit.cloud.grants.find(cookie, kind: .browserSession, at: visit.pool.grantName),
            let user = visit.pools.user(sub: grant.person, in: visit.pool.id), user.isEnabled, user.canHaveSession
        else { return nil }
        (self.user, authenticated) = (user, grant.issued)
    }

    private init(_ user: UserPoolUser, authenticated: Timestamp) { (self.user, self.authenticated) = (user, authenticated) }

    /// Starts a session, which replaces the browser's earlier one. The value of the cookie is new with every login.
    /// - Returns: the session, and the value of its cookie.
    static func start(for user: UserPoolUser, in visit: HostedVisit) async throws -> (session: HostedSession, cookie: String) {
        try await end(in: visit)
        let (now, cookie) = (visit.cloud.clock.now, try OpaqueToken.unguessable())
        let grant = Grant(
            kind: .browserSession, provider: visit.pool.grantName, client: "", person: user.sub, issued: now,
            expires: now + .seconds(HostedCookie.lifetime))
        try await visit.cloud.grantIssuer.keep(grant, under: cookie)
        return (HostedSession(user, authenticated: now), cookie)
    }

    /// Ends the browser's session, if it has one.
    static func end(in visit: HostedVisit) async throws {
        guard let cookie = HostedCookie.session.value(in: visit) else { return }
        _ = try await visit.cloud.grants.redeem(cookie, kind: .browserSession, at: visit.pool.grantName)
    }
}
