package import Calls
package import Federation
import WireFormats

/// The AWS services that are found by the scope of a signature, a host or `X-Amz-Target` alone.
package struct ScopedServices: Sendable {
    private let organizations: OrganizationsFace

    /// - Parameter authenticator: verifies signatures.
    package init(authenticator: Authenticator) { organizations = OrganizationsFace(authenticator: authenticator) }

    /// Responds to one call. A service that Virga does not have responds with an error in its own protocol.
    /// - Parameter service: the service's name in the scope of the signature, in the host, or in the target of the call.
    package func respond(to call: Call, service: String) async -> Response {
        switch service {
        case OrganizationsFace.name, OrganizationsFace.target: return await organizations.answer(call)
        default: return UnavailableService(name: service).respond(to: call)
        }
    }
}
