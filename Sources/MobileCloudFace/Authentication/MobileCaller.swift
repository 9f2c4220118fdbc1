import Cloud
import Directory
import WireFormats

/// Who calls, through which backend, and as what.
struct MobileCaller: Sendable {
    var backend: MobileBackend
    var identity: Identity
    var method: Method
    /// The mobile user roles that the caller has.
    var roles: Set<String>
    /// The custom code that calls in the caller's place; absent where an app calls.
    var customCode: CustomCode?

    /// Custom code, by the call of a custom API that it answers.
    struct CustomCode: Hashable, Sendable {
        /// ``CustomAPI/key``
        var api: String
        /// How many calls of custom APIs lie between an app and the code; 1 for one that an app has called itself.
        var depth: Int
    }

    enum Identity: Sendable {
        /// The anonymous key, or a token of client credentials.
        case anonymous
        /// A user of the backend's realm.
        case user(MobileUser)
        /// Somebody whom a token describes and nobody else knows.
        case virtual(name: String, issuer: String)
        /// Somebody known to a social provider.
        case social(SocialUser)
    }

    struct SocialUser: Hashable, Sendable {
        /// `facebook`
        var provider: String
        /// The provider's identifier of the person.
        var id: String
        var name: String?
        var accessToken: String
    }

    /// How the caller has proved it.
    enum Method: String, Sendable {
        case basic
        /// A token of the OAuth token endpoint.
        case oauth
        /// A token of ours for a token of an issuer elsewhere that was handed in as it is.
        case exchange
        /// A token of ours for a JWT that was handed in as a grant.
        case jwtBearer
        /// A token of ours from a browser's login.
        case singleSignOn
        case facebook

        /// Whether a backend lets callers in by it at present. One for Facebook lets in nobody else but the anonymous.
        func isOpen(at backend: MobileBackend) -> Bool {
            switch self {
            case .basic: backend.allowsBasic
            case .facebook: backend.facebook != nil && backend.allowsBasic
            case .oauth: backend.facebook == nil && backend.allowsOAuth
            case .exchange: backend.facebook == nil && backend.allowsBasic
            case .jwtBearer: backend.facebook == nil && backend.allowsBasic && backend.allowsOAuth
            case .singleSignOn: backend.facebook == nil && backend.allowsOAuth && backend.allowsSingleSignOn
            }
        }

        /// As *Settings* of a backend names it.
        var title: String {
            switch self {
            case .basic: "HTTP Basic"
            case .oauth: "OAuth Consumer"
            case .exchange: "The exchange of tokens"
            case .jwtBearer: "The exchange of JWTs"
            case .singleSignOn: "Single sign-on"
            case .facebook: "Facebook Login"
            }
        }
    }

    /// The name that the journal and `users` give; `nil` for nobody.
    var name: String? {
        switch identity {
        case .anonymous: nil
        case .user(let user): user.username
        case .virtual(let name, _): name
        case .social(let user): "\(user.provider)/\(user.id)"
        }
    }

    var isAnonymous: Bool { if case .anonymous = identity { true } else { false } }
}
