import Calls
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The instance discovery of Microsoft Entra ID, from which MSAL learns the other names of an authority's host. (Microsoft Authentication
/// Library, "Authority"; its sources.)
struct EntraInstance {
    let visit: Visit

    /// The path below a tenant, usually `common`.
    static let path = "/discovery/instance"

    func respond() async throws -> Response {
        try await visit.enter("InstanceDiscovery")
        let query = try visit.query()
        guard query.value("api-version") != nil else {
            throw OAuthError(.invalidRequest, "The parameter api-version is missing.")
        }
        guard let address = query.value("authorization_endpoint").flatMap(Origin.init(url:)) else {
            throw OAuthError(.invalidRequest, "The parameter authorization_endpoint must be a URL.")
        }
        guard address.authority == visit.call.authority || visit.provider.answers(atHost: address.host) else {
            let body: JSONValue = [
                "error": "invalid_instance",
                "error_description": .string("The authority \(address.authority) is not one of this issuer."),
            ]
            visit.call.note(errorCode: "invalid_instance")
            return .json(body, status: .badRequest, headers: .unstored)
        }
        // The tenant is the segment before the path of the endpoint.
        let end = visit.path(of: .authorization)
        let path = address.path.prefix { $0 != "?" && $0 != "#" }
        let base = [end, "/oauth2/authorize"].first { path.hasSuffix($0) }.map { path.dropLast($0.count) } ?? path
        let scheme = visit.call.isSecure ? "https://" : "http://"
        let host: JSONValue = .string(address.host)
        return .json(
            [
                "tenant_discovery_endpoint": .string("\(scheme)\(address.authority)\(base)/v2.0\(WellKnownPath.openIDConfiguration)"),
                "api-version": .string(query.value("api-version") ?? ""),
                "metadata": [["preferred_network": host, "preferred_cache": host, "aliases": [host]]],
            ])
    }
}
