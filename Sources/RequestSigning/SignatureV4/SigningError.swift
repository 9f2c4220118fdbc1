/// Why what a request presents as Signature V4 cannot be taken for one. The face finds code, status and wording.
package enum SigningError: Error, Hashable, Sendable {
    /// A signature in the `Authorization` field and one in the query.
    case severalMechanisms
    /// Another algorithm than the one of ``SignatureV4/algorithm``.
    case unsupportedAlgorithm(String)
    /// A part of the `Authorization` field that is not `name=value`, or a name that came twice.
    case malformedComponent(String)
    /// Names of `Authorization` components (`Credential`, `SignedHeaders`, `Signature`) that are missing or empty.
    case missingComponents([String])
    /// Names of `X-Amz-…` query parameters that are missing or empty.
    case missingParameters([String])
    /// A credential that is not `key/date/region/service/aws4_request`.
    case malformedCredential(String, CredentialFault)
    /// Neither `X-Amz-Date` nor `Date` in a header-signed request.
    case missingDate
    /// A date that cannot be read, as sent.
    case malformedDate(String)
    /// The day of the credential is not the day of the request.
    case credentialDate(String, requestDate: String)
    /// `X-Amz-Expires` is no whole number, as sent.
    case malformedExpires(String)
    /// `X-Amz-Expires` is below zero.
    case negativeExpires
    /// `X-Amz-Expires` is more than a week.
    case excessiveExpires
    /// `host` is not among the signed headers.
    case hostNotSigned
    /// `x-amz-content-sha256` is neither a SHA-256 nor one of the known words, as sent.
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
