package import Tokens
import WireFormats

/// An identity authenticated by a web identity provider, for `AssumeRoleWithWebIdentity`.
package struct WebIdentity: FederatedIdentity {
    package static let action = "sts:AssumeRoleWithWebIdentity"
    package static let canNameRoles = true

    /// The `Federated` principal of the trust policy: `graph.facebook.com`, or the ARN of an OIDC provider.
    package var federatedPrincipal: String
    /// `sub`, or the provider's identifier of the person.
    package var subject: String
    /// The client that the token was issued for: `azp` if present, else `aud`.
    package var audience: String
    /// The `Provider` of the response: the provider's ARN, or the `ProviderId` of the request.
    package var providerName: String
    /// Condition keys for the role's trust policy.
    package var trustKeys: [SessionCredentials.Claim]
    /// The condition keys that are kept in the session.
    package var sessionKeys: [SessionCredentials.Claim]
    /// The session settings that the token's AWS claims request.
    package var requests = SessionRequests()

    /// Checks that the token allows a role, if it limits the roles.
    package func checkRoles(for arn: String) throws(WebIdentityError) {
        if let roles = requests.roles, !roles.contains(arn) { throw .roleNotNamed }
    }
}

/// The reason why a web identity is rejected. The face adds the message; the associated values are shown in it.
package enum WebIdentityError: Error, Equatable, Sendable {
    /// The token is not a compact JWS, or has an unknown `crit`; `nil` for a token of another kind.
    case notAToken(JSONWebTokenError?)
    case missingClaim(String)
    case emptyClaim(String)
    /// AWS does not accept the value of an AWS claim; the text is the message.
    case malformedSessionClaim(String)
    /// A claim has the wrong type.
    case malformedClaim(String)
    case malformedTimestamp
    case severalAudiences
    /// The token names the roles that may be assumed, and not this one.
    case roleNotNamed
    /// The account has no provider with this issuer.
    case unknownIssuer(String)
    /// No published key has the token's `kid`, or the key cannot verify.
    case noVerificationKey
    /// The issuer is external and does not respond, or not with the required documents.
    case unreachableProvider
    /// The signature is not valid.
    case notValidated(keyID: String?, issuer: String)
    /// The account does not accept the audience.
    case audienceNotAccepted(presented: [String], accepted: [String])
    /// Alibaba Cloud only: the token was issued longer ago than the provider allows.
    case issuedTooLongAgo
    /// The token has expired. Both times are in seconds; `now` is reduced by the tolerance.
    case expired(now: Int64, expiry: Int64)
    case issuedInTheFuture(Int64)
    case notYetValid(now: Int64, notBefore: Int64)
    /// The `ProviderId` is neither Facebook nor Amazon.
    case unrecognizedProvider
    case notALoginWithAmazonToken
    /// The provider returned an HTTP error to STS; the text says which.
    case rejected(String)

    /// Returns the error for a provider's response to STS.
    package static func refusal(of providerID: String, status: String = "400 Bad Request") -> WebIdentityError {
        .rejected("\(providerID): \(providerID) responded with HTTP/1.1 \(status)")
    }
}
