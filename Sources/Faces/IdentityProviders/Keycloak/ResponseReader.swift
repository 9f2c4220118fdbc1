import Calls
import Directory
import HTTPTypes
import Synchronization
import WireFormats

/// Holds the client whose pages may read the response to a request. Endpoints set it as soon as they know the client.
final class ResponseReader: Sendable {
    private let known = Mutex<(client: Client?, isOfAdministrator: Bool)>((nil, false))

    /// The client; `nil` as long as the request has not identified any.
    var client: Client? {
        get { known.withLock { $0.client } }
        set { known.withLock { $0.client = newValue } }
    }

    /// Whether the request is about tokens with which the Admin API can be called.
    var isOfAdministrator: Bool {
        get { known.withLock { $0.isOfAdministrator } }
        set { known.withLock { $0.isOfAdministrator = newValue } }
    }
}

extension Visit {
    /// Whether only pages at the web origins of the client may read the response. At the issuer's own paths all pages may, but not in the
    /// realm of the administrators, and not tokens of administrators.
    var restrictsReaders: Bool {
        manners.restrictsOrigins || provider.name == KeycloakRealm.masterName || reader?.isOfAdministrator == true
    }

    /// Records the account that the request is about: of the user who sends a password, or of the holder of the new token.
    func note(account: @autoclosure () -> KeycloakAccount?) {
        guard let reader, !manners.restrictsOrigins else { return }
        reader.isOfAdministrator = provider.administers(account())
    }

    /// Returns whether a page at an origin may read the response to its request. Errors before a client is known, and documents that are
    /// the same for all clients, may be read by all pages, as at Keycloak.
    func mayRead(_ origin: String) -> Bool {
        guard let client = reader?.client else { return true }
        let allowed = client.webOrigins ?? [Client.originsOfRedirects]
        if allowed.contains("*") || allowed.contains(origin) { return true }
        guard allowed.contains(Client.originsOfRedirects) else { return false }
        return client.redirectURIs.contains { Client.origin(of: absolute($0)) == origin }
    }
}

extension Response {
    /// Keycloak's response to a CORS preflight request. The face adds the origin.
    static let realmPreflight = Response(
        status: .ok,
        headers: [
            .accessControlAllowMethods: "GET, POST, PUT, DELETE, OPTIONS",
            .accessControlAllowHeaders: "Origin, Accept, X-Requested-With, Content-Type, Access-Control-Request-Method, "
                + "Access-Control-Request-Headers, DPoP, Authorization",
            .accessControlMaxAge: "3600",
        ])
}
