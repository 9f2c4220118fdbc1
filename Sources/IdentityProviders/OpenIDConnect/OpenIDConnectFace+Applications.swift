import Calls
import Cloud
import HTTPTypes
import WireFormats

extension OpenIDConnectFace {
    /// Responds at the endpoints that applications call directly; `nil` for other paths.
    func respondToApplication() async throws -> Response? {
        let registration = visit.path(of: .registration)
        if visit.path == registration || visit.path.hasPrefix(registration + "/") { return try await registered(below: registration) }
        let endpoints: [ProviderEndpoint] = [.token, .introspection, .revocation, .deviceAuthorization]
        if let endpoint = endpoints.first(where: { visit.path == visit.path(of: $0) }) {
            if visit.method == .options { return preflight }
            let response =
                switch endpoint {
                case .introspection: try await IntrospectionEndpoint(visit: visit).respond()
                case .revocation: try await RevocationEndpoint(visit: visit).respond()
                case .deviceAuthorization: try await DeviceAuthorizationEndpoint(visit: visit).respond()
                default: try await TokenEndpoint(visit: visit).respond()
                }
            return shared(response)
        }
        let frame = visit.path(of: .checkSession)
        if visit.path == frame || visit.path == frame + CheckSessionEndpoint.statusPath {
            return try await CheckSessionEndpoint(visit: visit).respond()
        }
        return try await devicePage()
    }

    private func registered(below path: String) async throws -> Response {
        if visit.method == .options { return preflight }
        let endpoint = RegistrationEndpoint(visit: visit)
        let client = visit.path.dropFirst(path.count + 1)
        return shared(try await client.isEmpty ? endpoint.register() : endpoint.configure(String(client)))
    }

    /// Responds at the page where a user enters the code of a device (RFC 8628 section 3.3).
    private func devicePage() async throws -> Response? {
        let path = visit.path(of: .deviceVerification)
        let page = DeviceVerification(visit: visit, path: path, meaning: AuthorizeEndpoint(visit: visit).meaning(ofScope:))
        do {
            switch visit.path {
            case path where visit.method == .get: return try await page.show()
            case path + DeviceVerification.formPath where visit.method == .post: return try await page.submit()
            default: return nil
            }
        } catch let fault as FormFault {
            throw OAuthError(.invalidRequest, fault.explanation)
        }
    }
}
