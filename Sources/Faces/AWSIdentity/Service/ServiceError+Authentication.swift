import Federation
import HTTPTypes
import RequestSigning
import WireFormats

extension ServiceError {
    /// Translates the error of a request that could not be authenticated, in the wording of AWS services.
    init(_ error: AuthenticationError) {
        func mismatch(_ message: String) -> ServiceError { ServiceError("SignatureDoesNotMatch", .forbidden, message) }
        func incomplete(_ message: String) -> ServiceError { ServiceError("IncompleteSignature", .badRequest, message) }
        self =
            switch error {
            case .signing(let fault): incomplete(Self.text(fault))
            // S3's own Version 2, which no service of the Query protocol supports.
            case .signingV2: incomplete("Signature Version 2 is not supported.")
            case .wrongService(let presented, let expected):
                mismatch("Credential should be scoped to correct service: '\(expected)', not '\(presented)'.")
            case .wrongRegion: mismatch("Credential should be scoped to a valid region. ")
            // Errors of Alibaba Cloud's signatures, which the authenticator does not look for here.
            case .signingOSS, .signingRPC, .usedNonce: incomplete("The request signature does not conform to AWS standards.")
            case .unknownAccessKey, .inactiveAccessKey, .invalidSessionToken, .sessionTokenOfAnotherKey:
                ServiceError("InvalidClientTokenId", .forbidden, "The security token included in the request is invalid.")
            case .expiredSessionToken:
                ServiceError("ExpiredToken", .forbidden, "The security token included in the request is expired")
            case .requestTimeTooSkewed(let request, _, let server):
                request < server
                    ? mismatch(
                        "Signature expired: \(request.basic) is now earlier than \((server - Authenticator.allowedSkew).basic) (\(server.basic) - 15 min.)"
                    )
                    : mismatch(
                        "Signature not yet current: \(request.basic) is still later than \((server + Authenticator.allowedSkew).basic) (\(server.basic) + 15 min.)"
                    )
            case .presignedExpired(let expires, let server, _):
                mismatch("Signature expired: \(expires.basic) is now earlier than \(server.basic)")
            case .presignedNotYetValid(let from, _, let server):
                mismatch("Signature not yet current: \(from.basic) is still later than \(server.basic)")
            case .missingExpires: incomplete("Request must contain 'X-Amz-Expires'.")
            case .missingPayloadHash: incomplete("Request must contain 'X-Amz-Content-Sha256'.")
            case .headersNotSigned(let names): incomplete("Headers not signed: \(names.joined(separator: ", "))")
            case .signatureMismatch(let fault, _):
                mismatch(
                    """
                    The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key \
                    and signing method. Consult the service documentation for details.
                    \(Self.canonicalString(of: fault))
                    The String-to-Sign should have been
                    '\(String(decoding: fault.stringToSign, as: UTF8.self))'

                    """)
            }
    }

    /// Returns the part of the message with the canonical request; empty for Version 2, which has none.
    private static func canonicalString(of fault: SignatureMismatch) -> String {
        guard let text = fault.canonicalRequest else { return "" }
        return "\nThe Canonical String for this request should have been\n'\(String(decoding: text, as: UTF8.self))'\n"
    }

    /// Translates the error of a call that is signed with Version 2. (STS API Reference, "Common Errors" of its version of 2011.)
    init(_ error: QueryAuthenticationError) {
        self =
            switch error {
            case .malformed(.missing(let name)):
                ServiceError("MissingParameter", .badRequest, "The request must contain the parameter \(name)")
            case .malformed(.unsupported(let name, let value)):
                ServiceError("InvalidParameterValue", .badRequest, "Value (\(value)) for parameter \(name) is invalid.")
            case .malformed(.severalTimes):
                ServiceError(
                    "InvalidParameterCombination", .badRequest, "The parameter Timestamp cannot be used with the parameter Expires")
            case .tooFar(let text): ServiceError("RequestExpired", .badRequest, "Request has expired. Timestamp date is \(text)")
            case .expired(let end): ServiceError("RequestExpired", .badRequest, "Request has expired. Expires date is \(end.iso8601)")
            case .refused(let error): ServiceError(error)
            }
    }

    private static func text(_ fault: SigningError) -> String {
        switch fault {
        case .severalMechanisms: "Only one authentication mechanism is allowed."
        case .unsupportedAlgorithm(let name): "Unsupported AWS 'algorithm': '\(name)'"
        case .malformedComponent(let part):
            "'\(part)' not a valid key=value pair (missing equal-sign) in Authorization header."
        case .missingComponents(let names):
            names.map { "Authorization header requires '\($0)' parameter." }.joined(separator: " ")
        case .missingParameters(let names):
            names.map { "AWS query-string parameters must include '\($0)'." }.joined(separator: " ")
                + " Re-examine the query-string parameters."
        case .malformedCredential(let text, _):
            "Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '\(text)'"
        case .missingDate: "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header."
        case .malformedDate(let text):
            "Date must be in ISO-8601 'basic format'. Got '\(text)'. See http://en.wikipedia.org/wiki/ISO_8601"
        case .credentialDate(let presented, let expected):
            "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '\(presented)' != '\(expected)', from '\(expected)'."
        case .malformedExpires(let text): "'X-Amz-Expires' is not a number: '\(text)'"
        case .negativeExpires: "'X-Amz-Expires' must be non-negative"
        case .excessiveExpires: "'X-Amz-Expires' must be less than a week (in seconds)"
        case .hostNotSigned: "'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization."
        case .invalidPayloadHash(let text): "Invalid 'X-Amz-Content-Sha256': '\(text)'"
        }
    }
}
