import WireFormats

/// A provider of the tour, with its paths and parameters.
struct TourProvider: Sendable {
    /// The name in `/idp/<name>/`.
    var name: String
    var title: String
    /// The path below `/idp/<name>`.
    var authorizePath: String
    var tokenPath: String
    var clientID: String
    var clientSecret: String
    var scope: String
    /// The `ProviderId` for STS; `nil` if the ID token names its issuer.
    var providerID: String?
    /// The member of the token response that STS accepts.
    var tokenMember: String

    var role: String { "personal-files-\(name)" }

    static let all: [TourProvider] = [facebook, amazon, google, company]

    static let facebook = TourProvider(
        name: "facebook", title: "Facebook", authorizePath: "/dialog/oauth", tokenPath: "/oauth/access_token",
        clientID: "1234567890123456", clientSecret: "facebook-app-secret", scope: "public_profile",
        providerID: "graph.facebook.com", tokenMember: "access_token")

    static let amazon = TourProvider(
        name: "amazon", title: "Login with Amazon", authorizePath: "/ap/oa", tokenPath: "/auth/o2/token",
        clientID: "amzn1.application-oa2-client.personalfiles", clientSecret: "amazon-client-secret", scope: "profile",
        providerID: "www.amazon.com", tokenMember: "access_token")

    static let google = TourProvider(
        name: "google", title: "Google", authorizePath: "/o/oauth2/v2/auth", tokenPath: "/token",
        clientID: "1234567890.apps.googleusercontent.com", clientSecret: "google-client-secret", scope: "openid profile",
        tokenMember: "id_token")

    static let company = TourProvider(
        name: "company", title: "Company (OpenID Connect)", authorizePath: "/authorize", tokenPath: "/token",
        clientID: "web-app", clientSecret: "web-app-secret", scope: "openid profile", tokenMember: "id_token")
}
