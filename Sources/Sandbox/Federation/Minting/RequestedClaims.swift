import WireFormats

/// The claims that an application requested by name, beyond those of the scopes, grouped by where they are delivered (OpenID Connect Core
/// 1.0 section 5.5).
package struct RequestedClaims: Hashable, Sendable {
    /// The names of the claims for the ID token.
    package var idToken: [String]
    /// The names of the claims for the userinfo endpoint.
    package var userInfo: [String]

    package init(idToken: [String] = [], userInfo: [String] = []) {
        self.idToken = idToken
        self.userInfo = userInfo
    }

    /// Whether no claims are requested.
    package var isEmpty: Bool { idToken.isEmpty && userInfo.isEmpty }

    /// Restores the claims from a grant.
    init(_ json: JSONValue?) {
        func names(_ member: String) -> [String] { json?[member]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        self.init(idToken: names("id_token"), userInfo: names("userinfo"))
    }

    var json: JSONValue {
        ["id_token": .array(idToken.map { .string($0) }), "userinfo": .array(userInfo.map { .string($0) })]
    }
}
