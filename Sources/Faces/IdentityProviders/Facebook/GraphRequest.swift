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
    /// The version in the path; `nil` if it names none.
    let pathVersion: GraphVersion?
    let parameters: FormFields

    /// The holder of an access token.
    enum Holder {
        /// A user through an app.
        case person(Grant, Approval)
        /// An app for itself, with `<app id>|<app secret>`.
        case app(Client)

        var client: Client {
            switch self {
            case .person(_, let approval): approval.client
            case .app(let client): client
            }
        }
    }

    /// The effective method. Clients that can send only GET set it in a parameter.
    var method: HTTPRequest.Method {
        switch parameters.value("method")?.lowercased() {
        case "delete": .delete
        case "post": .post
        case "get": .get
        default: visit.method
        }
    }

    /// Returns the effective version for an app: that of the path, or the app's own.
    func version(for client: Client?) -> GraphVersion { pathVersion ?? client?.facebook?.version ?? .current }

    /// The access token, from the parameter or from the header with either scheme.
    var accessToken: String? { parameters.value("access_token") ?? visit.authorization("oauth", "bearer") }

    /// Returns the holder of the access token, after verifying the token and the `appsecret_proof` if present.
    /// - Throws: `GraphError`.
    func holder() throws -> Holder {
        guard let token = accessToken else { throw GraphError.noToken }
        let holder = try holder(of: token)
        if let proof = parameters.value("appsecret_proof") {
            // Without a secret there is no proof: anybody can compute one with an empty key.
            guard let secret = holder.client.secret, constantTimeEquals(proof, hmacSHA256(key: Array(secret.utf8), token).hex) else {
                throw GraphError.wrongProof
            }
        } else if holder.client.facebook?.requiresAppSecretProof == true {
            throw GraphError.noProof
        }
        if case .person(_, let approval) = holder { visit.call.note(caller: approval.person.name) }
        return holder
    }

    /// Returns the holder of any token.
    /// - Throws: `GraphError` with the reason why the token is invalid.
    func holder(of token: String) throws -> Holder {
        if let client = appToken(token) { return .app(client) }
        do {
            let found = try FacebookToken(token, at: visit.provider, in: visit.cloud)
            return .person(found.grant, found.approval)
        } catch let fault as FacebookToken.Fault {
            throw GraphError(fault, clock: visit.cloud.clock)
        }
    }

    /// Returns the app that calls for itself.
    /// - Parameter id: the required app, where the path names one.
    /// - Throws: `GraphError`.
    func app(_ id: String? = nil) throws -> Client {
        guard case .app(let client) = try holder(), id == nil || client.id == id else {
            throw GraphError(message: "(#15) This method must be called with an app access_token.", code: 15)
        }
        return client
    }

    /// Returns the user with an identifier, as the app knows it.
    func person(_ id: String, of client: Client) -> Person? {
        let version = version(for: client)
        // Most apps know people by their subjects, which are found without a search.
        let people = visit.provider.people
        if let person = people.first(.subject(TextKey(id))), client.facebookID(of: person, version: version) == id { return person }
        return people.first { client.facebookID(of: $0, version: version) == id }
    }

    /// Returns the permissions that a user currently grants an app, and those declined or revoked. They belong to the user and the app, so
    /// a token always has the current ones.
    func permissions(_ approval: Approval) throws -> (granted: [String], declined: [String]) {
        let consent = Consent(client: approval.client, person: approval.person)
        let declined = try consent.declined(in: visit)
        let agreed = try consent.scopes(in: visit) ?? []
        return (agreed + approval.scopes.filter { !agreed.contains($0) && !declined.contains($0) }, declined)
    }

    /// Returns the effective expiry of a token, after any aging.
    func expiry(of grant: Grant) -> Timestamp { visit.cloud.clock.effectiveExpiry(grant.expires, issuedAt: grant.issued) }

    private func appToken(_ token: String) -> Client? {
        let parts = token.split(separator: "|", maxSplits: 1)
        guard parts.count == 2, let client = visit.provider.client(String(parts[0])), let secret = client.secret,
            constantTimeEquals(String(parts[1]), secret)
        else { return nil }
        return client
    }
}
