import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The endpoints where clients register themselves (RFC 7591, OpenID Connect Dynamic Client Registration 1.0) and manage their registration
/// (RFC 7592).
struct RegistrationEndpoint {
    let visit: Visit

    static func metadata(_ visit: Visit) -> JSONObject { ["registration_endpoint": .string(visit.url(of: .registration))] }

    /// The lifetime of a registration access token in seconds, practically unlimited.
    private static let lifetime = 100 * 365 * 86_400

    /// The most clients of a sandbox that registered without an initial access token.
    static let mostOpen = 10_000
    /// The longest body of a registration without an initial access token, in bytes: 160 MB for all of them. With a token, it is 64 KiB.
    private static let longestOpen = 16 << 10

    /// The refusal of another open registration. RFC 7591 section 3.2.2 has no code for it; Keycloak answers the same where its policy
    /// limits the number of clients.
    private static var tooMany: OAuthError {
        OAuthError(
            .insufficientScope,
            "The sandbox has \(mostOpen) clients that registered without an initial access token. It keeps no more. Delete some, or set "
                + "initialAccessToken.", status: .forbidden)
    }

    /// Registers a new client.
    func register() async throws -> Response {
        try await visit.enter("Register")
        if let expected = visit.provider.initialAccessToken {
            guard let token = visit.authorization("bearer"), constantTimeEquals(token, expected) else { throw unauthorized }
        }
        let id = try randomBytes(16).base64url
        var client = Client(id: id, secret: nil, name: "", redirectURIs: [], applicationID: nil)
        if visit.provider.initialAccessToken == nil { client.isOpenlyRegistered = true }
        let registration = try await registration(of: client, in: try await document(isOpen: client.isOpenlyRegistered == true))
        try apply(registration, to: &client)
        let registered = client
        let provider = visit.provider.name
        try await visit.cloud.edit { directory in
            try visit.grantIssuer.check(provider: provider)
            if registered.isOpenlyRegistered == true, directory.openlyRegisteredClients >= Self.mostOpen { throw Self.tooMany }
            directory.put(registered, at: provider)
        }
        let now = visit.cloud.clock.now
        let token = try OpaqueToken.unguessable()
        let grant = Grant(
            kind: .registration, provider: provider, client: id, person: "", issued: now, expires: now + .seconds(Self.lifetime))
        try await visit.grantIssuer.keep(grant, under: token)
        visit.call.note(caller: id)
        return try answer(client, grant: grant, token: token, status: .created)
    }

    /// Handles a client's own registration: GET reads it, PUT replaces it, DELETE removes it (RFC 7592 section 2).
    func configure(_ id: String) async throws -> Response {
        try await visit.enter("ClientConfiguration")
        guard let token = visit.authorization("bearer"),
            let grant = try visit.cloud.grants.find(token, kind: .registration, at: visit.provider.name)
        else { throw unauthorized }
        // The token is invalid if its client no longer exists, and for other clients' registrations (section 2.1).
        guard grant.client == id, let client = visit.provider.client(id) else { throw unauthorized }
        visit.call.note(caller: id)
        switch visit.method {
        case .get: return try answer(client, grant: grant, token: token)
        case .put: return try await replace(client, grant: grant, token: token)
        case .delete:
            let provider = visit.provider.name
            try await visit.cloud.edit { directory in
                guard try visit.has(client) else { throw unauthorized }
                directory.removeClient(id, at: provider)
            }
            return Response(status: .noContent, headers: .unstored)
        default: throw visit.refusedMethod(allow: "GET, PUT, DELETE")
        }
    }

    private func replace(_ client: Client, grant: Grant, token: String) async throws -> Response {
        let document = try await document(isOpen: client.isOpenlyRegistered == true)
        // The client must send its identifier and cannot choose its secret (section 2.2).
        guard document["client_id"]?.stringValue == client.id else {
            throw OAuthError(.invalidRequest, "The client_id is missing or another client's.")
        }
        if let secret = document["client_secret"],
            !constantTimeEquals(secret.stringValue ?? "", client.secret ?? "") || secret.stringValue == nil || client.secret == nil
        {
            throw OAuthError(.invalidRequest, "The client_secret is not the client's.")
        }
        let ours = ["registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at"]
        if let member = ours.first(where: { document[$0] != nil }) {
            throw OAuthError(.invalidRequest, "The member \(member) must not be sent.")
        }
        var replaced = client
        try apply(try await registration(of: client, in: document), to: &replaced)
        let result = replaced
        let provider = visit.provider.name
        try await visit.cloud.edit { directory in
            // Another request may have removed the registration in the meantime, and an administrator may have given its identifier again.
            guard try visit.has(client) else { throw unauthorized }
            directory.put(result, at: provider)
        }
        return try answer(result, grant: grant, token: token)
    }

