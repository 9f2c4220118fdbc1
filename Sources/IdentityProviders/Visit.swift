import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// One request to one provider, and the names that its URLs begin with.
struct Visit: Sendable {
    let call: Call
    @Shared var provider: IdentityProvider
    /// Below the provider; begins with `/`.
    let path: String
    /// `/idp/<name>`, Keycloak's `/realms/<name>` or `/auth/realms/<name>`, or empty where the real service's host was addressed.
    let basePath: String
    /// Whether the provider is addressed as a realm of Keycloak.
    let isRealm: Bool
    /// Reaches those that are registered at the provider.
    let applications: Applications

    init(call: Call, provider: IdentityProvider, path: String, applications: Applications) {
        self.call = call
        self.applications = applications
        self.provider = provider
        self.path = path
        let prefix = IssuerPaths.own + provider.name
        // Metadata is found with the issuer's path behind its own, too.
        let whole = WellKnownPath(call.path)?.issuerPath ?? call.path
        if provider.kind == .openIDConnect, let realm = IssuerPaths.realm(in: whole), realm.name == provider.name {
            basePath = realm.prefix
            isRealm = true
        } else {
            basePath = whole == prefix || whole.hasPrefix(prefix + "/") ? prefix : ""
            isRealm = false
        }
    }

    var cloud: Cloud { call.cloud }

    /// How the request was made; HEAD is answered as GET, and the front door leaves the content out.
    var method: HTTPRequest.Method { call.method == .head ? .get : call.method }

    var mint: TokenMint { TokenMint(cloud: call.cloud) }

    /// What the provider's URLs begin with, as the asker addressed it.
    var baseURL: String { call.origin + basePath }

    /// How the issuer is spelled to this asker: as it was addressed unless it has one name for all, and by its canonical name where its own
    /// host was addressed.
    var issuer: String {
        if let origin = provider.origins?.issuer { return origin + basePath }
        return basePath.isEmpty ? provider.issuer ?? baseURL : baseURL
    }

    /// Notes the operation, and lets errors on demand have their way with it: the one place where they reach identity providers.
    /// Nothing of the operation has been done. The caller is known by an access token in the header alone.
    /// - Throws: `InjectedFault`, which the provider's face spells.
    func enter(_ operation: String) async throws {
        call.note(operation: operation)
        guard cloud.faults.isArmed else { return }
        let token = authorization("bearer", "oauth", "dpop")
        let holder = try token.flatMap { try cloud.grants.find($0, kind: .accessToken, at: provider.name) }
        try await call.meetFaults(
            FaultableCall(service: provider.name, action: operation, caller: holder?.person, resources: [path, call.path]))
    }

    /// The query's parameters.
    /// - Throws: `FormFault.malformed`.
    func query() throws(FormFault) -> FormFields {
        guard let fields = FormFields(parsing: call.query) else { throw .malformed }
        return fields
    }

    /// The fields of a POST request's body.
    /// - Throws: `FormFault`, or the connection's error.
    func form() async throws -> FormFields { try await call.form() }

    /// The query's parameters, and those of the body where there is one, as the Graph API and Google's older endpoints take
    /// them.
    func parameters() async throws -> FormFields {
        var fields = try query()
        if call.method == .post, call.headers[.contentType] != nil { fields.fields += try await form().fields }
        return fields
    }

    /// The token of an `Authorization` header whose scheme is one of `schemes` (lower case).
    func authorization(_ schemes: String...) -> String? {
        guard let header = call.headers[.authorization] else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, schemes.contains(parts[0].lowercased()) else { return nil }
        return parts[1].trimmingPrefix { $0 == " " }.description
    }
}
