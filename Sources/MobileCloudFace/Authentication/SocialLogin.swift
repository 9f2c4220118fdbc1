import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// What a call says of somebody who is logged in at a social provider.
struct SocialCredentials: Equatable {
    var provider: String
    var accessToken: String

    /// - Returns: nothing for a call that has neither of the fields.
    /// - Throws: ``MobileError`` for one without the other.
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

/// The login of people whom a social provider knows. (Using Oracle Mobile Cloud Service, "Facebook Login".)
///
/// The provider is asked at each call: what a person takes back there ends here at once.
struct SocialLogin {
    let call: MobileCall
    let credentials: SocialCredentials

    /// - Parameter nobody: whom the anonymous key beside it makes the caller.
    /// - Throws: ``MobileError``.
    func caller(asNobody nobody: MobileCaller) async throws -> MobileCaller {
        guard nobody.isAnonymous else {
            throw MobileError(
                .invalidCredentials, "The token of a social provider goes with the anonymous key, not with a user's name and password.")
        }
        let provider = credentials.provider.lowercased()
        let graph = try graphURL(of: provider)
        guard provider == "facebook" else {
            throw MobileError(.socialTokenRefused, "People log in at Facebook only, not at \(credentials.provider).")
        }
        try MobileCaller.Method.facebook.admit(to: nobody.backend)
        guard let app = nobody.backend.facebook else {
            throw MobileError(.authenticationMethodOff, "Facebook Login is off at the backend \(nobody.backend.key).")
        }
        // The token must be the backend's own app's: another app that the person uses could hand its token in otherwise.
        let holder = try await ask(graph, "app", [:], secret: app.appSecret)
        guard holder["id"]?.stringValue == app.appID else {
            throw MobileError(.socialTokenRefused, "The token was issued for another app of Facebook than the backend's \(app.appID).")
        }
        let person = try await ask(graph, "me", ["fields": "id,name"], secret: app.appSecret)
        guard let id = person["id"]?.stringValue else {
            throw MobileError(.socialProviderFailed, "Facebook did not say whose the token is.")
        }
        let user = MobileCaller.SocialUser(
            provider: provider, id: id, name: person["name"]?.stringValue, accessToken: credentials.accessToken)
        return MobileCaller(backend: nobody.backend, identity: .social(user), method: .facebook, roles: [])
    }

    /// `graphApiUrl` of the provider in the policy `Security_IdentityProviders`, with a slash at its end.
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

    /// Reads a node of the Graph API with the person's token, and with the proof that the asker has the app's secret.
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
    /// What a policy gives in milliseconds; `nil` if it is removed or no whole number above zero.
    func duration(_ name: String) -> Duration? {
        guard let milliseconds = self[name].flatMap({ Int64(digits: $0) }), milliseconds > 0 else { return nil }
        return .milliseconds(milliseconds)
    }
}
