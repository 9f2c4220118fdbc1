import Cloud
import Federation
import WireFormats

/// That a person has logged in with a browser.
struct BrowserSession {
    var person: Person
    /// The stamp of the login.
    var authenticated: Timestamp

    /// Seconds that a login lasts.
    static let lifetime = 86_400

    init(person: Person, authenticated: Timestamp) {
        self.person = person
        self.authenticated = authenticated
    }

    /// The session of the request's cookie, if it is a live one and its person still exists.
    init?(of visit: Visit) throws {
        guard let token = Cookie.session.value(in: visit),
            let grant = try visit.cloud.grants.find(token, kind: .browserSession, at: visit.provider.name),
            let person = visit.provider.person(named: grant.person)
        else { return nil }
        self.init(person: person, authenticated: grant.issued)
    }

    /// Starts a session in place of the browser's earlier one. The cookie's value is new with every login, so that nobody can
    /// plant a value before it.
    /// - Returns: the session, and the value of its cookie.
    static func start(for person: Person, in visit: Visit) async throws -> (session: BrowserSession, cookie: String) {
        if let earlier = Cookie.session.value(in: visit),
            try visit.cloud.grants.look(up: earlier, kind: .browserSession, at: visit.provider.name) != nil
        {
            try await visit.cloud.grants.revoke(earlier)
        }
        let token = try OpaqueToken.unguessable()
        let now = visit.cloud.clock.now
        let grant = Grant(
            kind: .browserSession, provider: visit.provider.name, client: "", person: person.name, issued: now,
            expires: now + .seconds(lifetime))
        try await visit.cloud.grants.keep(grant, under: token)
        return (BrowserSession(person: person, authenticated: now), token)
    }
}
