import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Tokens
import WireFormats

extension Visit {
    /// The product whose paths and claims the issuer has; `nil` for Virga's own, and at the paths of a Keycloak realm.
    var product: IssuerProduct? { manners.isRealm ? nil : provider.product }

    /// Returns the audiences that a request to Auth0 names; empty for other issuers. (Auth0 Authentication API, `audience`.)
    func audiences(of form: FormFields) -> [String] {
        guard product == .auth0, form.value("grant_type") != FurtherGrant.tokenExchange.rawValue else { return [] }
        return form.value("audience").map { [$0] } ?? []
    }

    /// Returns what token responses of a product have besides those of other issuers.
    ///
    /// MSAL identifies an account by the user and the tenant in `client_info`.
    func productMembers(of approval: Approval, _ form: FormFields) -> JSONObject {
        guard product == .entra else { return [:] }
        var members: JSONObject = ["ext_expires_in": .integer(Int64(approval.accessTokenLifetime))]
        if form.value("client_info") == "1" {
            let account: JSONValue = [
                "uid": .string(approval.entraObjectID), "utid": .string(approval.provider.entraTenant),
            ]
            members["client_info"] = .string(account.serializedBytes().base64url)
        }
        return members
    }

    /// The longest lifetime of a client secret of Apple in seconds: six months.
    private static let longestClientSecret: Int64 = 15_777_000

    /// Returns the client whose secret is a token that it signed with its own key; `nil` for other requests. (Sign in with Apple, "Creating a
    /// client secret".)
    /// - Throws: `OAuthError` for a token that is not a valid secret.
    func appleClient(of form: FormFields) async throws -> Client? {
        guard product == .apple, let secret = form.value("client_secret"), let client = form.value("client_id").flatMap(provider.client),
            client.metadata.tokenEndpointAuthMethod == "private_key_jwt"
        else { return nil }
        guard let token = try? JSONWebToken(parsing: secret, accepting: [.es256]), isClientSecret(token.claims, of: client),
            try await signed(token, by: client)
        else {
            throw OAuthError(
                .invalidClient,
                "The client_secret must be a token that the client's key signed with ES256, with iss, its client_id as sub, "
                    + "\(provider.issuer ?? issuer) as aud, and an exp in at most six months.", status: .badRequest)
        }
        return client
    }

    private func isClientSecret(_ claims: JSONObject, of client: Client) -> Bool {
        // Clients sign with the wall clock's time.
        let now = call.arrived.seconds
        guard claims["iss"]?.stringValue?.isEmpty == false, claims["sub"]?.stringValue == client.id,
            claims.audiences.contains(where: { $0 == provider.issuer || $0 == issuer }),
            let expiry = claims["exp"]?.integerValue, let issued = claims["iat"]?.integerValue
        else { return false }
        return now < expiry && expiry <= now + Self.longestClientSecret && issued <= now + Int64(SignedAssertion.tolerance)
    }
}
