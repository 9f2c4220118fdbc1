import Directory
import WireFormats

/// The metadata of an issuer (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2). It contains only what is implemented.
struct OpenIDConnectMetadata {
    let visit: Visit

    /// The scopes that every issuer has.
    static let scopes = ["openid", "profile", "email", "address", "phone", "offline_access"]

    /// Returns all scopes of an issuer: those that each has, and those of its APIs.
    static func supportedScopes(of provider: IdentityProvider) -> [String] {
        provider.apis.flatMap(\.scopes).map(\.name).reduce(into: scopes) { known, name in
            if !known.contains(name) { known.append(name) }
        }
    }

    /// The metadata of each endpoint. If two contain the same list, the lists are merged.
    private static let contributions: [@Sendable (Visit) -> JSONObject] = [
        AuthorizeEndpoint.metadata,
        AuthorizeEndpoint.requestObjectMetadata,
        TokenEndpoint.metadata,
        UserInfoEndpoint.metadata,
        KeySetDocument.metadata,
        LogoutEndpoint.metadata,
        CheckSessionEndpoint.metadata,
        IntrospectionEndpoint.metadata,
        RevocationEndpoint.metadata,
        DeviceAuthorizationEndpoint.metadata,
        RegistrationEndpoint.metadata,
        { _ in OpenIDConnectMetadata.encryption(of: "id_token") },
        { _ in OpenIDConnectMetadata.encryption(of: "userinfo") },
        { _ in OpenIDConnectMetadata.encryption(of: "request_object") },
        { _ in OpenIDConnectMetadata.encryption(of: "authorization") },
        { _ in OpenIDConnectMetadata.encryption(of: "introspection") },
    ]

    var document: JSONObject {
        if let product = visit.provider.product, !visit.manners.isRealm { return ProductMetadata(visit: visit, product: product).document }
        var document: JSONObject = ["issuer": .string(visit.issuer)]
        for contribution in Self.contributions {
            for (name, value) in contribution(visit).members {
                if let further = value.arrayValue, let known = document[name]?.arrayValue {
                    document[name] = .array(known + further.filter { !known.contains($0) })
                } else {
                    document[name] = value
                }
            }
        }
        return document
    }
}
