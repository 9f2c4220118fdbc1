import Cloud
import Cryptography
import Federation
import WireFormats

/// That a person has logged in with a browser.
struct BrowserSession {
    /// What applications know the session by: `sid` in tokens, the session index in assertions. Opens nothing by itself.
    var id: String
    var person: Person
    /// The stamp of the login.
    var authenticated: Timestamp
    /// The value of its cookie.
    private var cookie: String
    /// Whom the session has let in, so that they can be told of its end; in the order of their first time.
    var participants: [Participant]

    /// An application that the person went to in this session.
    enum Participant: Hashable {
        case client(id: String)
        /// With the name that its assertion gave to the person, as the element `NameID` is written.
        case serviceProvider(entityID: String, nameID: String)
    }

    /// Seconds that a login lasts.
    static let lifetime = 86_400

    /// The session of the request's cookie, if it is a live one and its person still exists.
    init?(of visit: Visit) throws {
        guard let cookie = Cookie.session.value(in: visit),
            let grant = try visit.cloud.grants.find(cookie, kind: .browserSession, at: visit.provider.name)
        else { return nil }
        self.init(grant, cookie: cookie, at: visit.provider)
    }

    private init?(_ grant: Grant, cookie: String, at provider: IdentityProvider) {
        guard let person = provider.person(named: grant.person) else { return nil }
        id = grant.details["sid"]?.stringValue ?? Self.id(ofCookie: cookie)
        self.cookie = cookie
        self.person = person
        authenticated = grant.issued
        participants = grant.details["participants"]?.arrayValue?.compactMap(Participant.init) ?? []
    }

    /// Nobody can tell the cookie from it.
    private static func id(ofCookie cookie: String) -> String { String(SHA256.hash("session \(cookie)").hex.prefix(32)) }

    /// Starts a session in place of the browser's earlier one. The cookie's value is new with every login, so that nobody can
    /// plant a value before it. Where the same person logs in again it is the same session to applications.
    /// - Returns: the session, and the value of its cookie.
    static func start(for person: Person, in visit: Visit) async throws -> (session: BrowserSession, cookie: String) {
        let cookie = try OpaqueToken.unguessable()
        let now = visit.cloud.clock.now
        var grant = Grant(
            kind: .browserSession, provider: visit.provider.name, client: "", person: person.name, issued: now,
            expires: now + .seconds(lifetime))
        if let earlier = try BrowserSession(of: visit) {
            try await visit.cloud.grants.revoke(earlier.cookie)
            if earlier.person.name == person.name {
                grant.details = ["sid": .string(earlier.id), "participants": .array(earlier.participants.map(\.json))]
            }
        }
        try await visit.cloud.grants.keep(grant, under: cookie)
        guard let session = BrowserSession(grant, cookie: cookie, at: visit.provider) else { throw OAuthError.internalError }
        return (session, cookie)
    }

    /// Ends the browser's session, if it has one, and everything that it gave applications but what is good while nobody is there.
    /// - Returns: the session as it was, whose participants are yet to be told.
    static func end(in visit: Visit) async throws -> BrowserSession? {
        guard let session = try BrowserSession(of: visit) else { return nil }
        let grants = visit.cloud.grants
        try await grants.revoke(session.cookie)
        let clients = session.participants.compactMap { participant -> String? in
            if case .client(let id) = participant { id } else { nil }
        }
        try await grants.revokeAll(
            ofSession: session.id, provider: visit.provider.name, clients: clients, person: session.person.name)
        return session
    }

    /// Remembers that the session lets an application in.
    func join(_ participant: Participant, in visit: Visit) async throws {
        guard !participants.contains(participant) else { return }
        let grants = visit.cloud.grants
        guard var grant = try grants.find(cookie, kind: .browserSession, at: visit.provider.name) else { return }
        let others = grant.details["participants"]?.arrayValue ?? []
        guard !others.contains(participant.json) else { return }
        grant.details["participants"] = .array(others + [participant.json])
        try await grants.keep(grant, under: cookie)
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
