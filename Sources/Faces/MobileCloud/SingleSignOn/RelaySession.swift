import Cloud
import Directory
import Federation
import WireFormats

/// The session of a user who has logged in at the relay with a browser. All tokens that the browser requests are issued for this user, for
/// every app of the realm. The documentation recommends a new private window for each login.
struct RelaySession {
    /// The lifetime in seconds, the default of Oracle Access Manager.
    static let lifetime = 28_800

    /// Returns the logged-in user, if the user still exists in the realm.
    static func user(of call: MobileCall, in realm: Realm) throws -> MobileUser? {
        guard let cookie = RelayCookie.session.value(in: call.http),
            let grant = try call.cloud.grants.find(cookie, kind: .browserSession, at: PendingLogin.relayName),
            grant.details["realm"]?.stringValue == realm.key, let user = realm.user(named: grant.person),
            grant.details["user"]?.stringValue == user.id
        else { return nil }
        return user
    }

    /// Starts a session that replaces the browser's earlier one. Each login has a new cookie value, which prevents session fixation.
    /// - Parameter end: the end of the identity provider's session, if it states one.
    /// - Returns: the cookie's value.
    static func start(for user: MobileUser, in realm: Realm, until end: Timestamp?, of call: MobileCall) async throws -> String {
        if let earlier = RelayCookie.session.value(in: call.http) {
            _ = try await call.cloud.grants.redeem(earlier, kind: .browserSession, at: PendingLogin.relayName)
        }
        let now = call.cloud.clock.now
        let usual = now + .seconds(lifetime)
        let cookie = try OpaqueToken.unguessable()
        try await call.cloud.grantIssuer.keep(
            Grant(
                kind: .browserSession, provider: PendingLogin.relayName, client: "", person: user.username, issued: now,
                expires: min(usual, end ?? usual), details: ["realm": .string(realm.key), "user": .string(user.id)]),
            under: cookie)
        return cookie
    }
}
