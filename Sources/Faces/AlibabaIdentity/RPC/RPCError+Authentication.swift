import Federation
import HTTPTypes
import RequestSigning
import WireFormats

extension RPCError {
    /// The error of the gateway for a call that could not be authenticated.
    /// (Alibaba Cloud OpenAPI, "Common error codes".)
    init(_ error: AuthenticationError) {
        func bad(_ code: String, _ message: String) -> RPCError { RPCError(code, .badRequest, message) }
        self =
            switch error {
            case .signingRPC(let fault): RPCError(fault)
            case .unknownAccessKey(let id):
                id.hasPrefix("STS.")
                    ? bad("MissingSecurityToken", "SecurityToken is mandatory for this action.")
                    : RPCError("InvalidAccessKeyId.NotFound", .notFound, "Specified access key is not found.")
            case .inactiveAccessKey: bad("InvalidAccessKeyId.Inactive", "Specified access key is disabled.")
            case .invalidSessionToken: bad("InvalidSecurityToken.Malformed", "Specified SecurityToken is malformed.")
            case .expiredSessionToken: bad("InvalidSecurityToken.Expired", "Specified SecurityToken is expired.")
            case .sessionTokenOfAnotherKey:
                bad("InvalidSecurityToken.MismatchWithAccessKey", "Specified SecurityToken mismatch with the AccessKey.")
            case .requestTimeTooSkewed: bad("InvalidTimeStamp.Expired", "Specified time stamp or date value is expired.")
            case .usedNonce: bad("SignatureNonceUsed", "Specified signature nonce was used already.")
            case .signatureMismatch(let mismatch, _): RPCError(mismatch)
            // Errors of other signatures, which the authenticator does not look for here.
            case .signing, .signingV2, .signingOSS, .wrongService, .wrongRegion, .presignedExpired, .presignedNotYetValid, .missingExpires,
                .missingPayloadHash, .headersNotSigned:
                .incomplete
            }
    }

    private init(_ fault: RPCSignatureError) {
        func bad(_ code: String, _ message: String) -> RPCError { RPCError(code, .badRequest, message) }
        self =
            switch fault {
            case .missing(let name): .missing(name)
            case .unsupportedMethod, .unsupportedVersion: bad("InvalidSignatureMethod", "Specified signature method is not valid.")
            case .malformedTimestamp: bad("InvalidTimeStamp.Format", "Specified time stamp or date value is not well formatted.")
            case .malformedAuthorization, .notSigned: .incomplete
            case .payloadHash:
                bad("InvalidContentSha256", "The x-acs-content-sha256 header is not the SHA-256 of the request body.")  // Virga's wording
            }
    }

    private static let incomplete = RPCError(
        "IncompleteSignature", .badRequest, "The request signature does not conform to Aliyun standards.")

    /// Clients compare the text after the colon with what they have signed. If both are equal, the secret is wrong.
    private init(_ mismatch: SignatureMismatch) {
        let text = String(decoding: mismatch.stringToSign, as: UTF8.self)
        self.init(
            "SignatureDoesNotMatch", .badRequest,
            "Specified signature is not matched with our calculation. server string to sign is:\(text)"
                + (mismatch.canonicalRequest.map { " server CanonicalRequest is:\(String(decoding: $0, as: UTF8.self))" } ?? ""))
    }
}
