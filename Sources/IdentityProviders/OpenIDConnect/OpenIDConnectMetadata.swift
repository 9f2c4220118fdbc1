import WireFormats

/// What an issuer says about itself (OpenID Connect Discovery 1.0 section 3, RFC 8414); nothing that does not work is in it.
struct OpenIDConnectMetadata {
    let visit: Visit

    static let scopes = ["openid", "profile", "email", "address", "phone", "offline_access"]

    var document: JSONObject {
        let base = visit.baseURL
        return [
            "issuer": .string(visit.issuer),
            "authorization_endpoint": .string(base + "/authorize"),
            "token_endpoint": .string(base + "/token"),
            "userinfo_endpoint": .string(base + "/userinfo"),
            "jwks_uri": .string(base + "/jwks"),
            "scopes_supported": .array(Self.scopes.map { .string($0) }),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials", "password"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "name", "given_name", "family_name",
                "picture",
                "locale", "email", "email_verified",
            ],
            "code_challenge_methods_supported": ["S256"],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "authorization_response_iss_parameter_supported": true,
            "claims_parameter_supported": false,
            "request_parameter_supported": false,
            // Absent would mean true.
            "request_uri_parameter_supported": false,
        ]
    }
}
