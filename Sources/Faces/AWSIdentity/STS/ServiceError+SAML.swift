import Calls
import Federation
import HTTPTypes
import Tokens
import WireFormats

extension ServiceError {
    /// Translates the error of a rejected assertion. Codes and the messages that begin with a capital are observed of the real service or
    /// from the IAM User Guide ("Troubleshoot SAML federation with IAM"), unless a comment says otherwise.
    init(_ error: SAMLIdentityError, _ call: Call) {
        func invalid(_ message: String) -> ServiceError { ServiceError("InvalidIdentityToken", .badRequest, message) }
        func expired(_ message: String) -> ServiceError { ServiceError("ExpiredTokenException", .badRequest, message) }
        /// Returns the error for a structural fault.
        func malformed(_ message: String) -> ServiceError {
            .discovery(message, "AuthSamlInvalidSamlResponseException", call)
        }
        self =
            switch error {
            // AWS does not distinguish these faults (from public records).
            case .notBase64, .response(.notXML), .response(.malformed), .malformed, .response(.notEncrypted), .response(.undecryptable):
                malformed("Invalid base64 SAMLResponse")
            case .response(.unsuccessful(let status)):
                // Virga's wording.
                ServiceError("IDPRejectedClaim", .forbidden, "The identity provider answered with the status \(status).")
            case .response(.foreignIssuer): malformed("Issuer not present in specified provider")
            // Only a missing signature of the assertion is an error.
            case .response(.notSigned(.unsigned)):
                malformed("Response (with optional signature) must contain an assertion with a mandatory signature")
            case .response(.notSigned): invalid("Response signature invalid")
            case .noSubject: .notAuthorizedWithSAML
            case .expired: expired("Response has expired")
            case .tooLate: expired("Token must be redeemed within 5 minutes of issuance")
            case .roleNotNamed: invalid("SAML Assertion doesn't contain the requested Role and Metadata in the attributes")
            case .noSessionName: invalid("RoleSessionName is required in AuthnResponse")
            case .malformedSessionName: invalid("RoleSessionName in AuthnResponse must match [a-zA-Z_0-9+=,.@-]{2,64}")
            case .malformedSourceIdentity:
                invalid("Source Identity must match [a-zA-Z_0-9+=,.@-]{2,64} and not begin with \"aws:\"")
            case .malformedDuration: invalid("SessionDuration must be between 900 and 43200 seconds.")  // Virga's wording
            case .malformedTags(let text): invalid(text)  // Virga's wording
            }
    }

    /// Returns the error for a fault that the service behind STS found, with the text that STS appends.
    static func discovery(_ message: String, _ code: String, _ call: Call) -> ServiceError {
        ServiceError(
            "InvalidIdentityToken", .badRequest,
            "\(message) (Service: AWSOpenIdDiscoveryService; Status Code: 400; Error Code: \(code); Request ID: \(call.id.uuid); Proxy: null)"
        )
    }

    static func unreadableMetadata(_ call: Call) -> ServiceError {
        discovery("Could not parse metadata", "AuthSamlInvalidSamlResponseException", call)
    }

    static let notAuthorizedWithSAML = ServiceError("AccessDenied", .forbidden, "Not authorized to perform sts:AssumeRoleWithSAML")
}
