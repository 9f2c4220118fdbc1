/// Why the Signature Version 4 of a request cannot be read. The face chooses code, status and message.
package enum SigningError: Error, Hashable, Sendable {
    /// Both the `Authorization` header and the query contain a signature.
    case severalMechanisms
    /// An algorithm other than ``SignatureV4/algorithm``.
    case unsupportedAlgorithm(String)
    /// A part of the `Authorization` header that is not `name=value`, or a repeated name.
    case malformedComponent(String)
    /// Names of `Authorization` components (`Credential`, `SignedHeaders`, `Signature`) that are missing or empty.
    case missingComponents([String])
    /// Names of `X-Amz-…` query parameters that are missing or empty.
    case missingParameters([String])
    /// A credential that is not `key/date/region/service/aws4_request`.
    case malformedCredential(String, CredentialFault)
    /// A header-signed request has neither `X-Amz-Date` nor `Date`.
    case missingDate
    /// A date that cannot be parsed, as sent.
    case malformedDate(String)
    /// The day of the credential is not the day of the request.
    case credentialDate(String, requestDate: String)
    /// `X-Amz-Expires` is not an integer, as sent.
    case malformedExpires(String)
    /// `X-Amz-Expires` is negative.
    case negativeExpires
    /// `X-Amz-Expires` is more than a week.
    case excessiveExpires
    /// `host` is not among the signed headers.
    case hostNotSigned
    /// `x-amz-content-sha256` is neither a SHA-256 nor one of the known constants, as sent.
    case invalidPayloadHash(String)
}

/// What is wrong with a credential.
package enum CredentialFault: Hashable, Sendable {
    /// It has not exactly five parts.
    case parts
    /// The access key is empty.
    case emptyAccessKey
    /// The second part is not a day as `yyyyMMdd`; the part as sent.
    case date(String)
    /// The fifth part is not `aws4_request`; the part as sent.
    case terminator(String)
}
