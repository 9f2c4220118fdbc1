import Cloud
import Federation
import RequestSigning
import WireFormats

extension OSSError {
    /// Creates the error for a request that could not be authenticated. (OSS API Reference, "Error responses"; EC 0002.)
    /// - Parameter isPresigned: whether the signature is in the query, for which some messages differ.
    init(_ error: AuthenticationError, isPresigned: Bool) {
        self =
            switch error {
            case .signingOSS(let fault): OSSError(fault, isPresigned: isPresigned)
            case .wrongService: .credential("product", isPresigned)
            case .wrongRegion: .credential("region", isPresigned)
            case .unknownAccessKey(let id): OSSError(.invalidAccessKeyID, nil, ["OSSAccessKeyId": id])
            case .inactiveAccessKey(let id):
                OSSError(.invalidAccessKeyID, "The OSS Access Key Id you provided is disabled.", ["OSSAccessKeyId": id])
            case .invalidSessionToken: OSSError(.invalidSecurityToken)
            case .expiredSessionToken: OSSError(.securityTokenExpired)
            case .sessionTokenOfAnotherKey: OSSError(.accessKeyIDAndSecurityTokenNotMatch)
            case .requestTimeTooSkewed(let requestTime, _, let serverTime):
                OSSError(
                    .requestTimeTooSkewed, nil,
                    ["RequestTime": requestTime.ossText, "ServerTime": serverTime.ossText])
            case .presignedExpired(let expires, let serverTime, _):
                OSSError(
                    .accessDenied, "Request has expired.",
                    ["Expires": expires.ossText, "ServerTime": serverTime.ossText], subcode: "0002-00000069")
            case .presignedNotYetValid(_, _, let serverTime):
                OSSError(.accessDenied, "Request is not valid yet.", ["ServerTime": serverTime.ossText])
            case .signatureMismatch(let mismatch, let accessKeyID): OSSError(mismatch, accessKeyID: accessKeyID)
            // Errors of other signatures, which are not accepted here.
            case .signing, .signingV2, .signingRPC, .usedNonce, .missingExpires, .missingPayloadHash, .headersNotSigned:
                OSSError(.invalidArgument, "Authorization header is invalid.")
            }
    }

    private init(_ fault: OSSSignatureError, isPresigned: Bool) {
        self =
            switch fault {
            case .malformedAuthorization(let value):
                .invalidArgument("Authorization header is invalid.", name: "Authorization", value: value)
            case .unknownVersion(let value):
                .invalidArgument("The signature version is not supported.", name: "x-oss-signature-version", value: value)
            case .missingParameters(let names):
                OSSError(
                    .accessDenied,
                    names.contains { $0.hasPrefix("x-oss-") }
                        ? "Query-string authentication requires the parameters \(names.joined(separator: ", "))."
                        : "Query-string authentication requires the Signature, Expires and OSSAccessKeyId parameters")
            case .malformedCredential(let credential, let fault):
                switch fault {
                case .parts, .emptyAccessKey:
                    .invalidArgument(
                        isPresigned ? "The credential is malformed." : "Authorization header is invalid.", name: "Credential",
                        value: credential)
                case .date: .credential("date", isPresigned)
                case .terminator: .credential("request version", isPresigned)
                }
            case .credentialDate: .credential("date", isPresigned)
            case .missingDate, .malformedDate: OSSError(.accessDenied, "OSS authentication requires a valid Date.")
            case .malformedExpires(let value):
                OSSError(.accessDenied, "Invalid date (should be seconds since epoch): \(value)")
            case .expiresOutOfRange(let value):
                .invalidArgument(
                    "The signed URL must be valid for between 1 and 604800 seconds.", name: "x-oss-expires", value: value)
            case .payloadHash(let value):
                .invalidArgument(
                    "The x-oss-content-sha256 header must be UNSIGNED-PAYLOAD.", name: "x-oss-content-sha256", value: value ?? "")
            }
    }

    /// Returns the error for a signature with a region other than the bucket's.
    static func signingRegion(isPresigned: Bool) -> OSSError {
        var error = credential("region", isPresigned)
        error.subcode = "0002-00000226"
        return error
    }

    /// Returns the error for an invalid part of the credential.
    private static func credential(_ part: String, _ isPresigned: Bool) -> OSSError {
        OSSError(
            .invalidArgument,
            isPresigned ? "The signing \(part) in credential is invalid." : "Invalid signing \(part) in Authorization header.")
    }

    private init(_ mismatch: SignatureMismatch, accessKeyID: String) {
        self.init(
            .signatureDoesNotMatch, nil,
            ["OSSAccessKeyId": accessKeyID, "SignatureProvided": mismatch.signatureProvided])
        var further = [
            Detail(name: "StringToSign", value: String(decoding: mismatch.stringToSign, as: UTF8.self)),
            Detail(name: "StringToSignBytes", value: Self.spacedHex(mismatch.stringToSign)),
        ]
        if let canonicalRequest = mismatch.canonicalRequest {
            further += [
                Detail(name: "CanonicalRequest", value: String(decoding: canonicalRequest, as: UTF8.self)),
                Detail(name: "CanonicalRequestBytes", value: Self.spacedHex(canonicalRequest)),
            ]
        }
        // The SDK for Python reads at most 4,096 bytes of the document, and a session token is long.
        var room = 3000
        for detail in further where detail.value.utf8.count <= room {
            details.append(detail)
            room -= detail.value.utf8.count
        }
    }

    /// Returns bytes as `47 45 54 …`.
    private static func spacedHex(_ bytes: [UInt8]) -> String { bytes.map { [$0].hex.uppercased() }.joined(separator: " ") }
}
