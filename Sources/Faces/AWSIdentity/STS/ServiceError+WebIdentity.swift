import Federation
import HTTPTypes
import WireFormats

extension ServiceError {
    /// Translates the error of a rejected web identity. Messages are as observed of the real service, unless a comment says otherwise.
    init(_ error: WebIdentityError) {
        func invalid(_ message: String) -> ServiceError { ServiceError("InvalidIdentityToken", .badRequest, message) }
        self =
            switch error {
            case .notAToken:
                invalid("The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)")
            case .missingClaim(let name): invalid("Missing a required claim: \(name)")
            case .emptyClaim(let name): invalid("Claim is not allowed to be empty: \(name)")
            case .malformedClaim(let name): invalid("Invalid value for claim: \(name)")  // Virga's wording
            case .malformedSessionClaim(let message): invalid(message)
            case .malformedTimestamp: invalid("Invalid timestamp in token claims.")
            case .roleNotNamed: invalid("The target role ARN is not present in the roles claim of the identity token")
            case .severalAudiences:
                invalid("Token audience contains more than one audience while authorized party is not present")
            case .noVerificationKey:
                invalid(
                    "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements"
                )
            case .unreachableProvider:
                // The message of the API reference; no other is known.
                ServiceError(
                    "IDPCommunicationError", .badRequest,
                    "The request could not be fulfilled because the identity provider (IDP) that was asked to verify the incoming identity token could not be reached."
                )
            case .unknownIssuer, .notValidated, .audienceNotAccepted, .issuedTooLongAgo:
                // Older reports have other texts for an unknown issuer and audience; see DECISIONS.md, "Refused ID tokens".
                invalid(
                    "The web identity token provided could not be validated. See the AssumeRoleWithWebIdentity documentation for requirements."
                )
            case .expired(let now, let expiry):
                ServiceError(
                    "ExpiredTokenException", .badRequest,
                    "Token expired: current date/time \(now) must be before the expiration date/time \(expiry)")
            case .issuedInTheFuture(let issued): invalid("Token issued in the future: \(issued)")
            case .notYetValid(let now, let notBefore):
                invalid(
                    "Token not yet valid: current date/time \(now) must be after or equal to the not-before date/time \(notBefore)"
                )
            case .unrecognizedProvider:
                ServiceError(
                    "AccessDenied", .forbidden,
                    "Unrecognized OAuth provider. Do not include a provider parameter when submitting OpenIDConnect ID tokens")
            case .notALoginWithAmazonToken: invalid("Provided Token is not a Login With Amazon token")
            case .rejected(let message): ServiceError("IDPRejectedClaim", .forbidden, message)
            }
    }
}