    /// Applies a registration to a client. The client keeps its secret as long as it needs one.
    private func apply(_ registration: ClientRegistration, to client: inout Client) throws {
        let needsSecret = registration.metadata.tokenEndpointAuthMethod?.hasPrefix("client_secret") == true
        client.secret = needsSecret ? try client.secret ?? Self.newSecret() : nil
        client.name = registration.name ?? client.id
        client.redirectURIs = registration.redirectURIs
        client.metadata = registration.metadata
        // An older secret can be too short for a new algorithm. The response then has another one (RFC 7592 section 2.2).
        if client.sharedSecretFault != nil { client.secret = try Self.newSecret() }
    }

    /// Returns a secret of 64 bytes, which suffices for every algorithm with a shared secret.
    private static func newSecret() throws -> String { try randomBytes(48).base64url }

    /// - Parameter isOpen: whether the client registers, or has registered, without an initial access token.
    private func document(isOpen: Bool) async throws -> JSONObject {
        let type = visit.call.headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard type == "application/json" else { throw OAuthError(.invalidRequest, "The body must be application/json.") }
        let bytes: [UInt8]
        do {
            bytes = try await visit.call.collectBody(upTo: isOpen ? Self.longestOpen : 1 << 16)
        } catch is BodyTooLarge {
            throw OAuthError(.invalidRequest, "The body is too long.")
        } catch is ContentCutOff {
            throw OAuthError(.invalidRequest, "The body ends early.")
        }
        guard let document = (try? JSONValue(parsing: bytes))?.objectValue else {
            throw OAuthError(.invalidClientMetadata, "The body must be a JSON object.")
        }
        return document
    }

    private func registration(of client: Client, in document: JSONObject) async throws -> ClientRegistration {
        do throws(ClientRegistration.Fault) {
            let registration = try ClientRegistration(document)
            let assertion = FurtherGrant.jwtBearer.rawValue
            if client.isOpenlyRegistered == true, registration.metadata.grantTypes?.contains(assertion) == true {
                throw ClientRegistration.Fault(
                    "Open registration does not accept the grant type \(assertion). Set initialAccessToken, or add the client to the seed.")
            }
            if let sector = registration.metadata.sectorIdentifierURI {
                try registration.checkSector(await visit.applications.document(at: sector))
            }
            return registration
        } catch {
            throw OAuthError(error.code, error.explanation)
        }
    }

    private func answer(_ client: Client, grant: Grant, token: String, status: HTTPResponse.Status = .ok) throws -> Response {
        var document: JSONObject = [
            "client_id": .string(client.id),
            "client_id_issued_at": .integer(visit.cloud.clock.effective(grant.issued).seconds),
        ]
        if let secret = client.secret {
            document["client_secret"] = .string(secret)
            // The secret does not expire.
            document["client_secret_expires_at"] = 0
        }
        document["registration_access_token"] = .string(token)
        document["registration_client_uri"] = .string("\(visit.url(of: .registration))/\(client.id)")
        document["client_name"] = .string(client.name)
        document["redirect_uris"] = .array(client.redirectURIs.map { .string($0) })
        for (name, value) in try client.metadata.json.members { document[name] = value }
        return .json(.object(document), status: status, headers: .unstored)
    }

    private var unauthorized: OAuthError {
        // Requests without a token get a challenge without an error code (RFC 6750 section 3.1).
        let error = visit.authorization("bearer") == nil ? "" : ", error=\"invalid_token\""
        return OAuthError(
            .invalidToken, "The access token is missing, unknown or for another registration.", status: .unauthorized,
            challenge: "Bearer realm=\"\(visit.provider.name)\"\(error)")
    }
}
