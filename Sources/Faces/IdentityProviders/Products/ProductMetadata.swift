import Calls
import Directory
import Tokens
import WireFormats

/// The metadata of an issuer of a product: what the product's own document has, as far as it is implemented.
struct ProductMetadata {
    let visit: Visit
    let product: IssuerProduct

    var document: JSONObject {
        switch product {
        case .entra: entra
        case .apple: apple
        case .auth0: auth0
        }
    }

    private func url(_ endpoint: ProviderEndpoint) -> JSONValue { .string(visit.url(of: endpoint)) }

    /// Whether the request names a tenant that stands for any other. The issuer in its document has a placeholder.
    private var isForAnyTenant: Bool { visit.isAtIssuer && visit.basePath != visit.provider.issuerPath }

    private var entra: JSONObject {
        var issuer = visit.issuer
        if isForAnyTenant, issuer.hasSuffix(visit.provider.issuerPath + "/v2.0") {
            issuer = "\(issuer.dropLast(visit.provider.issuerPath.count + "/v2.0".count))/{tenantid}/v2.0"
        }
        return [
            "token_endpoint": url(.token),
            "token_endpoint_auth_methods_supported": ["client_secret_post", "private_key_jwt", "client_secret_basic"],
            "jwks_uri": url(.keySet),
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": [.string(SignatureAlgorithm.rs256.rawValue)],
            "response_types_supported": ["code", "id_token", "code id_token", "id_token token"],
            "scopes_supported": ["openid", "profile", "email", "offline_access"],
            "issuer": .string(issuer),
            "request_uri_parameter_supported": false,
            "userinfo_endpoint": .string(userInfoURL),
            "authorization_endpoint": url(.authorization),
            "device_authorization_endpoint": url(.deviceAuthorization),
            "http_logout_supported": true,
            "frontchannel_logout_supported": true,
            "end_session_endpoint": url(.endSession),
            "claims_supported": [
                "sub", "iss", "cloud_instance_name", "cloud_instance_host_name", "cloud_graph_host_name", "msgraph_host", "aud", "exp",
                "iat", "auth_time", "acr", "nonce", "preferred_username", "name", "tid", "ver", "at_hash", "c_hash", "email",
            ],
            "tenant_region_scope": "WW",
            "cloud_instance_name": "microsoftonline.com",
            "cloud_graph_host_name": "graph.windows.net",
            "msgraph_host": "graph.microsoft.com",
            "rbac_url": "https://pas.windows.net",
        ]
    }

    /// The userinfo endpoint is a part of Microsoft Graph, at a host of its own.
    private var userInfoURL: String {
        guard visit.isAtIssuer, let host = product.descriptor.graphHost else { return visit.url(of: .userInfo) }
        let port = visit.call.authority.dropFirst(visit.call.host.count)
        return "\(visit.call.isSecure ? "https" : "http")://\(host)\(port)\(visit.path(of: .userInfo))"
    }

    private var apple: JSONObject {
        [
            "issuer": .string(visit.issuer),
            "authorization_endpoint": url(.authorization),
            "token_endpoint": url(.token),
            "revocation_endpoint": url(.revocation),
            "jwks_uri": url(.keySet),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": [.string(SignatureAlgorithm.rs256.rawValue)],
            "scopes_supported": ["openid", "email", "name"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce", "nonce_supported", "sub",
            ],
        ]
    }

    private var auth0: JSONObject {
        [
            "issuer": .string(visit.issuer),
            "authorization_endpoint": url(.authorization),
            "token_endpoint": url(.token),
            "device_authorization_endpoint": url(.deviceAuthorization),
            "userinfo_endpoint": url(.userInfo),
            "jwks_uri": url(.keySet),
            "registration_endpoint": url(.registration),
            "revocation_endpoint": url(.revocation),
            "end_session_endpoint": url(.endSession),
            "pushed_authorization_request_endpoint": url(.pushedAuthorization),
            "scopes_supported": ["openid", "profile", "offline_access", "email", "address", "phone"],
            "response_types_supported": [
                "code", "token", "id_token", "code token", "code id_token", "id_token token", "code id_token token",
            ],
            "code_challenge_methods_supported": ["S256"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["public"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"],
            "token_endpoint_auth_signing_alg_values_supported": .array(
                [SignatureAlgorithm.rs256, .rs384, .ps256].map { .string($0.rawValue) }),
            "claims_supported": [
                "aud", "auth_time", "email", "email_verified", "exp", "family_name", "given_name", "iat", "iss", "name", "nickname",
                "phone_number", "picture", "sub",
            ],
            "request_uri_parameter_supported": false,
            "request_parameter_supported": true,
            "id_token_signing_alg_values_supported": [.string(SignatureAlgorithm.rs256.rawValue)],
            "backchannel_logout_supported": true,
            "backchannel_logout_session_supported": true,
        ]
    }
}
