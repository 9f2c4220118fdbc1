import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// The OpenID Connect provider that a realm logs in at, as its metadata describe it (OpenID Connect Discovery 1.0 section 4).
struct OpenIDProvider {
    /// What its tokens name.
    var issuer: String
    /// What its answers through the browser may name beside it: an issuer of ours is spelled by the host that it is addressed at.
    var otherSpelling: String?
    var authorizationEndpoint: String
    var tokenEndpoint: String
    var keySet: String
    var userInfo: String?
    /// Whether clients may send their secret in a header (OpenID Connect Core 1.0 section 9).
    var takesBasic: Bool
    /// Whether its answers always name it (RFC 9207).
    var namesItself: Bool

    /// Asks the issuer.
    /// - Throws: ``MobileError`` where it does not answer, or not with metadata that can be used.
    init(of settings: SignOnProvider.OpenIDConnect, for call: MobileCall) async throws {
        // Another process of this machine may have a provider of the same name at another port.
        let own = call.cloud.directory.provider(issuer: settings.issuer, names: call.http.names).flatMap { provider in
            provider.issuer == settings.issuer || settings.issuer.hasPrefix(call.baseURL + "/") ? provider : nil
        }
        let issuer = own?.issuer ?? settings.issuer
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        let metadata = try await BackChannel(call: call).document(at: base + "/.well-known/openid-configuration")
        guard let named = metadata["issuer"]?.stringValue, own != nil || named == settings.issuer else {
            throw MobileError(.identityProviderUnreachable, "The metadata at \(issuer) are those of another issuer.")
        }
        /// What speaks TLS does not send its clients elsewhere.
        func url(_ name: String) -> String? {
            guard let url = metadata[name]?.stringValue, ServiceProviderMetadata.isWebAddress(url),
                url.hasPrefix("https://") || issuer.hasPrefix("http://") || own != nil
            else { return nil }
            return url
        }
        guard let authorizationEndpoint = url("authorization_endpoint"), let tokenEndpoint = url("token_endpoint"),
            let keySet = url("jwks_uri")
        else { throw MobileError(.identityProviderUnreachable, "The metadata of \(issuer) lack an endpoint.") }
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

    /// An issuer of ours is reached by the browser at the host that the browser uses, and by us at the issuer's canonical name, which never
    /// leaves this process.
    private mutating func address(_ own: IdentityProvider, for call: MobileCall) {
        let prefix = IssuerPaths.own + own.name
        func path(_ url: String) -> String {
            let path = Origin(url: url)?.path ?? ""
            return path.hasPrefix(prefix + "/") ? String(path.dropFirst(prefix.count)) : String(path)
        }
        authorizationEndpoint = (own.origins?.browser ?? call.baseURL) + prefix + path(authorizationEndpoint)
        otherSpelling = (own.origins?.issuer ?? call.baseURL) + prefix
        // Google's endpoints lie on several hosts, all of which this process plays.
        guard own.kind == .openIDConnect, let canonical = own.issuer else { return }
        let base = canonical.hasSuffix("/") ? String(canonical.dropLast()) : canonical
        tokenEndpoint = base + path(tokenEndpoint)
        keySet = base + path(keySet)
        userInfo = userInfo.map { base + path($0) }
    }
}

extension OpenIDProvider {
    /// As a pending login keeps it: an answer is judged by the provider that the browser was sent to.
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

/// What the relay asks of an OpenID Connect provider without the browser.
struct BackChannel {
    let call: MobileCall

    /// - Throws: ``MobileError`` where there is no answer, or none of status 200 with a JSON object.
    func document(at url: String, headers: HTTPFields = [:]) async throws -> JSONObject {
        let (status, members) = try await answer(OutboundRequest(url: url, headers: headers))
        guard status == 200, let members else {
            throw MobileError(.identityProviderUnreachable, "The identity provider answers \(status) at \(url), not with a JSON object.")
        }
        return members
    }

    /// Status and members of an answer.
    func answer(_ request: OutboundRequest) async throws -> (status: Int, members: JSONObject?) {
        var request = request
        request.headers[.accept] = "application/json"
        let response: OutboundResponse
        do {
            response = try await call.outbound(request)
        } catch {
            // Who gave up waiting has learnt nothing about the provider.
            try Task.checkCancellation()
            throw MobileError(.identityProviderUnreachable, "The identity provider does not answer at \(request.url).")
        }
        return (response.status, (try? JSONValue(parsing: response.body))?.objectValue)
    }
}
