/// Somebody whom an identity provider has vouched for, as `AssumeRoleWithWebIdentity` takes them.
package struct WebIdentity: FederatedIdentity {
    package static let action = "sts:AssumeRoleWithWebIdentity"
    package static let canNameRoles = true

    /// What a trust policy's `Federated` principal names: `graph.facebook.com`, or the ARN of an OIDC provider.
    package var federatedPrincipal: String
    /// `sub`, or the provider's identifier of the person.
    package var subject: String
    /// The client that the token was made for: `azp` where there is one, else `aud`.
    package var audience: String
    /// What the answer's `Provider` says: the provider's ARN, or the `ProviderId` that was sent.
    package var providerName: String
    /// Condition keys for the role's trust policy.
    package var trustKeys: [SessionCredentials.Claim]
    /// Those of them that later requests of the session carry.
    package var sessionKeys: [SessionCredentials.Claim]
    /// What the token's claims for AWS ask of the session.
    package var requests = SessionRequests()
}

/// Why a web identity was refused. The texts are for the face; the values are what they show.
package enum WebIdentityError: Error, Equatable, Sendable {
    /// Not a compact JWS, or one with a `crit` that nobody understands.
    case notAToken
    case missingClaim(String)
    case emptyClaim(String)
    /// A claim for AWS says something that AWS does not take; the text is the message.
    case malformedSessionClaim(String)
    /// A claim has a type that it must not have.
    case malformedClaim(String)
    case malformedTimestamp
    /// `sub` is null, which the real service fails on.
    case nullSubject
    case severalAudiences
    /// The account knows no provider under this issuer.
    case unknownIssuer(String)
    /// No published key has the token's `kid`, or the key cannot verify.
    case noVerificationKey
    /// The issuer is elsewhere and does not answer, or not with the documents that it should.
    case unreachableProvider
    /// The signature does not fit.
    case notValidated(keyID: String?, issuer: String)
    /// The audience is not one that the account accepts.
    case audienceNotAccepted(presented: [String], accepted: [String])
    /// Alibaba Cloud only: the provider takes no token that was issued so long ago.
    case issuedTooLongAgo
    /// Both in seconds; `now` is shown less the tolerance.
    case expired(now: Int64, expiry: Int64)
    case issuedInTheFuture(Int64)
    case notYetValid(now: Int64, notBefore: Int64)
    /// A `ProviderId` that is neither Facebook nor Amazon.
    case unrecognizedProvider
    case notALoginWithAmazonToken
    /// The provider answered STS with an HTTP error; the text says which.
    case rejected(String)
}
