package import WireFormats

/// A mobile backend: the registration of an app at Oracle Mobile Cloud Service, with the keys that authenticate it.
/// (Using Oracle Mobile Cloud Service, "Authentication in MCS".)
package struct MobileBackend: Hashable, Sendable, Codable {
    /// The name.
    package var name: String
    /// The version, such as `1.0`.
    package var version: String
    /// The backend ID, a UUID, which requests send in `Oracle-Mobile-Backend-ID`.
    package var id: String
    /// The user name in the anonymous key. It ends in `_MOBILE_ANONYMOUS_APPID`.
    package var anonymousUser: String
    /// The password of the anonymous user.
    package var anonymousPassword: String
    /// The ID of the OAuth client that was registered when the backend was created.
    package var clientID: String
    /// The secret of the OAuth client.
    package var clientSecret: String
    /// The ``Realm/key`` of the realm of its users.
    package var realm: String
    /// Whether apps can use OAuth.
    package var allowsOAuth: Bool
    /// Whether apps can use HTTP Basic authentication.
    package var allowsBasic: Bool
    /// Whether apps can use single sign-on.
    package var allowsSingleSignOn: Bool
    /// The Facebook app of the backend; `nil` if Facebook Login is off. If it is on, all other logins are rejected.
    package var facebook: FacebookLogin?
    /// The response of `appconfig/client`: values by name.
    package var appPolicies: JSONObject
    /// The custom APIs that apps reach through the backend.
    @Filled package var apis: APISelection

    /// The custom APIs that a backend offers. (Using Oracle Mobile Cloud Service, "Associating APIs with a Mobile Backend".)
    package enum APISelection: Hashable, Sendable, Codable, Fillable {
        case all
        /// The listed APIs. Each is a ``CustomAPI/key``, or a name that selects every version.
        case listed([String])

        /// All APIs: records of earlier versions had no selection.
        package static var fill: APISelection { .all }

        /// Returns whether an API is selected.
        package func contains(_ api: CustomAPI) -> Bool {
            switch self {
            case .all: true
            case .listed(let names): names.contains { $0 == api.key || $0 == api.name }
            }
        }
    }

    /// The Facebook app that authenticates users of the backend.
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

    /// The name and version as the service writes them, such as `Inventory(1.0)`.
    package var key: String { "\(name)(\(version))" }

    /// The credentials after `Basic` in a request without a user.
    package var anonymousKey: String { Array("\(anonymousUser):\(anonymousPassword)".utf8).base64 }
}
