package import WireFormats

extension JSONWebToken {
    /// Whether the token can be an ID token. Access tokens and logout tokens are signed with the same keys, and may have the same audience.
    /// Keycloak's access tokens have the same header and a claim `typ`.
    /// (RFC 9068 section 5; OpenID Connect Back-Channel Logout 1.0 section 2.8.)
    package var isIDToken: Bool {
        (header["typ"]?.stringValue?.uppercased() ?? "JWT") == "JWT" && (claims["typ"]?.stringValue ?? "ID") == "ID"
    }
}

extension JSONObject {
    /// The values of the claim `aud`, which is a text or a list of texts; empty without one. Values that are no texts are left out.
    /// (RFC 7519 section 4.1.3.)
    package var audiences: [String] {
        guard let claim = self["aud"] else { return [] }
        return (claim.arrayValue ?? [claim]).compactMap(\.stringValue)
    }
}
