import WireFormats

extension SAMLIdentityError {
    /// The exact defect of a response, for explanations; a clause.
    package var cause: String {
        switch self {
        case .notBase64: "the response is not base64"
        case .response(.foreignIssuer): "the issuer is not that of the account's SAML provider"
        case .response(.notSigned): "no key in the metadata of the account's SAML provider verifies the signature"
        case .response(.notEncrypted): "the account's SAML provider requires encrypted assertions"
        case .response(let error): "the response is not valid: \(error)"
        case .malformed(let text), .malformedTags(let text): text
        case .noSubject: "the assertion has no subject"
        case .expired: "the assertion has expired"
        case .tooLate: "the assertion was issued more than five minutes ago"
        case .roleNotNamed: "the attribute Role does not name this role with the account's SAML provider"
        case .noSessionName: "the assertion has no attribute RoleSessionName"
        case .malformedSessionName: "the attribute RoleSessionName is malformed"
        case .malformedSourceIdentity: "the attribute SourceIdentity is malformed"
        case .malformedDuration: "the attribute SessionDuration is malformed"
        }
    }
}
