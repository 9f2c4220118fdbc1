import Calls
import Cloud
import Directory
import Federation
import WireFormats

/// A grant type of the token endpoint (RFC 6749 section 1.3): a row with what is its own.
///
/// ``TokenEndpoint`` and ``TokenRequest`` do what all grants have in common: they authenticate the client, check that it may use the grant
/// and has the key that the grant is bound to, limit scopes and audiences, and issue the tokens in one transaction.
struct TokenGrant: Sendable {
    /// Returns the error for a client that may not use the grant; `nil` if it may.
    let refusal: @Sendable (TokenRequest) -> OAuthError?
    /// Returns the error for a user who does not exist, or no longer exists.
    let unknownUser: @Sendable (TokenRequest) -> OAuthError
    /// Returns what the client is granted.
    let access: @Sendable (TokenRequest) async throws -> GrantedAccess

    /// Returns the grant of a `grant_type`; `nil` if it is not supported.
    static func named(_ grantType: String) -> TokenGrant? {
        if let usual = UsualGrant(rawValue: grantType) {
            switch usual {
            case .authorizationCode: return TokenGrant.authorizationCode
            case .refreshToken: return TokenGrant.refreshToken
            }
        }
        switch FurtherGrant(rawValue: grantType) {
        case .clientCredentials: return TokenGrant.clientCredentials
        case .password: return TokenGrant.password
        case .deviceCode: return TokenGrant.deviceCode
        case .tokenExchange: return TokenGrant.tokenExchange
        case .jwtBearer: return TokenGrant.jwtBearer
        case nil: return nil
        }
    }
}

/// What a grant gives a client.
enum GrantedAccess {
    /// Access on behalf of a user.
    case user(UserAccess)
    /// Access of the client itself, with scopes that it has by default.
    case client(defaultScopes: [String])
    /// Another token for the one that the client exchanges.
    case exchange(TokenExchange)

    /// Returns the account of the new token's holder in a realm; `nil` for one without roles of its own.
    func account(for client: Client) -> KeycloakAccount? {
        switch self {
        case .user(let access): access.approval.person.keycloak
        case .client: client.keycloak?.serviceAccount
        case .exchange(let exchange): exchange.approval.person.keycloak
        }
    }
}

/// Access on behalf of a user.
struct UserAccess {
    /// Where the scopes and audiences of the access token come from.
    enum Extent {
        /// From the request, among those that the client may have. In a realm, clients have some scopes by default.
        case requested(defaultScopes: [String])
        /// From the approval. The request may ask for fewer audiences.
        case approved
        /// From the approval. The request may ask for fewer scopes and fewer audiences.
        case narrowed
    }

    /// Whether a refresh token is issued, if the client may use it.
    enum Renewal {
        case always, never
        /// With the scope `offline_access`.
        case offline
    }

    /// The key that the redeemed token is bound to.
    struct Binding {
        /// The parameter with the redeemed token.
        var parameter: String
        /// The thumbprint of the key; `nil` for a token that is not bound.
        var keyThumbprint: String?
    }

    /// What the user approved.
    var approval: Approval
    /// Where scopes and audiences come from.
    var extent: Extent
    /// Whether a refresh token is issued.
    var renewal: Renewal
    /// The code or the token that is redeemed; `nil` if there is none.
    var redeemed: IssuedGrant?
    /// Whether what is redeemed can be redeemed again.
    var isReusable = false
    /// The key that the request must prove to have; `nil` if nothing is redeemed that could be bound to one.
    var binding: Binding?
}

extension TokenRequest {
    /// Returns the error for a client that may not use a grant; `nil` if it may.
    func refusal(for grant: UsualGrant) -> OAuthError? {
        client.mayUse(grant) ? nil : OAuthError(.unauthorizedClient, "The client may not use the grant_type \(grant.rawValue).")
    }

    /// Returns the error for a client that may not use a grant; `nil` if it may.
    func refusal(for grant: FurtherGrant, _ description: String) -> OAuthError? {
        client.mayUse(grant) ? nil : OAuthError(.unauthorizedClient, description)
    }
}
