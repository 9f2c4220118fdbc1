import Cloud
import Directory
import Tokens
import WireFormats

/// Google's discovery document: with the real URLs for requests to the real host, else with URLs below `/idp/<name>`.
struct GoogleMetadata {
    let visit: Visit

    private func url(_ path: String, onHost host: String) -> JSONValue {
        .string(visit.basePath.isEmpty ? "https://\(host)\(path)" : visit.baseURL + path)
    }

    var document: JSONObject {
        [
            "issuer": .string(visit.provider.issuer ?? visit.issuer),
            "authorization_endpoint": url("/o/oauth2/v2/auth", onHost: "accounts.google.com"),
            "token_endpoint": url("/token", onHost: "oauth2.googleapis.com"),
            "device_authorization_endpoint": url("/device/code", onHost: "oauth2.googleapis.com"),
            "userinfo_endpoint": url("/v1/userinfo", onHost: "openidconnect.googleapis.com"),
            "revocation_endpoint": url("/revoke", onHost: "oauth2.googleapis.com"),
            "jwks_uri": url("/oauth2/v3/certs", onHost: "www.googleapis.com"),
            "response_types_supported": [
                "code", "token", "id_token", "code token", "code id_token", "token id_token", "code token id_token", "none",
            ],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [.string(SignatureAlgorithm.rs256.rawValue)],
            "scopes_supported": ["openid", "email", "profile"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss", "name", "picture", "sub",
            ],
            "code_challenge_methods_supported": ["plain", "S256"],
            "grant_types_supported": [
                "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
                "urn:ietf:params:oauth:grant-type:jwt-bearer",
            ],
        ]
    }
}
