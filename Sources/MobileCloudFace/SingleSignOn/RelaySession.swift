import Cloud
import Directory
import Federation
import WireFormats

/// That somebody has logged in at the relay with a browser. Every token that the browser then asks for is that person's, whichever app of the
/// realm it is for: the documents ask for a fresh private window for each.
struct RelaySession {
    /// Seconds that a login lasts, as Oracle Access Manager ships it.
    static let lifetime = 28_800

    /// Who is logged in, if it is somebody of the realm who is still there.
    static func user(of call: MobileCall, in realm: Realm) throws -> MobileUser? {
        guard let cookie = RelayCookie.session.value(in: call.http),
            let grant = try call.cloud.grants.find(cookie, kind: .browserSession, at: PendingLogin.keeper),
            grant.details["realm"]?.stringValue == realm.key, let user = realm.user(named: grant.person),
            grant.details["user"]?.stringValue == user.id
        else { return nil }
        return user
    }

    /// Starts a session in place of the browser's earlier one. The cookie's value is new with every login, so that nobody can plant a value
    /// before it.
    /// - Parameter end: when the identity provider ends its own, if it says so.
    /// - Returns: the cookie's value.
    static func start(for user: MobileUser, in realm: Realm, until end: Timestamp?, of call: MobileCall) async throws -> String {
        if let earlier = RelayCookie.session.value(in: call.http) {
            _ = try await call.cloud.grants.redeem(earlier, kind: .browserSession, at: PendingLogin.keeper)
        }
        let now = call.cloud.clock.now
        let usual = now + .seconds(lifetime)
        let cookie = try OpaqueToken.unguessable()
        try await call.cloud.grants.keep(
            Grant(
                kind: .browserSession, provider: PendingLogin.keeper, client: "", person: user.username, issued: now,
                expires: min(usual, end ?? usual), details: ["realm": .string(realm.key), "user": .string(user.id)]),
            under: cookie)
        return cookie
    }
}
