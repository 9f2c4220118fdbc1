package import Calls
import Cloud
import Directory
package import Federation
import HTTPTypes
import WireFormats

/// The identity providers: login pages for people, and the endpoints of four wire formats for applications.
///
/// SAML 2.0 beside them; OpenID Connect Core 1.0 and Discovery 1.0, RFC 6749, 6750, 7636, 9207 and 9700; Facebook Login and the Graph API, Login
/// with Amazon and Google's OpenID Connect by their public documentation.
package struct IdentityProviderFace: Sendable {
    private let applications: Applications

    /// - Parameter applications: reaches those that are registered at the providers.
    package init(applications: Applications) { self.applications = applications }

    /// Answers which issuer of the sandbox somebody logs in at (OpenID Connect Discovery 1.0 section 2).
    package func respondToWebFinger(_ call: Call) -> Response { WebFinger(call: call).respond() }

    /// Answers a request to one provider. Every failure has its form in the provider's wire format.
    /// - Parameters:
    ///   - provider: its name, the last part of `/idp/<name>`.
    ///   - path: what follows `/idp/<name>`, or the whole path where the real service's host was addressed; begins with `/`.
    package func respond(to call: Call, provider name: String, path: String) async -> Response {
        call.note(face: name)
        let realm = IssuerPaths.realm(in: WellKnownPath(call.path)?.issuerPath ?? call.path)
        guard let provider = call.cloud.directory.providers[name], provider.kind == .openIDConnect || realm?.name != name else {
            call.note(errorCode: "unknown_provider", message: "There is no identity provider of this name.")
            if realm != nil { return .json(["error": "Realm does not exist"], status: .notFound) }
            return .json(
                ["error": "unknown_provider", "error_description": "There is no identity provider of this name."],
                status: .notFound)
        }
        let visit = Visit(call: call, provider: provider, path: path, applications: applications)
        return switch provider.kind {
        case .openIDConnect where SAMLFace.answers(path) && provider.saml != nil: await SAMLFace(visit: visit).respond()
        case .openIDConnect where visit.isRealm: await KeycloakFace(visit: visit).respond()
        case .openIDConnect: await OpenIDConnectFace(visit: visit).respond()
        case .facebook: await FacebookFace(visit: visit).respond()
        case .amazon: await AmazonFace(visit: visit).respond()
        case .google: await GoogleFace(visit: visit).respond()
        }
    }
}
