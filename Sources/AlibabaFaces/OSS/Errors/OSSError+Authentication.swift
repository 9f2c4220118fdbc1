import Federation
import RequestSigning
import WireFormats

extension OSSError {
    /// The wire form of a request that could not be authenticated. (OSS API Reference, "Error responses"; EC 0002.)
    init(_ error: AuthenticationError) {
        self =
            switch error {
            case .unknownAccessKey(let id): OSSError(.invalidAccessKeyID, nil, ["OSSAccessKeyId": id])
            case .invalidSessionToken: OSSError(.invalidSecurityToken)
            case .expiredSessionToken: OSSError(.securityTokenExpired)
            case .requestTimeTooSkewed(let requestTime, _, let serverTime):
                OSSError(
                    .requestTimeTooSkewed, nil,
                    ["RequestTime": requestTime.iso8601Milliseconds, "ServerTime": serverTime.iso8601Milliseconds])
            case .presignedExpired(let expires, let serverTime, _):
                OSSError(
                    .accessDenied, "Request has expired.",
                    ["Expires": expires.iso8601Milliseconds, "ServerTime": serverTime.iso8601Milliseconds], subcode: "0002-00000069")
            case .signatureMismatch(let mismatch, let accessKeyID):
                OSSError(
                    .signatureDoesNotMatch, nil,
                    [
                        "OSSAccessKeyId": accessKeyID, "SignatureProvided": mismatch.signatureProvided,
                        "StringToSign": String(decoding: mismatch.stringToSign, as: UTF8.self),
                        "StringToSignBytes": mismatch.stringToSign.map { [$0].hex.uppercased() }.joined(separator: " "),
                    ])
            // Those of AWS's signatures, which do not come here.
            case .signing, .signingV2, .wrongService, .presignedNotYetValid, .missingExpires, .missingPayloadHash, .headersNotSigned:
                OSSError(.invalidArgument, "Authorization header is invalid.")
            }
    }
}
