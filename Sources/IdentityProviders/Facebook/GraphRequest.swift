import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// A request to the Graph API: its version, parameters and access token.
struct GraphRequest {
    let visit: Visit
    /// What the path names; `nil` if it names no version.
    let pathVersion: GraphVersion?
    let parameters: FormFields

    /// Who speaks.
    enum Holder {
        /// A person through an app.
        case person(Grant, Approval)
        /// An app for itself, by `<app id>|<app secret>`.
        case app(Client)

        var client: Client {
            switch self {
            case .person(_, let approval): approval.client
            case .app(let client): client
            }
        }
    }

    /// How the request is meant: clients that can send neither DELETE nor POST say so in a parameter.
    var method: HTTPRequest.Method {
        switch parameters.value("method")?.lowercased() {
        case "delete": .delete
        case "post": .post
        case "get": .get
        default: visit.method
        }
    }

    /// The version that counts for an app: the path's, else the app's own.
    func version(for client: Client?) -> GraphVersion { pathVersion ?? client?.facebook?.version ?? .current }

    /// The token: as a parameter, or in the header with the scheme of either age.
    var accessToken: String? { parameters.value("access_token") ?? visit.authorization("oauth", "bearer") }

    /// Whom the access token belongs to, if it is good and the proof that may come with it is right.
    /// - Throws: `GraphError`.
    func holder() throws -> Holder {
        guard let token = accessToken else { throw GraphError.noToken }
        let holder = try holder(of: token)
        if let proof = parameters.value("appsecret_proof") {
            let expected = hmacSHA256(key: Array((holder.client.secret ?? "").utf8), token).hex
            guard constantTimeEquals(proof, expected) else { throw GraphError.wrongProof }
        } else if holder.client.facebook?.requiresAppSecretProof == true {
            throw GraphError.noProof
        }
        if case .person(_, let approval) = holder { visit.call.note(caller: approval.person.name) }
        return holder
    }

    /// Whom any token belongs to.
    /// - Throws: `GraphError` that says what is the matter with the token.
    func holder(of token: String) throws -> Holder {
        if let client = appToken(token) { return .app(client) }
        do {
            let found = try FacebookToken(token, at: visit.provider, in: visit.cloud)
            return .person(found.grant, found.approval)
        } catch let fault as FacebookToken.Fault {
            throw GraphError(fault, clock: visit.cloud.clock)
        }
    }

    /// The app that speaks for itself.
    /// - Parameter id: which it must be, where the path names one.
    /// - Throws: `GraphError`.
    func app(_ id: String? = nil) throws -> Client {
        guard case .app(let client) = try holder(), id == nil || client.id == id else {
            throw GraphError(message: "(#15) This method must be called with an app access_token.", code: 15)
        }
        return client
    }

    /// The person that an app knows by an identifier.
    func person(_ id: String, of client: Client) -> Person? {
        let version = version(for: client)
        return visit.provider.people.first { client.facebookID(of: $0, version: version) == id }
    }

    /// What a person has granted an app by now, and what they have left out or taken back: both belong to person and app, so that a token
    /// says what holds today.
    func permissions(_ approval: Approval) throws -> (granted: [String], declined: [String]) {
        let consent = Consent(client: approval.client, person: approval.person)
        let declined = try consent.declined(in: visit)
        let agreed = try consent.scopes(in: visit) ?? []
        return (agreed + approval.scopes.filter { !agreed.contains($0) && !declined.contains($0) }, declined)
    }

    /// When a token ends, seen from now.
    func expiry(of grant: Grant) -> Timestamp { grant.expires - .seconds(visit.cloud.clock.aging(since: grant.issued)) }

    private func appToken(_ token: String) -> Client? {
        let parts = token.split(separator: "|", maxSplits: 1)
        guard parts.count == 2, let client = visit.provider.client(String(parts[0])), let secret = client.secret,
            constantTimeEquals(String(parts[1]), secret)
        else { return nil }
        return client
    }
}
