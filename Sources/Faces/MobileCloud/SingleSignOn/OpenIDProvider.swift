import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The OpenID Connect provider of a realm, as its metadata describes it (OpenID Connect Discovery 1.0 section 4).
struct OpenIDProvider {
    /// The issuer that its tokens name.
    var issuer: String
    /// Another issuer name that its responses may contain: one of our own issuers is spelled with the host that the browser uses.
    var otherSpelling: String?
    var authorizationEndpoint: String
    var tokenEndpoint: String
    var keySet: String
    var userInfo: String?
    /// Whether the token endpoint accepts `client_secret_basic` (OpenID Connect Core 1.0 section 9).
    var takesBasic: Bool
    /// Whether its responses always contain `iss` (RFC 9207).
    var namesItself: Bool

    /// Fetches the provider's metadata.
    /// - Throws: ``MobileError`` if the provider does not respond or its metadata is not usable.
    init(of settings: SignOnProvider.OpenIDConnect, for call: MobileCall) async throws {
        // Another process on this machine may have a provider with the same name on another port.
        let own = call.cloud.directory.provider(issuer: settings.issuer, names: call.http.names).flatMap { provider in
            provider.issuer == settings.issuer || settings.issuer.hasPrefix(call.baseURL + "/") ? provider : nil
        }
        let issuer = own?.issuer ?? settings.issuer
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let metadata = try await BackChannel(call: call).document(at: base + "/.well-known/openid-configuration")
        guard let named = metadata["issuer"]?.stringValue, own != nil || named == settings.issuer else {
            throw MobileError(.identityProviderUnreachable, "The metadata at \(issuer) belongs to another issuer.")
        }
        /// Returns an endpoint's URL. A provider that uses HTTPS must not name plain HTTP endpoints.
        func url(_ name: String) -> String? {
            guard let url = metadata[name]?.stringValue, ServiceProviderMetadata.isWebAddress(url),
                url.hasPrefix("https://") || issuer.hasPrefix("http://") || own != nil
            else { return nil }
            return url
        }
        guard let authorizationEndpoint = url("authorization_endpoint"), let tokenEndpoint = url("token_endpoint"),
            let keySet = url("jwks_uri")
        else { throw MobileError(.identityProviderUnreachable, "The metadata of \(issuer) lacks a required endpoint.") }
        self.issuer = named
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.keySet = keySet
        userInfo = url("userinfo_endpoint")
        let methods = metadata["token_endpoint_auth_methods_supported"]?.arrayValue
        takesBasic = methods?.contains("client_secret_basic") ?? true
        namesItself = metadata["authorization_response_iss_parameter_supported"] == true
        if let own { address(own, for: call) }
    }

    /// Sets the endpoints of one of our own issuers. The browser reaches it at the browser's own host, this process at the canonical name,
    /// which never leaves the process.
    private mutating func address(_ own: IdentityProvider, for call: MobileCall) {
        let prefix = IssuerPaths.own + own.name
        func path(_ url: String) -> String {
            let path = Origin(url: url)?.path ?? ""
            return path.hasPrefix(prefix + "/") ? String(path.dropFirst(prefix.count)) : String(path)
        }
        authorizationEndpoint = (own.origins?.browser ?? call.baseURL) + prefix + path(authorizationEndpoint)
        otherSpelling = (own.origins?.issuer ?? call.baseURL) + prefix
        // Google's endpoints are on several hosts, all of which this process serves.
        guard !own.kind.isSocial, let canonical = own.issuer else { return }
        let base = canonical.hasSuffix("/") ? String(canonical.dropLast()) : canonical
        tokenEndpoint = base + path(tokenEndpoint)
        keySet = base + path(keySet)
        userInfo = userInfo.map { base + path($0) }
    }
}

extension OpenIDProvider {
    /// The provider as a pending login stores it, so that the response is checked against the provider that the browser was sent to.
    var json: JSONObject {
        var json: JSONObject = [
            "issuer": .string(issuer), "token_endpoint": .string(tokenEndpoint), "jwks_uri": .string(keySet),
            "takes_basic": .bool(takesBasic), "names_itself": .bool(namesItself),
        ]
        json["spelling"] = otherSpelling.map { .string($0) }
        json["userinfo_endpoint"] = userInfo.map { .string($0) }
        return json
    }

    init?(_ json: JSONObject) {
        guard let issuer = json["issuer"]?.stringValue, let tokenEndpoint = json["token_endpoint"]?.stringValue,
            let keySet = json["jwks_uri"]?.stringValue
        else { return nil }
        self.issuer = issuer
        self.tokenEndpoint = tokenEndpoint
        self.keySet = keySet
        authorizationEndpoint = ""
        otherSpelling = json["spelling"]?.stringValue
        userInfo = json["userinfo_endpoint"]?.stringValue
        takesBasic = json["takes_basic"] == true
        namesItself = json["names_itself"] == true
    }
}

/// Sends the relay's own requests to an OpenID Connect provider.
struct BackChannel {
    let call: MobileCall

    /// - Throws: ``MobileError`` if there is no response, or one that is not status 200 with a JSON object.
    func document(at url: String, headers: HTTPFields = [:]) async throws -> JSONObject {
        let (status, members) = try await answer(OutboundRequest(url: url, headers: headers))
        guard status == 200, let members else {
            throw MobileError(.identityProviderUnreachable, "The response from \(url) has status \(status), or is not a JSON object.")
        }
        return members
    }

    /// Returns the status and the JSON members of a response.
    func answer(_ request: OutboundRequest) async throws -> (status: Int, members: JSONObject?) {
        var request = request
        request.headers[.accept] = "application/json"
        let response: OutboundResponse
        do {
            response = try await call.outbound(request)
        } catch {
            // A canceled request says nothing about the provider.
            try Task.checkCancellation()
            throw MobileError(.identityProviderUnreachable, "The identity provider does not respond at \(request.url).")
        }
        return (response.status, (try? JSONValue(parsing: response.body))?.objectValue)
    }
}
