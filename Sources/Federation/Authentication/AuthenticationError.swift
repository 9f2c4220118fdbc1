package import RequestSigning
package import WireFormats

/// Why a signed request is refused before anybody asks what it may do. Each face spells it in its own words.
package enum AuthenticationError: Error, Sendable {
    /// What is presented is not a well-formed Signature V4.
    case signing(SigningError)
    /// S3 only: what is presented is not a well-formed Signature V2.
    case signingV2(SignatureV2Error)
    /// OSS only: what is presented is not a well-formed signature of any of its versions.
    case signingOSS(OSSSignatureError)
    /// Alibaba Cloud's RPC APIs only: what is presented is not a well-formed signature.
    case signingRPC(RPCSignatureError)
    /// The scope names another service than the one that was addressed.
    case wrongService(presented: String, expected: String)
    /// The scope names another region than the one that was addressed.
    case wrongRegion(presented: String, expected: String)
    /// Nobody has this access key; temporary ones exist only together with their token.
    case unknownAccessKey(String)
    /// Alibaba Cloud only: somebody has this access key, but it is disabled.
    case inactiveAccessKey(String)
    /// The session token is not one of ours, or at AWS not of this access key.
    case invalidSessionToken(String)
    /// Alibaba Cloud only: the session token belongs to another access key.
    case sessionTokenOfAnotherKey(String)
    case expiredSessionToken(String)
    /// Header-signed, and its time, also as sent, is more than 15 minutes from ours.
    case requestTimeTooSkewed(requestTime: Timestamp, text: String, serverTime: Timestamp)
    /// Presigned, and its time is over; only Version 4 says how long it lasted.
    case presignedExpired(expires: Timestamp, serverTime: Timestamp, lifetime: Duration?)
    /// Presigned for a time more than 15 minutes ahead.
    case presignedNotYetValid(from: Timestamp, serverTime: Timestamp)
    /// S3 only: `X-Amz-Expires` is missing.
    case missingExpires
    /// S3 only: no `x-amz-content-sha256`.
    case missingPayloadHash
    /// S3 only: `x-amz-…` fields that the signature does not cover.
    case headersNotSigned([String])
    /// Alibaba Cloud's RPC APIs only: a call with this nonce has been made before.
    case usedNonce(String)
    case signatureMismatch(SignatureMismatch, accessKeyID: String)
}
