import Cloud
import Federation
import RequestSigning
import WireFormats

extension S3Error {
    /// Creates the error for a request that could not be authenticated.
    /// - Parameters:
    ///   - isPresigned: whether the signature is in the query, which has error codes of its own.
    ///   - credential: the credential in a form; forms have error codes of their own too.
    init(_ error: AuthenticationError, isPresigned: Bool, credential: String? = nil) {
        self =
            switch error {
            case .signing(let fault): S3Error(fault, isPresigned: isPresigned)
            case .signingV2(let fault): S3Error(fault)
            case .wrongService(let presented, let expected):
                if let credential {
                    .form("incorrect service \"\(presented)\". This endpoint belongs to \"\(expected)\".", credential: credential)
                } else {
                    .credential("incorrect service \"\(presented)\". This endpoint belongs to \"\(expected)\".", isPresigned)
                }
            case .wrongRegion(let presented, let expected):
                .wrongRegion(presented, expected, isPresigned, credential: credential)
            // Errors of Alibaba Cloud's signatures, which are not accepted here.
            case .signingOSS, .signingRPC, .usedNonce: S3Error(.accessDenied)
            case .unknownAccessKey(let id), .inactiveAccessKey(let id): S3Error(.invalidAccessKeyID, nil, ["AWSAccessKeyId": id])
            case .invalidSessionToken(let token), .sessionTokenOfAnotherKey(let token): S3Error(.invalidToken, nil, ["Token-0": token])
            case .expiredSessionToken(let token): S3Error(.expiredToken, nil, ["Token-0": token])
            case .requestTimeTooSkewed(_, let text, let serverTime):
                S3Error(
                    .requestTimeTooSkewed, nil,
                    [
                        "RequestTime": text, "ServerTime": serverTime.iso8601,
                        "MaxAllowedSkewMilliseconds": String(Authenticator.allowedSkew.components.seconds * 1000),
                    ])
            case .presignedExpired(let expires, let serverTime, nil):
                S3Error(
                    .accessDenied, "Request has expired",
                    ["Expires": expires.iso8601, "ServerTime": serverTime.iso8601])
            case .presignedExpired(let expires, let serverTime, let lifetime?):
                S3Error(
                    .accessDenied, "Request has expired",
                    [
                        "X-Amz-Expires": String(lifetime.components.seconds), "Expires": expires.iso8601,
                        "ServerTime": serverTime.iso8601,
                    ])
            // minio/minio#2638 and dmjio/s3-signer#16 have the whole response.
            case .presignedNotYetValid(let from, let expires, let serverTime):
                S3Error(
                    .accessDenied, "Request is not yet valid",
                    ["X-Amz-Date": String(from.milliseconds), "Expires": expires.iso8601, "ServerTime": serverTime.iso8601])
            case .missingExpires: S3Error(.authorizationQueryParametersError)
            case .missingPayloadHash:
                S3Error(.invalidRequest, "Missing required header for this request: x-amz-content-sha256")
            case .headersNotSigned(let names): .headersNotSigned(names)
            case .signatureMismatch(let mismatch, let accessKeyID): S3Error(mismatch, accessKeyID: accessKeyID)
            }
    }

