import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// One request to one provider, and the prefix of its URLs.
struct Visit: Sendable {
    let call: Call
    @Shared var provider: IdentityProvider
    /// Issues grants on the provider as the request has read it.
    private(set) var grantIssuer: GrantIssuer
    /// The path relative to the provider; begins with `/`.
    let path: String
    /// The path prefix of the provider: `/idp/<name>`, Keycloak's `/realms/<name>` or `/auth/realms/<name>`, that of the canonical issuer, or
    /// empty if the request was addressed to the real service's host.
    let basePath: String
    /// Whether the request is addressed to the host of the canonical issuer.
    let isAtIssuer: Bool
    /// What differs if the request is addressed to a Keycloak realm.
    let manners: ProviderManners
    /// The client for calls to registered applications.
    let applications: Applications
    /// Holds the client whose pages may read the response; `nil` for a request that no page sent.
    let reader: ResponseReader?

    init(call: Call, provider: IdentityProvider, grantIssuer: GrantIssuer, path: String, applications: Applications) {
        self.call = call
        self.grantIssuer = grantIssuer
        self.applications = applications
        self.provider = provider
        self.path = path
        let prefix = IssuerPaths.own + provider.name
        // Metadata can also be at a well-known path followed by the issuer's path.
        let whole = WellKnownPath(call.path)?.issuerPath ?? call.path
        if !provider.kind.isSocial, let realm = IssuerPaths.realm(in: whole), realm.name == provider.name {
            (basePath, manners, isAtIssuer) = (realm.prefix, .keycloak, false)
        } else if whole == prefix || whole.hasPrefix(prefix + "/") {
            (basePath, manners, isAtIssuer) = (prefix, .virga, false)
        } else if provider.answers(atHost: call.host) {
            let base = call.path.hasSuffix(path) ? String(call.path.dropLast(path.count)) : whole
            // An issuer whose name has the path of a Keycloak realm has the paths of one.
            let isRealm = IssuerPaths.realm(in: base).map { $0.rest.isEmpty } ?? false
            (basePath, manners, isAtIssuer) = (base, isRealm ? .keycloak : .virga, true)
        } else {
            (basePath, manners, isAtIssuer) = ("", .virga, false)
        }
        reader = call.headers.has(.origin) ? ResponseReader() : nil
    }

    var cloud: Cloud { call.cloud }

    /// Returns the visit with the directory as it is now, for a request that has changed the provider.
    /// - Throws: `GrantRefusal.provider` if the provider was removed.
    func rereading() throws -> Visit {
        let (directory, grantIssuer) = cloud.issuing
        guard let current = directory.providers[provider.name] else { throw GrantRefusal.provider }
        var visit = self
        visit.provider = current
        visit.grantIssuer = grantIssuer
        return visit
    }

    /// The method of the request. HEAD is handled as GET, and the front door drops the body.
    var method: HTTPRequest.Method { call.method == .head ? .get : call.method }

    var mint: TokenMint { TokenMint(cloud: call.cloud, grantIssuer: grantIssuer) }

    /// The scheme and authority of the provider's URLs. The public URL of this process does not replace the host of an issuer.
    var origin: String { isAtIssuer ? "\(call.isSecure ? "https" : "http")://\(call.authority)" : call.origin }

    /// The prefix of the provider's URLs, as the client addressed it.
    var baseURL: String { origin + basePath }

    /// The issuer's name for this client: the canonical one for requests to its own host or that of the real service, otherwise the
    /// configured one if there is one, and otherwise the addressed one.
    var issuer: String {
        if isAtIssuer, let issuer = provider.issuer { return issuer }
        if let origin = provider.origins?.issuer { return origin + basePath }
        return basePath.isEmpty ? provider.issuer ?? baseURL : baseURL
    }

    /// Records the operation and applies injected errors, before the operation does anything. This is the only place where injected errors
    /// affect identity providers. The caller is known only from an access token in the header.
    /// - Throws: `InjectedFault`, which the provider's face converts.
    func enter(_ operation: String) async throws {
        call.note(operation: operation)
        guard cloud.faults.isArmed else { return }
        let token = authorization("bearer", "oauth", "dpop", "token")
        let holder = try token.flatMap { try cloud.grants.find($0, kind: .accessToken, at: provider.name) }
        try await call.applyFaults(
            FaultableCall(service: provider.name, action: operation, caller: holder?.person, resources: [path, call.path]))
    }

    /// Returns the parameters of the query.
    /// - Throws: `FormFault.malformed`.
    func query() throws(FormFault) -> FormFields {
        guard let fields = call.queryFields else { throw .malformed }
        return fields
    }

    /// Returns the fields of a POST request's body.
    /// - Throws: `FormFault`, or the connection's error.
    func form() async throws -> FormFields { try await call.form() }

    /// Returns the parameters of the query and of the body, if present, as the Graph API and Google's older endpoints accept them.
    func parameters() async throws -> FormFields {
        var fields = try query()
        if call.method == .post, call.headers[.contentType] != nil { fields.fields += try await form().fields }
        return fields
    }

    /// Returns the token of an `Authorization` header whose scheme is one of `schemes` (lower case).
    func authorization(_ schemes: String...) -> String? {
        guard let header = call.headers.value(of: .authorization) else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, schemes.contains(parts[0].lowercased()) else { return nil }
        return parts[1].trimmingPrefix { $0 == " " }.description
    }
}
