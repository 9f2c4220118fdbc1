import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import WireFormats

/// `GET …/sso/redirect`: handles the response of the realm's OpenID Connect provider (OpenID Connect Core 1.0 sections 3.1.2.5 and 3.1.3).
struct OpenIDCallback {
    let call: MobileCall
    let answer: FormFields

    func respond() async throws -> Response {
        for name in ["code", "state", "error", "iss"] where answer.all(named: name).count > 1 {
            throw MobileError(.malformedRequest, "The parameter \(name) is repeated.")
        }
        let login = try await PendingLogin.take(answer["state"], in: call)
        return try await login.finish(in: call) { realm in try await providerUser(in: realm, for: login) }
    }

    private func providerUser(in realm: Realm, for login: PendingLogin) async throws -> PendingLogin.ProviderUser {
        guard case .openIDConnect(let settings) = realm.signOn,
            let provider = login.expected["provider"]?.objectValue.flatMap(OpenIDProvider.init),
            let nonce = login.expected["nonce"]?.stringValue
        else { throw MobileError(.signOnFailed, "The realm \(realm.key) does not log in by OpenID Connect.") }
        try checkSender(provider)
        if let error = answer["error"] { throw Self.refusal(error, answer["error_description"]) }
        guard let code = answer["code"], !code.isEmpty else {
            throw MobileError(.signOnFailed, "The identity provider's response has no code.")
        }
        let tokens = try await redeem(code, at: provider, as: settings, for: login)
        guard let text = tokens["id_token"]?.stringValue else {
            throw MobileError(.signOnFailed, "The identity provider's token response has no ID token.")
        }
        let keys = try await BackChannel(call: call).document(at: provider.keySet)
        let token = try IDToken(text, keys: keys)
        try await token.checkSandbox(call.cloud)
        let claims = try token.claims(
            by: provider.issuer, for: settings.clientID, nonce: nonce, clock: call.cloud.clock)
        let name = try await self.name(settings.usernameAttribute ?? "sub", in: claims, tokens, at: provider)
        return PendingLogin.ProviderUser(name: name, mapping: settings.mapping, end: nil)
    }

    /// Checks that the response comes from this provider (RFC 9207 section 2.4).
    private func checkSender(_ provider: OpenIDProvider) throws(MobileError) {
        guard let issuer = answer["iss"] else {
            guard !provider.namesItself else { throw MobileError(.signOnFailed, "The identity provider's response has no iss.") }
            return
        }
        guard issuer == provider.issuer || issuer == provider.otherSpelling else {
            throw MobileError(.signOnFailed, "The response comes from another issuer, \(issuer).")
        }
    }

    private static func refusal(_ error: String, _ description: String?) -> MobileError {
        MobileError(.signOnFailed, "The identity provider returned the error \(error)" + (description.map { ": \($0)" } ?? "."))
    }

    /// Exchanges the code for tokens (OpenID Connect Core 1.0 section 3.1.3.1; RFC 6749 section 2.3.1; RFC 7636 section 4.5).
    private func redeem(
        _ code: String, at provider: OpenIDProvider, as settings: SignOnProvider.OpenIDConnect, for login: PendingLogin
    ) async throws -> JSONObject {
        var form: FormFields = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": login.expected["redirect"]?.stringValue ?? "",
            "code_verifier": login.expected["verifier"]?.stringValue ?? "",
        ]
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        if let secret = settings.clientSecret, provider.takesBasic {
            let pair = percentEncoded(settings.clientID) + ":" + percentEncoded(secret)
            headers[.authorization] = "Basic " + Array(pair.utf8).base64
        } else {
            form.fields.append(.init(name: "client_id", value: settings.clientID))
            if let secret = settings.clientSecret { form.fields.append(.init(name: "client_secret", value: secret)) }
        }
        let (status, members) = try await BackChannel(call: call).answer(
            OutboundRequest(method: .post, url: provider.tokenEndpoint, headers: headers, body: Array(form.encoded.utf8)))
        guard let members else {
            throw MobileError(.identityProviderUnreachable, "The identity provider's token response has status \(status) and is not JSON.")
        }
        guard status == 200 else {
            throw Self.refusal(members["error"]?.stringValue ?? "status \(status)", members["error_description"]?.stringValue)
        }
        return members
    }

    /// Returns the claim that names the user, from the ID token or else from the UserInfo endpoint (section 5.3).
    private func name(
        _ attribute: String, in claims: JSONObject, _ tokens: JSONObject, at provider: OpenIDProvider
    ) async throws -> String {
        var claims = claims
        if claims[attribute] == nil, let endpoint = provider.userInfo, let token = tokens["access_token"]?.stringValue {
            let userInfo = try await BackChannel(call: call).document(at: endpoint, headers: [.authorization: "Bearer \(token)"])
            // The access token may belong to another user (section 5.3.2).
            guard userInfo["sub"] == claims["sub"] else {
                throw MobileError(.signOnFailed, "The identity provider returned claims of another user.")
            }
            claims = userInfo
        }
        guard let name = claims[attribute]?.stringValue, !name.isEmpty else {
            throw MobileError(.signOnFailed, "The identity provider returned no claim \(attribute).")
        }
        // An unverified address could belong to someone else: a user may be able to enter any address at the provider.
        guard attribute != "email" || [nil, true, "true"].contains(claims["email_verified"]) else {
            throw MobileError(.signOnFailed, "The identity provider has not verified the address \(name).")
        }
        return name
    }
}
