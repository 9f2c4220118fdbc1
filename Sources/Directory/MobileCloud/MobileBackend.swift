package import WireFormats

/// A mobile backend: what an app is to Oracle Mobile Cloud Service, with the keys by which it proves itself.
/// (Using Oracle Mobile Cloud Service, "Authentication in MCS".)
package struct MobileBackend: Hashable, Sendable, Codable {
    /// The name.
    package var name: String
    /// `1.0`
    package var version: String
    /// The backend ID, a UUID, which calls name in `Oracle-Mobile-Backend-ID`.
    package var id: String
    /// What the anonymous key says: a user whose name ends in `_MOBILE_ANONYMOUS_APPID`, with a password.
    package var anonymousUser: String
    /// The password of the anonymous user.
    package var anonymousPassword: String
    /// Of the OAuth client that was registered when the backend was made.
    package var clientID: String
    /// The secret of the OAuth client.
    package var clientSecret: String
    /// The realm of its users, by ``Realm/key``.
    package var realm: String
    /// Whether apps can use OAuth.
    package var allowsOAuth: Bool
    /// Whether apps can use HTTP Basic authentication.
    package var allowsBasic: Bool
    /// Whether apps can use single sign-on.
    package var allowsSingleSignOn: Bool
    /// What the backend is to Facebook; absent where Facebook Login is off. With it, nobody gets in otherwise.
    package var facebook: FacebookLogin?
    /// What `appconfig/client` answers: values by name.
    package var appPolicies: JSONObject
    /// The custom APIs that apps reach through the backend.
    @Filled package var apis: APISelection

    /// Which custom APIs a backend offers. (Using Oracle Mobile Cloud Service, "Associating APIs with a Mobile Backend".)
    package enum APISelection: Hashable, Sendable, Codable, Fillable {
        case all
        /// Each a ``CustomAPI/key``, or a name alone for every version of it.
        case listed([String])

        /// Records of earlier versions offered all.
        package static var fill: APISelection { .all }

        /// Whether an API is selected.
        package func contains(_ api: CustomAPI) -> Bool {
            switch self {
            case .all: true
            case .listed(let names): names.contains { $0 == api.key || $0 == api.name }
            }
        }
    }

    /// The Facebook app that logs in at the backend.
    package struct FacebookLogin: Hashable, Sendable, Codable {
        /// The identifier of the Facebook app.
        package var appID: String
        /// The secret of the Facebook app.
        package var appSecret: String

        package init(appID: String, appSecret: String) {
            self.appID = appID
            self.appSecret = appSecret
        }
    }

    package init(
        name: String, version: String, id: String, anonymousUser: String, anonymousPassword: String, clientID: String, clientSecret: String,
        realm: String, allowsOAuth: Bool = true, allowsBasic: Bool = true, allowsSingleSignOn: Bool = false, facebook: FacebookLogin? = nil,
        appPolicies: JSONObject = [:], apis: APISelection = .listed([])
    ) {
        self.name = name
        self.version = version
        self.id = id
        self.anonymousUser = anonymousUser
        self.anonymousPassword = anonymousPassword
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.realm = realm
        self.allowsOAuth = allowsOAuth
        self.allowsBasic = allowsBasic
        self.allowsSingleSignOn = allowsSingleSignOn
        self.facebook = facebook
        self.appPolicies = appPolicies
        self.apis = apis
    }

    /// `Inventory(1.0)`, as the service spells a name with its version.
    package var key: String { "\(name)(\(version))" }

    /// What stands behind `Basic` in a call without a user.
    package var anonymousKey: String { Array("\(anonymousUser):\(anonymousPassword)".utf8).base64 }
}
