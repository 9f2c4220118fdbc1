import Calls
import Directory
import HTTPTypes
import WireFormats

extension TokenGrant {
    /// The credentials of a client that acts for itself (RFC 6749 section 4.4).
    static let clientCredentials = TokenGrant(
        refusal: { $0.refusalOfClient },
        // The client acts for itself.
        unknownUser: { _ in .revokedGrant },
        access: { _ in .client(defaultScopes: ["profile", "email"]) })
}

extension TokenRequest {
    /// The error for a client that may not use this grant (RFC 6749 section 5.2). The texts are Keycloak's.
    fileprivate var refusalOfClient: OAuthError? {
        let description: String
        if client.isPublic {
            description = "Public client not allowed to retrieve service account"
        } else if !client.mayUse(.clientCredentials) {
            description = "Client not enabled to retrieve service account"
        } else {
            return nil
        }
        return visit.manners.refusals.clientCredentials(description)
    }
}
