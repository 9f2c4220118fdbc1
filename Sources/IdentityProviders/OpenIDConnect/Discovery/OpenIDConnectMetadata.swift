import WireFormats

/// What an issuer says about itself (OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2); nothing that does not work is in it.
struct OpenIDConnectMetadata {
    let visit: Visit

    static let scopes = ["openid", "profile", "email", "address", "phone", "offline_access"]

    /// What each endpoint says about itself. Where two name the same member, a list, it has what both say.
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
    ]

    var document: JSONObject {
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
