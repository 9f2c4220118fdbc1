import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The credentials of a social provider's user, from the headers of a request.
struct SocialCredentials: Equatable {
    var provider: String
    var accessToken: String

    /// - Returns: `nil` if the request has neither of the two headers.
    /// - Throws: ``MobileError`` if it has only one of them.
    init?(_ headers: HTTPFields) throws(MobileError) {
        let provider = headers[.socialIdentityProvider] ?? ""
        let accessToken = headers[.socialAccessToken] ?? ""
        guard !provider.isEmpty || !accessToken.isEmpty else { return nil }
        guard !provider.isEmpty, !accessToken.isEmpty else {
            throw MobileError(
                .malformedRequest,
                "Oracle-Mobile-Social-Identity-Provider and Oracle-Mobile-Social-Access-Token go together; one of them is missing.")
        }
        self.provider = provider
        self.accessToken = accessToken
    }
}

/// The login of users of a social provider. (Using Oracle Mobile Cloud Service, "Facebook Login".)
///
/// Every request verifies the token with the provider, so a permission that the user revokes there is no longer valid here.
struct SocialLogin {
    let call: MobileCall
    let credentials: SocialCredentials

    /// Returns the social user as the caller.
    /// - Parameter anonymous: the anonymous caller, authenticated by the anonymous key in the same request.
    /// - Throws: ``MobileError``.
    func caller(replacing anonymous: MobileCaller) async throws -> MobileCaller {
        guard anonymous.isAnonymous else {
            throw MobileError(
                .invalidCredentials, "The token of a social provider goes with the anonymous key, not with a user's name and password.")
        }
        let provider = credentials.provider.lowercased()
        let graph = try graphURL(of: provider)
        guard provider == "facebook" else {
            throw MobileError(.socialTokenRefused, "The provider must be Facebook, not \(credentials.provider).")
        }
        try MobileCaller.Method.facebook.admit(to: anonymous.backend)
        guard let app = anonymous.backend.facebook else {
            throw MobileError(.authenticationMethodOff, "Facebook Login is not enabled in the mobile backend \(anonymous.backend.key).")
        }
        // The token must belong to the backend's own app: otherwise any other app of the user could present its token.
        let holder = try await ask(graph, "app", [:], secret: app.appSecret)
        guard holder["id"]?.stringValue == app.appID else {
            throw MobileError(.socialTokenRefused, "The token was issued for another app, not for the backend's Facebook app \(app.appID).")
        }
        let person = try await ask(graph, "me", ["fields": "id,name"], secret: app.appSecret)
        guard let id = person["id"]?.stringValue else {
            throw MobileError(.socialProviderFailed, "Facebook's response has no user ID.")
        }
        let user = MobileCaller.SocialUser(
            provider: provider, id: id, name: person["name"]?.stringValue, accessToken: credentials.accessToken)
        return MobileCaller(backend: anonymous.backend, identity: .social(user), method: .facebook, roles: [])
    }

    /// Returns `graphApiUrl` of the provider in the policy `Security_IdentityProviders`, with a trailing slash.
    private func graphURL(of provider: String) throws(MobileError) -> String {
        let policy = call.mobile.environment.policies["Security_IdentityProviders"] ?? "[]"
        guard let providers = (try? JSONValue(parsing: Array(policy.utf8)))?.arrayValue else {
            throw MobileError(.internalError, "The policy Security_IdentityProviders must be a JSON array.")
        }
        let known = providers.first { $0["identityProviderName"]?.stringValue?.lowercased() == provider }
        guard let known else {
            throw MobileError(.socialTokenRefused, "The policy Security_IdentityProviders has no provider \(credentials.provider).")
        }
        guard let url = known["properties"]?["graphApiUrl"]?.stringValue, !url.isEmpty else {
            throw MobileError(.internalError, "The policy Security_IdentityProviders gives \(provider) no graphApiUrl.")
        }
        return url.hasSuffix("/") ? url : url + "/"
    }

    /// Reads a node of the Graph API with the user's token and a proof that the caller has the app secret.
    /// (Meta for Developers, "Securing Graph API Requests".)
    private func ask(_ graph: String, _ node: String, _ parameters: FormFields, secret: String) async throws -> JSONObject {
        var parameters = parameters
        let proof = hmacSHA256(key: Array(secret.utf8), credentials.accessToken).hex
        parameters.fields += [
            .init(name: "access_token", value: credentials.accessToken), .init(name: "appsecret_proof", value: proof),
        ]
        let policies = call.mobile.environment.policies
        let answer: OutboundResponse
        do {
            answer = try await call.outbound(
                OutboundRequest(
                    url: "\(graph)\(node)?\(parameters.encoded)", headers: [.accept: "application/json"],
                    connectTimeout: policies.duration("Network_HttpConnectTimeout") ?? .seconds(20),
                    timeout: policies.duration("Network_HttpRequestTimeout") ?? .seconds(40)))
        } catch {
            throw MobileError(.socialProviderFailed, "Facebook does not answer at \(graph).")
        }
        let content = (try? JSONValue(parsing: answer.body))?.objectValue ?? [:]
        if answer.status == 200 {
            guard !content.isEmpty else { throw MobileError(.socialProviderFailed, "Facebook's response is not a JSON object.") }
            return content
        }
        let reason = content["error"]?["message"]?.stringValue
        guard (400..<500).contains(answer.status), content["error"]?["is_transient"] != true else {
            throw MobileError(.socialProviderFailed, "Facebook failed with status \(answer.status)\(reason.map { ": \($0)" } ?? ".")")
        }
        throw MobileError(.socialTokenRefused, "Facebook refuses the token: \(reason ?? "status \(answer.status)").")
    }
}

extension EnvironmentPolicies {
    /// Returns the value of a policy in milliseconds; `nil` if the policy is missing or not a positive integer.
    func duration(_ name: String) -> Duration? {
        guard let milliseconds = self[name].flatMap({ Int64(digits: $0) }), milliseconds > 0 else { return nil }
        return .milliseconds(milliseconds)
    }
}
