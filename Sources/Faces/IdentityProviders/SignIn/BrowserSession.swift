import Calls
import Cloud
import Cryptography
import Directory
import Federation
import WireFormats

/// A user's login in a browser.
struct BrowserSession {
    /// The session's identifier for applications: `sid` in tokens, the session index in assertions. It grants no access.
    var id: String
    var person: Person
    /// The time of the login when it happened.
    var authenticated: Timestamp
    /// The value of its cookie.
    private var cookie: String
    /// The applications that the session has signed on to, in the order of the first time, to be notified of a logout.
    var participants: [Participant]

    /// An application that the user signed on to in this session.
    enum Participant: Hashable, Sendable {
        case client(id: String)
        /// A SAML service provider, with the user's name in its assertion as a serialized `NameID`.
        case serviceProvider(entityID: String, nameID: String)
    }

    /// The lifetime of a login in seconds.
    static let lifetime = 86_400

    /// Returns the session of the request's cookie, if it is live, and its user still exists and is not disabled.
    init?(of visit: Visit) throws {
        guard let cookie = Cookie.session.value(in: visit),
            let grant = try visit.cloud.grants.find(cookie, kind: .browserSession, at: visit.provider.name)
        else { return nil }
        self.init(grant, cookie: cookie, at: visit.provider)
        if !person.isEnabled { return nil }
    }

    private init?(_ grant: Grant, cookie: String, at provider: IdentityProvider) {
        guard let person = provider.person(named: grant.person), let id = grant.details["sid"]?.stringValue else { return nil }
        self.id = id
        self.cookie = cookie
        self.person = person
        authenticated = grant.issued
        participants = grant.details["participants"]?.arrayValue?.compactMap(Participant.init) ?? []
    }

    /// Starts a session that replaces the browser's earlier one. The cookie's value is new with every login, which prevents session
    /// fixation. If the same user logs in again, applications see the same session.
    /// - Returns: the session, and the value of its cookie.
    static func start(for person: Person, in visit: Visit) async throws -> (session: BrowserSession, cookie: String) {
        let cookie = try OpaqueToken.unguessable()
        let earlier = try await take(in: visit).flatMap { $0.person.name == person.name ? $0 : nil }
        let now = visit.cloud.clock.now
        let grant = Grant(
            kind: .browserSession, provider: visit.provider.name, client: "", person: person.name, issued: now,
            expires: now + .seconds(lifetime),
            details: [
                "sid": .string(try earlier?.id ?? randomBytes(16).hex),
                "participants": .array(earlier?.participants.map(\.json) ?? []),
            ])
        try await visit.grantIssuer.keep(grant, under: cookie)
        guard let session = BrowserSession(grant, cookie: cookie, at: visit.provider) else { throw OAuthError.internalError }
        return (session, cookie)
    }

    /// Removes the browser's session. Of several concurrent requests only one gets it, with all its participants.
    private static func take(in visit: Visit) async throws -> BrowserSession? {
        guard let cookie = Cookie.session.value(in: visit),
            let grant = try await visit.cloud.grants.redeem(cookie, kind: .browserSession, at: visit.provider.name)
        else { return nil }
        return BrowserSession(grant, cookie: cookie, at: visit.provider)
    }

    /// Ends the browser's session, if it has one, and revokes everything that it issued to applications except offline access.
    /// - Returns: the ended session, whose participants must still be notified.
    static func end(in visit: Visit) async throws -> BrowserSession? {
        guard let session = try await take(in: visit) else { return nil }
        try await session.revokeIssuedGrants(in: visit)
        return session
    }

    /// Ends the session of any browser in the same way.
    /// - Parameter id: the `sid`.
    static func end(_ id: String, of person: String, in visit: Visit) async throws -> BrowserSession? {
        guard let grant = try await visit.cloud.grants.redeem(session: id, provider: visit.provider.name, person: person),
            let session = BrowserSession(grant, cookie: "", at: visit.provider)
        else { return nil }
        try await session.revokeIssuedGrants(in: visit)
        return session
    }

    private func revokeIssuedGrants(in visit: Visit) async throws {
        let clients = participants.compactMap { participant -> String? in
            if case .client(let id) = participant { id } else { nil }
        }
        try await visit.cloud.grants.revokeAll(ofSession: id, provider: visit.provider.name, clients: clients, person: person.name)
    }

    /// Records that the session signs on to an application.
    /// - Returns: whether the session still exists; it may have ended in the meantime.
    func join(_ participant: Participant, in visit: Visit) async throws -> Bool {
        guard !participants.contains(participant) else { return true }
        let json = participant.json
        let joined = try await visit.grantIssuer.amend(cookie, kind: .browserSession, at: visit.provider.name) { grant in
            let others = grant.details["participants"]?.arrayValue ?? []
            guard !others.contains(json) else { return }
            grant.details["participants"] = .array(others + [json])
        }
        return joined != nil
    }
}

extension BrowserSession.Participant {
    fileprivate init?(_ json: JSONValue) {
        if let id = json["client"]?.stringValue {
            self = .client(id: id)
        } else if let entityID = json["service_provider"]?.stringValue, let nameID = json["name_id"]?.stringValue {
            self = .serviceProvider(entityID: entityID, nameID: nameID)
        } else {
            return nil
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .client(let id): ["client": .string(id)]
        case .serviceProvider(let entityID, let nameID): ["service_provider": .string(entityID), "name_id": .string(nameID)]
        }
    }
}
