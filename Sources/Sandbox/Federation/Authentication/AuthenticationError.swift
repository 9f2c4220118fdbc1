package import RequestSigning
package import WireFormats

/// The reason why a signed request is rejected before authorization. Each face translates it into its own error.
package enum AuthenticationError: Error, Sendable {
    /// The Signature V4 is malformed.
    case signing(SigningError)
    /// S3 only: the Signature V2 is malformed.
    case signingV2(SignatureV2Error)
    /// OSS only: the signature is malformed.
    case signingOSS(OSSSignatureError)
    /// Alibaba Cloud's RPC APIs only: the signature is malformed.
    case signingRPC(RPCSignatureError)
    /// The scope names a service other than the addressed one.
    case wrongService(presented: String, expected: String)
    /// The scope names a region other than the addressed one.
    case wrongRegion(presented: String, expected: String)
    /// The access key does not exist. Temporary keys exist only together with their token.
    case unknownAccessKey(String)
    /// Alibaba Cloud only: the access key exists but is disabled.
    case inactiveAccessKey(String)
    /// The session token is not from this sandbox or, at AWS, belongs to another access key.
    case invalidSessionToken(String)
    /// Alibaba Cloud only: the session token belongs to another access key.
    case sessionTokenOfAnotherKey(String)
    case expiredSessionToken(String)
    /// The time of a header-signed request, given also as sent, differs from the server's by more than 15 minutes.
    case requestTimeTooSkewed(requestTime: Timestamp, text: String, serverTime: Timestamp)
    /// A presigned request has expired; only Version 4 has a lifetime.
    case presignedExpired(expires: Timestamp, serverTime: Timestamp, lifetime: Duration?)
    /// A presigned request is dated more than 15 minutes in the future.
    case presignedNotYetValid(from: Timestamp, expires: Timestamp, serverTime: Timestamp)
    /// S3 only: `X-Amz-Expires` is missing.
    case missingExpires
    /// S3 only: `x-amz-content-sha256` is missing.
    case missingPayloadHash
    /// S3 only: the signature does not cover these `x-amz-…` headers.
    case headersNotSigned([String])
    /// Alibaba Cloud's RPC APIs only: the nonce was used before.
    case usedNonce(String)
    case signatureMismatch(SignatureMismatch, accessKeyID: String)
}