    private init(_ fault: SigningError, isPresigned: Bool) {
        self =
            switch fault {
            case .severalMechanisms: .severalMechanisms
            case .unsupportedAlgorithm(let name):
                isPresigned
                    ? .query("X-Amz-Algorithm only supports \"AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256\"")
                    : .unsupportedAuthorization(name)
            case .malformedComponent(let component):
                .header("the authorization component \"\(component)\" is malformed.")
            case .missingComponents:
                .header("the authorization header requires three components: Credential, SignedHeaders, and Signature.")
            case .missingParameters: S3Error(.authorizationQueryParametersError)
            case .malformedCredential(_, let fault): .credential(Self.text(fault), isPresigned)
            case .missingDate: .invalidDate
            case .malformedDate:
                isPresigned
                    ? .query("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"") : .invalidDate
            case .credentialDate(let date, let requestDate):
                isPresigned
                    ? .query(
                        "Invalid credential date \"\(date)\". This date is not the same as X-Amz-Date: \"\(requestDate)\".")
                    : .header(
                        "Invalid credential date \"\(date)\". This date is not the same as X-Amz-Date: \"\(requestDate)\".")
            case .malformedExpires: .query("X-Amz-Expires should be a number")
            case .negativeExpires: .query("X-Amz-Expires must be non-negative")
            case .excessiveExpires:
                .query(
                    "X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds"
                )
            case .hostNotSigned: .headersNotSigned(["host"])
            case .invalidPayloadHash(let value):
                .invalidArgument(
                    "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER, STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD, STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER or a valid sha256 value.",
                    name: "x-amz-content-sha256", value: value)
            }
    }

    private init(_ fault: SignatureV2Error) {
        self =
            switch fault {
            case .severalMechanisms: .severalMechanisms
            case .severalSpaces(let authorization):
                .invalidArgument(
                    "Authorization header is invalid -- one and only one ' ' (space) required", name: "Authorization",
                    value: authorization)
            case .malformedAuthorization(let authorization):
                .invalidArgument(
                    "AWS authorization header is invalid.  Expected AwsAccessKeyId:signature", name: "Authorization",
                    value: authorization)
            case .invalidDate: .invalidDate
            case .missingParameters:
                S3Error(
                    .accessDenied,
                    "Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters")
            case .malformedExpires(let text):
                S3Error(.accessDenied, "Invalid date (should be seconds since epoch): \(text)")
            }
    }

    /// Returns the error for an `Authorization` header of an unknown kind; an empty one is denied.
    /// (versity/versitygw#1705; storj/edge#142 and ceph/s3-tests on the empty one.)
    /// - Parameter value: the whole value of the header.
    static func unsupportedAuthorization(_ value: String) -> S3Error {
        value.isEmpty
            ? S3Error(.accessDenied) : .invalidArgument("Unsupported Authorization Type", name: "Authorization", value: value)
    }

    /// Creates the error for a form whose signature cannot be parsed.
    init(_ fault: FormSignatureError) {
        self =
            switch fault {
            case .missingField(let name): .missingField(name)
            case .unsupportedAlgorithm(let name):
                .invalidArgument(
                    "X-Amz-Algorithm only supports \"AWS4-HMAC-SHA256 and AWS4-ECDSA-P256-SHA256\"", name: "X-Amz-Algorithm",
                    value: name)
            case .malformedCredential(let credential, let fault): .form(Self.text(fault), credential: credential)
            case .malformedDate(let text):
                .invalidArgument(
                    "X-Amz-Date must be formated via ISO8601 Long format", name: "X-Amz-Date", value: text)
            }
    }

    /// Returns the error for a missing form field.
    /// - Parameter name: the field name as S3 spells it.
    static func missingField(_ name: String) -> S3Error {
        .invalidArgument(
            "Bucket POST must contain a field named '\(name)'.  If it is specified, please check the order of the fields.",
            name: name, value: "")
    }

    private static func form(_ text: String, credential: String) -> S3Error {
        .invalidArgument(text, name: "X-Amz-Credential", value: credential)
    }

    private static var severalMechanisms: S3Error {
        .invalidArgument(
            "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified",
            name: "Authorization", value: SignatureV4.algorithm)
    }

    /// Creates the error for a request or chunk with a wrong signature.
    init(_ mismatch: SignatureMismatch, accessKeyID: String) {
        self.init(
            .signatureDoesNotMatch, nil,
            [
                "AWSAccessKeyId": accessKeyID,
                "StringToSign": String(decoding: mismatch.stringToSign, as: UTF8.self),
                "SignatureProvided": mismatch.signatureProvided,
                "StringToSignBytes": Self.spacedHex(mismatch.stringToSign),
            ])
        if let canonicalRequest = mismatch.canonicalRequest {
            details += [
                Detail(name: "CanonicalRequest", value: String(decoding: canonicalRequest, as: UTF8.self)),
                Detail(name: "CanonicalRequestBytes", value: Self.spacedHex(canonicalRequest)),
            ]
        }
    }

    private static func text(_ fault: CredentialFault) -> String {
        switch fault {
        case .parts:
            "the Credential is mal-formed; expecting \"<YOUR-AKID>/YYYYMMDD/REGION/SERVICE/aws4_request\"."
        case .emptyAccessKey: "a non-empty Access Key (AKID) must be provided in the credential."
        case .date(let date):
            "incorrect date format \"\(date)\". This date in the credential must be in the format \"yyyyMMdd\"."
        case .terminator(let terminator): "incorrect terminal \"\(terminator)\". This endpoint uses \"aws4_request\"."
        }
    }

    private static func header(_ text: String) -> S3Error {
        S3Error(.authorizationHeaderMalformed, "The authorization header is malformed; \(text)")
    }

    private static func query(_ text: String) -> S3Error { S3Error(.authorizationQueryParametersError, text) }

    private static func credential(_ text: String, _ isPresigned: Bool) -> S3Error {
        isPresigned ? query("Error parsing the X-Amz-Credential parameter; \(text)") : header(text)
    }

    private static func wrongRegion(_ presented: String, _ expected: String, _ isPresigned: Bool, credential form: String?) -> S3Error {
        let text = "the region '\(presented)' is wrong; expecting '\(expected)'"
        var error = form.map { S3Error.form(text, credential: $0) } ?? S3Error.credential(text, isPresigned)
        error.details.append(Detail(name: "Region", value: expected))
        return error
    }

    private static var invalidDate: S3Error {
        S3Error(.accessDenied, "AWS authentication requires a valid Date or x-amz-date header")
    }

    private static func headersNotSigned(_ names: [String]) -> S3Error {
        S3Error(
            .accessDenied, "There were headers present in the request which were not signed",
            ["HeadersNotSigned": names.joined(separator: ", ")])
    }

    /// Returns bytes as `47 45 54 …`.
    private static func spacedHex(_ bytes: [UInt8]) -> String {
        bytes.map { [$0].hex }.joined(separator: " ")
    }
}
