package import WireFormats

/// What a client says about itself beyond its name and redirect URIs, under the names that registration gives the members: RFC 7591
/// section 2, OpenID Connect Dynamic Client Registration 1.0 section 2, RP-Initiated Logout 1.0 section 3.1, Back-Channel Logout 1.0
/// section 2.2, Front-Channel Logout 1.0 section 2, RFC 9126 section 6, RFC 9449 section 5.2. An absent member has the default that its specification gives.
package struct ClientMetadata: Hashable, Sendable, Codable, Fillable {
    /// Every `response_type` that the client may use.
    package var responseTypes: [String]?
    /// Every `grant_type` that the client may use; if it is absent, codes, refresh tokens and ``Client/furtherGrants``.
    package var grantTypes: [String]?
    /// How answers of the authorization endpoint may travel. Tokens travel in the query for a client alone that lists `query` here.
    package var responseModes: [String]?
    /// `client_secret_basic`, `client_secret_post`, `client_secret_jwt`, `private_key_jwt` or `none`. Where it is absent, a client with a
    /// secret may send it either way.
    package var tokenEndpointAuthMethod: String?
    /// What the client's assertions must be signed with; any algorithm that its keys or its secret allow if it is absent.
    package var tokenEndpointAuthSigningAlg: String?
    /// The client's own keys: a JWK set by value, or where it is published.
    package var jwks: JSONObject?
    /// The URL of the client's own keys.
    package var jwksURI: String?
    /// Where a browser may be sent after the logout.
    package var postLogoutRedirectURIs: [String]?
    /// The URL that is told when a session ends.
    package var backchannelLogoutURI: String?
    /// Whether a logout token must name the session.
    package var backchannelLogoutSessionRequired: Bool?
    /// The URL that a browser opens in a frame when a session ends.
    package var frontchannelLogoutURI: String?
    /// Whether that URL must name the session.
    package var frontchannelLogoutSessionRequired: Bool?
    /// ``SubjectType/public`` if it is absent.
    package var subjectType: SubjectType?
    /// The algorithm that signs ID tokens.
    package var idTokenSignedResponseAlg: String?
    /// The algorithm that signs userinfo answers; plain JSON without it.
    package var userinfoSignedResponseAlg: String?
    /// The algorithm that request objects must be signed with.
    package var requestObjectSigningAlg: String?
    /// The URLs at which request objects can lie.
    package var requestURIs: [String]?
    /// Whether authorization requests must be pushed before.
    package var requirePushedAuthorizationRequests: Bool?
    /// Whether access tokens must be bound to a key.
    package var dpopBoundAccessTokens: Bool?
    /// Whether ID tokens always have `auth_time`.
    package var requireAuthTime: Bool?
    /// Seconds.
    package var defaultMaxAge: Int64?
    /// The `acr` that a login must reach if a request asks for none.
    package var defaultACRValues: [String]?
    /// The scopes that the client may ask for, with spaces between them.
    package var scope: String?
    /// `web` or `native`.
    package var applicationType: String?
    /// Mail addresses of the people behind the client.
    package var contacts: [String]?
    /// The URL of the client's logo.
    package var logoURI: String?
    /// The URL of the client's home page.
    package var clientURI: String?
    /// The URL of its privacy policy.
    package var policyURI: String?
    /// The URL of its terms of service.
    package var tosURI: String?
    /// The URL at which others can start a login.
    package var initiateLoginURI: String?
    /// Where a list of redirect URIs lies that the client's own are among. Its host is the client's sector.
    package var sectorIdentifierURI: String?
    /// The identifier of the software, the same for each of its installations.
    package var softwareID: String?
    /// The version of the software.
    package var softwareVersion: String?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case responseTypes = "response_types"
        case grantTypes = "grant_types"
        case responseModes = "response_modes"
        case tokenEndpointAuthMethod = "token_endpoint_auth_method"
        case tokenEndpointAuthSigningAlg = "token_endpoint_auth_signing_alg"
        case jwks
        case jwksURI = "jwks_uri"
        case postLogoutRedirectURIs = "post_logout_redirect_uris"
        case backchannelLogoutURI = "backchannel_logout_uri"
        case backchannelLogoutSessionRequired = "backchannel_logout_session_required"
        case frontchannelLogoutURI = "frontchannel_logout_uri"
        case frontchannelLogoutSessionRequired = "frontchannel_logout_session_required"
        case subjectType = "subject_type"
        case idTokenSignedResponseAlg = "id_token_signed_response_alg"
        case userinfoSignedResponseAlg = "userinfo_signed_response_alg"
        case requestObjectSigningAlg = "request_object_signing_alg"
        case requestURIs = "request_uris"
        case requirePushedAuthorizationRequests = "require_pushed_authorization_requests"
        case dpopBoundAccessTokens = "dpop_bound_access_tokens"
        case requireAuthTime = "require_auth_time"
        case defaultMaxAge = "default_max_age"
        case defaultACRValues = "default_acr_values"
        case scope
        case applicationType = "application_type"
        case contacts
        case logoURI = "logo_uri"
        case clientURI = "client_uri"
        case policyURI = "policy_uri"
        case tosURI = "tos_uri"
        case initiateLoginURI = "initiate_login_uri"
        case sectorIdentifierURI = "sector_identifier_uri"
        case softwareID = "software_id"
        case softwareVersion = "software_version"
    }

    package init() {}

    package static let fill = ClientMetadata()
}
