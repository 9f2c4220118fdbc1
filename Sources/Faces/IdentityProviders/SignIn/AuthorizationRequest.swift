import Cloud
import Directory
import Federation
import WireFormats

/// An authorization request with a valid client and redirect URI (RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2.1).
struct AuthorizationRequest {
    enum Prompt: String {
        case none, login, consent
        case selectAccount = "select_account"
        /// Creating an account (Initiating User Registration via OpenID Connect 1.0 section 4.1).
        case create
    }

    /// A requested part of the response.
    enum ResponseType: String {
        case code, token, none
        case idToken = "id_token"
        /// Facebook's list of granted scopes.
        case grantedScopes = "granted_scopes"
        case signedRequest = "signed_request"
        case graphDomain = "graph_domain"
    }

    var client: Client
    var redirectURI: String
    var responseTypes: Set<ResponseType> = [.code]
    var responseMode = AuthorizationAnswer.Mode.query
    /// Whether the response is a token, in a response mode of JARM.
    var receivesToken = false
    var scopes: [String] = []
    var state: String?
    var nonce: String?
    var challenge: CodeChallenge?
    var prompts: Set<Prompt> = []
    /// The maximum number of seconds since the login.
    var maximumAge: Int64?
    /// The initial value of the user name field.
    var loginHint: String?
    /// The user who must be logged in, as the `sub` at this client.
    var expectedSubject: String?
    /// The required domain of the user's organization, `*` for any. (Google Identity, "OpenID Connect", `hd`.)
    var hostedDomain: String?
    /// Whether the tokens also include the scopes granted before.
    var includesGrantedScopes = false
    /// The resources that the access tokens are for (RFC 8707 section 2.1).
    var resources: [String] = []
    /// The claims requested beyond the scopes.
    var claims = RequestedClaims()
    /// The `acr` of the login, if the application requests one.
    var authenticationContext: String?
    /// The thumbprint of the key that the code is bound to (`dpop_jkt`, RFC 9449 section 10).
    var keyThumbprint: String?
    /// Whether offline access is requested: Google's `access_type=offline`, and OpenID Connect's `offline_access`.
    var isOffline = false
    /// The value that the application compares with its own cookie. (Google Identity, "Verify the Google ID token".)
    var crossSiteToken: String?
    /// Whether the user's consent is not needed, because the provider's administrator has chosen the applications.
    var needsNoConsent = false
    /// The request of a service provider, for SAML sign-on.
    var signOn: SignOnRequest?

    init(client: Client, redirectURI: String) {
        self.client = client
        self.redirectURI = redirectURI
    }

    /// The values that are checked when the code is redeemed.
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
