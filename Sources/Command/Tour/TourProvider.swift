import Directory
import WireFormats

/// A provider of the tour, with its client in the built-in seed.
struct TourProvider: Sendable {
    /// The name in `/idp/<name>/`.
    var name: String
    var title: String
    private var descriptor: ProviderDescriptor
    var clientID: String
    var clientSecret: String

    private init(_ kind: IdentityProvider.Kind, name: String? = nil, title: String? = nil, clientID: String, clientSecret: String) {
        descriptor = kind.descriptor
        self.name = name ?? kind.rawValue
        self.title = title ?? descriptor.title
        self.clientID = clientID
        self.clientSecret = clientSecret
    }

    /// The path below `/idp/<name>`.
    var authorizePath: String { descriptor.authorizationPath }

    var tokenPath: String { descriptor.tokenPath }

    var scope: String { descriptor.loginScope }

    /// The `ProviderId` for STS; `nil` if the ID token names its issuer.
    var providerID: String? { descriptor.providerID }

    /// The member of the token response that STS accepts.
    var tokenMember: String { descriptor.signsIDTokens ? "id_token" : "access_token" }

    var role: String { "personal-files-\(name)" }

    static let all: [TourProvider] = [facebook, amazon, google, company]

    static let facebook = TourProvider(.facebook, clientID: "1234567890123456", clientSecret: "facebook-app-secret")

    static let amazon = TourProvider(
        .amazon, clientID: "amzn1.application-oa2-client.personalfiles", clientSecret: "amazon-client-secret")

    static let google = TourProvider(
        .google, clientID: "1234567890.apps.googleusercontent.com", clientSecret: "google-client-secret")

    static let company = TourProvider(
        .openIDConnect, name: "company", title: "Company (OpenID Connect)", clientID: "web-app", clientSecret: "web-app-client-secret")
}
