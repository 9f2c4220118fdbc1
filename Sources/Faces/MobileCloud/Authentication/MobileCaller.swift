import Cloud
import Directory
import WireFormats

/// A caller: the identity, the backend, the authentication method and the roles.
struct MobileCaller: Sendable {
    var backend: MobileBackend
    var identity: Identity
    var method: Method
    /// The mobile user roles that the caller has.
    var roles: Set<String>
    /// The custom code that calls on behalf of the caller; `nil` if an app calls.
    var customCode: CustomCode?

    /// Custom code, identified by the custom API that it implements.
    struct CustomCode: Hashable, Sendable {
        /// ``CustomAPI/key``
        var api: String
        /// The number of nested custom API calls between an app and the code; 1 for an API that an app called itself.
        var depth: Int
    }

    enum Identity: Sendable {
        /// The anonymous key, or a token of client credentials.
        case anonymous
        /// A user of the backend's realm.
        case user(MobileUser)
        /// A virtual user, described only by a token of an external issuer.
        case virtual(name: String, issuer: String)
        /// A user of a social provider.
        case social(SocialUser)
    }

    struct SocialUser: Hashable, Sendable {
        /// `facebook`
        var provider: String
        /// The provider's identifier of the user.
        var id: String
        var name: String?
        var accessToken: String
    }

    /// How the caller authenticated.
    enum Method: String, Sendable {
        case basic
        /// A token from the OAuth token endpoint.
        case oauth
        /// One of our tokens, issued for an external issuer's token that was presented unchanged.
        case exchange
        /// One of our tokens, issued for a JWT that was presented as a grant.
        case jwtBearer
        /// One of our tokens from a browser login.
        case singleSignOn
        case facebook

        /// Returns whether a backend currently allows this method. A backend for Facebook allows only Facebook Login and the anonymous key.
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

        /// The name of the method in the *Settings* of a backend.
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

    /// The name for the journal and `users`; `nil` for the anonymous caller.
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
