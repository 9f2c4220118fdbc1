import Calls
import Directory
import HTTPTypes
import Synchronization
import WireFormats

/// Holds the client whose pages may read the response to a request. Endpoints set it as soon as they know the client.
final class ResponseReader: Sendable {
    private let known = Mutex<Client?>(nil)

    /// The client; `nil` as long as the request has not identified any.
    var client: Client? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}

extension Visit {
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

extension Client {
    /// The web origin that stands for the origins of all redirect URIs.
    fileprivate static let originsOfRedirects = "+"
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
