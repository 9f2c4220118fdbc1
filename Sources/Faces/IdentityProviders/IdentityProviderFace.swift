package import Calls
import Cloud
import Directory
package import Federation
import HTTPTypes
import WireFormats

/// The identity providers: login pages for users, and endpoints of several protocols for applications.
///
/// They implement SAML 2.0; OpenID Connect Core 1.0 and Discovery 1.0, RFC 6749, 6750, 7636, 9207 and 9700; and Facebook Login with the
/// Graph API, Login with Amazon, Google's OpenID Connect and GitHub's OAuth apps by their public documentation.
package struct IdentityProviderFace: Sendable {
    private let applications: Applications

    /// Creates the face.
    /// - Parameter applications: the client for calls to registered applications.
    package init(applications: Applications) { self.applications = applications }

    /// Returns the issuer of a user (OpenID Connect Discovery 1.0 section 2).
    package func respondToWebFinger(_ call: Call) -> Response { WebFinger(call: call).respond() }

    /// Responds to a request to one provider. Every failure has the format of the provider's protocol.
    /// - Parameters:
    ///   - provider: the provider's name, the last part of `/idp/<name>`.
    ///   - path: the path after `/idp/<name>`, or the whole path if the request was addressed to the real service's host; begins with `/`.
    package func respond(to call: Call, provider name: String, path: String) async -> Response {
        let visit: Visit
        switch admit(call, provider: name, path: path) {
        case .visit(let admitted): visit = admitted
        case .refusal(let response): return response
        }
        switch visit.provider.kind {
        case .openIDConnect:
            guard SAMLFace.answers(path, as: visit.manners), let settings = visit.provider.saml else {
                return await OpenIDConnectFace(visit: visit).respond()
            }
            return await SAMLFace(visit: visit, settings: settings).respond()
        case .facebook: return await FacebookFace(visit: visit).respond()
        case .amazon: return await AmazonFace(visit: visit).respond()
        case .google: return await GoogleFace(visit: visit).respond()
        case .github: return await GitHubFace(visit: visit).respond()
        }
    }

    private enum Admission {
        case visit(Visit)
        case refusal(Response)
    }

    /// Finds the provider of a call. Not inlined, see `FrontDoor.finish`.
    @inline(never)
    private func admit(_ call: Call, provider name: String, path: String) -> Admission {
        call.note(face: name)
        call.cloud.expectSignatures()
        let realm = IssuerPaths.realm(in: WellKnownPath(call.path)?.issuerPath ?? call.path)
        let (directory, grantIssuer) = call.cloud.issuing
        guard let provider = directory.providers[name], !provider.kind.isSocial || realm?.name != name else {
            return .refusal(.unknownProvider(of: call, isRealm: realm != nil))
        }
        return .visit(Visit(call: call, provider: provider, grantIssuer: grantIssuer, path: path, applications: applications))
    }
}

extension Response {
    /// Records that there is no provider of the name that a call addresses, and returns the response.
    static func unknownProvider(of call: Call, isRealm: Bool) -> Response {
        let (code, description) = ("unknown_provider", "There is no identity provider of this name.")
        call.note(errorCode: code, message: description)
        if isRealm { return .json(["error": "Realm does not exist"], status: .notFound) }
        return .json(["error": .string(code), "error_description": .string(description)], status: .notFound)
    }
}
