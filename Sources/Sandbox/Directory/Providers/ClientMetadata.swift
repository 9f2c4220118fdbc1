package import WireFormats

/// The metadata of a client other than its name and redirect URIs. The members have the names of RFC 7591 section 2, OpenID Connect
/// Dynamic Client Registration 1.0 section 2, RP-Initiated Logout 1.0 section 3.1, Back-Channel Logout 1.0 section 2.2, Front-Channel
/// Logout 1.0 section 2, RFC 9126 section 6, RFC 9449 section 5.2, JARM section 3 and RFC 9701 section 6. An absent member has the default of
/// its specification.
package struct ClientMetadata: Hashable, Sendable, Codable, Fillable {
    /// Every `response_type` that the client may use.
    package var responseTypes: [String]?
    /// Every `grant_type` that the client may use; `nil` for codes, refresh tokens and ``Client/furtherGrants``.
    package var grantTypes: [String]?
    /// The response modes that the client may use. Only clients that list `query` receive tokens in the query string.
    package var responseModes: [String]?
    /// `client_secret_basic`, `client_secret_post`, `client_secret_jwt`, `private_key_jwt` or `none`. If it is absent, a client with a
    /// secret may send it in the header or in the body.
    package var tokenEndpointAuthMethod: String?
    /// The algorithm that must sign the client's assertions; if it is absent, any algorithm that its keys or its secret allow.
    package var tokenEndpointAuthSigningAlg: String?
    /// The client's own keys: a JWK set by value.
    package var jwks: JSONObject?
    /// The URL of the client's own keys.
    package var jwksURI: String?
    /// The URLs that a browser may be redirected to after the logout.
    package var postLogoutRedirectURIs: [String]?
    /// The URL that receives logout tokens when a session ends.
    package var backchannelLogoutURI: String?
    /// Whether a logout token must name the session.
    package var backchannelLogoutSessionRequired: Bool?
    /// The URL that is loaded in a frame of the browser when a session ends.
    package var frontchannelLogoutURI: String?
    /// Whether that URL must include the session ID.
    package var frontchannelLogoutSessionRequired: Bool?
    /// How the client's users are identified; ``SubjectType/public`` if it is absent.
    package var subjectType: SubjectType?
    /// The algorithm that signs ID tokens.
    package var idTokenSignedResponseAlg: String?
    /// The algorithm that signs userinfo responses; if it is absent, they are plain JSON.
    package var userinfoSignedResponseAlg: String?
    /// The algorithm that request objects must be signed with.
    package var requestObjectSigningAlg: String?
    /// The algorithm that delivers the key of encrypted ID tokens; if it is absent, they are not encrypted.
    package var idTokenEncryptedResponseAlg: String?
    /// The algorithm that encrypts ID tokens.
    package var idTokenEncryptedResponseEnc: String?
    /// The algorithm that delivers the key of encrypted userinfo responses; if it is absent, they are not encrypted.
    package var userinfoEncryptedResponseAlg: String?
    /// The algorithm that encrypts userinfo responses.
    package var userinfoEncryptedResponseEnc: String?
    /// The algorithm that delivers the key of the client's encrypted request objects; if it is absent, they must not be encrypted.
    package var requestObjectEncryptionAlg: String?
    /// The algorithm that encrypts request objects.
    package var requestObjectEncryptionEnc: String?
    /// The algorithm that signs authorization responses in the response modes of JARM.
    package var authorizationSignedResponseAlg: String?
    /// The algorithm that delivers the key of encrypted authorization responses; if it is absent, they are not encrypted.
    package var authorizationEncryptedResponseAlg: String?
    /// The algorithm that encrypts authorization responses.
    package var authorizationEncryptedResponseEnc: String?
    /// The algorithm that signs introspection responses.
    package var introspectionSignedResponseAlg: String?
    /// The algorithm that delivers the key of encrypted introspection responses; if it is absent, they are not encrypted.
    package var introspectionEncryptedResponseAlg: String?
    /// The algorithm that encrypts introspection responses.
    package var introspectionEncryptedResponseEnc: String?
    /// The allowed URLs of request objects.
    package var requestURIs: [String]?
    /// Whether the client must use pushed authorization requests.
    package var requirePushedAuthorizationRequests: Bool?
    /// Whether access tokens must be bound to a key by DPoP.
    package var dpopBoundAccessTokens: Bool?
    /// Whether ID tokens always contain `auth_time`.
    package var requireAuthTime: Bool?
    /// The default maximum age of a login, in seconds.
    package var defaultMaxAge: Int64?
    /// The default `acr` values, for requests without any.
    package var defaultACRValues: [String]?
    /// The scopes that the client may request, separated by spaces.
    package var scope: String?
    /// `web` or `native`.
    package var applicationType: String?
    /// Mail addresses of the people responsible for the client.
    package var contacts: [String]?
    /// The URL of the client's logo.
    package var logoURI: String?
    /// The URL of the client's home page.
    package var clientURI: String?
    /// The URL of the client's privacy policy.
    package var policyURI: String?
    /// The URL of the client's terms of service.
    package var tosURI: String?
    /// The URL at which third parties can initiate a login.
    package var initiateLoginURI: String?
    /// The URL of a list of redirect URIs that includes the client's own. Its host is the client's sector.
    package var sectorIdentifierURI: String?
    /// The identifier of the software, the same for all of its installations.
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
        case idTokenEncryptedResponseAlg = "id_token_encrypted_response_alg"
        case idTokenEncryptedResponseEnc = "id_token_encrypted_response_enc"
        case userinfoEncryptedResponseAlg = "userinfo_encrypted_response_alg"
        case userinfoEncryptedResponseEnc = "userinfo_encrypted_response_enc"
        case requestObjectEncryptionAlg = "request_object_encryption_alg"
        case requestObjectEncryptionEnc = "request_object_encryption_enc"
        case authorizationSignedResponseAlg = "authorization_signed_response_alg"
        case authorizationEncryptedResponseAlg = "authorization_encrypted_response_alg"
        case authorizationEncryptedResponseEnc = "authorization_encrypted_response_enc"
        case introspectionSignedResponseAlg = "introspection_signed_response_alg"
        case introspectionEncryptedResponseAlg = "introspection_encrypted_response_alg"
        case introspectionEncryptedResponseEnc = "introspection_encrypted_response_enc"
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
