import Calls
import Cloud
import Cryptography
import Directory
import Federation
import HTTPTypes
import WireFormats

/// Redirects a browser to the realm's OpenID Connect provider (OpenID Connect Core 1.0 section 3.1.2.1; RFC 7636; RFC 9700 section 2.1.1).
struct OpenIDLogin {
    let call: MobileCall
    let settings: SignOnProvider.OpenIDConnect

    func send(for login: PendingLogin) async throws -> Response {
        let provider = try await OpenIDProvider(of: settings, for: call)
        let (state, nonce, verifier) = (
            try OpaqueToken.unguessable(), try OpaqueToken.unguessable(), try OpaqueToken.unguessable()
        )
        let redirectURI = call.baseURL + SingleSignOn.redirectPath
        var login = login
        login.expected = [
            "provider": .object(provider.json), "nonce": .string(nonce), "verifier": .string(verifier), "redirect": .string(redirectURI),
        ]
        let cookie = try await login.keep(under: state, in: call)
        let scopes = settings.scopes.contains("openid") ? settings.scopes : ["openid"] + settings.scopes
        let request: FormFields = [
            "response_type": "code", "client_id": settings.clientID, "redirect_uri": redirectURI,
            "scope": scopes.joined(separator: " "), "state": state, "nonce": nonce,
            "code_challenge": SHA256.hash(verifier).base64url, "code_challenge_method": "S256",
        ]
        let endpoint = provider.authorizationEndpoint
        var response = Response.redirect(to: endpoint + (endpoint.contains("?") ? "&" : "?") + request.encoded, headers: .unstored)
        response.headers.append(cookie)
        return response
    }
}
