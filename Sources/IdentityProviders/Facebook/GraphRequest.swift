import Cloud
import Cryptography
import Exchange
import Federation
import WireFormats

/// A request to the Graph API: its version, parameters and access token.
struct GraphRequest {
    let visit: Visit
    let version: GraphVersion
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
        }
        if case .person(_, let approval) = holder { visit.exchange.note(caller: approval.person.name) }
        return holder
    }

    /// Whom any token belongs to.
    /// - Throws: `GraphError` that says what is the matter with the token.
    func holder(of token: String) throws -> Holder {
        if let client = appToken(token) { return .app(client) }
        guard let grant = try visit.cloud.grants.look(up: token, kind: .accessToken, at: visit.provider.name),
            let approval = Approval(grant, at: visit.provider)
        else {
            if let client = OpaqueToken.facebookClient(of: token, among: visit.provider.clients) {
                throw GraphError.notAuthorized(client)
            }
            throw GraphError.invalidToken
        }
        let clock = visit.cloud.clock
        guard !clock.hasExpired(grant.expires, issuedAt: grant.issued) else {
            throw GraphError.expired(expiry(of: grant), now: clock.now)
        }
        return .person(grant, approval)
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
