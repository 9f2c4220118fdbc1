import Cloud
import Directory
import Federation
import WireFormats

/// An authorization request whose client and redirect URI are good (RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section
/// 3.1.2.1).
struct AuthorizationRequest {
    enum Prompt: String {
        case none, login, consent
        case selectAccount = "select_account"
    }

    /// A part of the answer that was asked for.
    enum ResponseType: String {
        case code, token, none
        case idToken = "id_token"
        /// Facebook's.
        case grantedScopes = "granted_scopes"
        case signedRequest = "signed_request"
        case graphDomain = "graph_domain"
    }

    var client: Client
    var redirectURI: String
    var responseTypes: Set<ResponseType> = [.code]
    var responseMode = AuthorizationAnswer.Mode.query
    var scopes: [String] = []
    var state: String?
    var nonce: String?
    var challenge: CodeChallenge?
    var prompts: Set<Prompt> = []
    /// Seconds since the login, at most.
    var maximumAge: Int64?
    /// What to put into the user name's field.
    var loginHint: String?
    /// Whom the client expects to be logged in, by the `sub` that it knows them by.
    var expectedSubject: String?
    /// The domain of the organisation that the client expects the person of, `*` for any. (Google Identity, "OpenID Connect", `hd`.)
    var hostedDomain: String?
    /// Whether the tokens open what was granted before, too.
    var includesGrantedScopes = false
    /// What the access tokens are to be for (RFC 8707 section 2.1).
    var resources: [String] = []
    /// What the application asks for beyond the scopes.
    var claims = RequestedClaims()
    /// The `acr` that the login has, where the application asks for one.
    var authenticationContext: String?
    /// Of the key that the code is bound to (`dpop_jkt`, RFC 9449 section 10).
    var keyThumbprint: String?
    /// Google's `access_type=offline`, and OpenID Connect's `offline_access`.
    var isOffline = false
    /// Whether nobody is asked to agree: who relies on assertions was chosen by the provider's administrator.
    var needsNoConsent = false
    /// What a service provider asked for, where one did.
    var signOn: SignOnRequest?

    init(client: Client, redirectURI: String) {
        self.client = client
        self.redirectURI = redirectURI
    }

    /// What the code's redemption is checked against.
    var binding: JSONObject {
        var binding: JSONObject = ["redirect_uri": .string(redirectURI)]
        if let challenge {
            binding["code_challenge"] = .string(challenge.value)
            binding["code_challenge_method"] = .string(challenge.method.rawValue)
        }
        if let keyThumbprint { binding["dpop_jkt"] = .string(keyThumbprint) }
        if isOffline { binding["offline"] = true }
        return binding
    }
}
