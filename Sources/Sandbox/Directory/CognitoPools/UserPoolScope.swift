import WireFormats

/// The scopes of user pools besides those of resource servers. (Amazon Cognito Developer Guide, "Scopes, M2M, and API authorization with
/// resource servers".)
package enum UserPoolScope {
    /// The scope of an ID token.
    package static let openID = "openid"
    /// The scope of calls with which people manage their own account.
    package static let selfService = "aws.cognito.signin.user.admin"
    /// The scopes that limit the attributes in ID tokens and in the userinfo response. They need ``openID``.
    package static let ofAttributes = ["phone", "email", "profile"]
    /// All of them.
    package static let all = ofAttributes + [openID, selfService]

    /// Returns whether scopes open an attribute that the app can read. With `openid` and none of ``ofAttributes``, all are open.
    /// - Parameter scopes: the scopes of a token.
    package static func open(_ attribute: String, in scopes: [String]) -> Bool {
        let limits = scopes.filter { ofAttributes.contains($0) }
        if limits.isEmpty || limits.contains("profile") || attribute == "sub" { return true }
        if limits.contains("email"), attribute == "email" || attribute == "email_verified" { return true }
        return limits.contains("phone") && (attribute == "phone_number" || attribute == "phone_number_verified")
    }
}
