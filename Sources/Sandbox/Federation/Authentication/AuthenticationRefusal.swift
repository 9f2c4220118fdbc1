import RequestSigning
import WireFormats

/// The error of AWS services other than S3 for a request that could not be authenticated: code and message. The wire protocol of the service
/// decides the rest. (STS API Reference, "Common Errors".)
package struct AuthenticationRefusal: Sendable {
    /// The code in the Query protocol; see ``codeInJSON`` for others.
    package let code: String
    /// The message.
    package let message: String
    /// Whether the request is malformed, and not refused.
    package let isMalformed: Bool

    private init(code: String, message: String, isMalformed: Bool = false) {
        self.code = code
        self.message = message
        self.isMalformed = isMalformed
    }

    /// The error for a request without a signature.
    package static let missingToken = Self(code: "MissingAuthenticationToken", message: "Request is missing Authentication Token")

    /// The code in protocols with JSON documents.
    package var codeInJSON: String { Self.codeInJSON(code) }

    /// Returns the code that protocols with JSON documents have for a code of the Query protocol.
    package static func codeInJSON(_ code: String) -> String { codesInJSON[code] ?? code }

    private static let codesInJSON = [
        "AccessDenied": "AccessDeniedException", "ExpiredToken": "ExpiredTokenException",
        "IncompleteSignature": "IncompleteSignatureException", "InvalidClientTokenId": "UnrecognizedClientException",
        "MalformedInput": "SerializationException", "MissingAuthenticationToken": "MissingAuthenticationTokenException",
        "SignatureDoesNotMatch": "InvalidSignatureException", "ValidationError": "ValidationException",
    ]
}

extension AuthenticationRefusal {
    /// Translates the error of a request that could not be authenticated.
    package init(_ error: AuthenticationError) {
        func mismatch(_ message: String) -> Self { Self(code: "SignatureDoesNotMatch", message: message) }
        func incomplete(_ message: String) -> Self { Self(code: "IncompleteSignature", message: message, isMalformed: true) }
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
                Self(code: "InvalidClientTokenId", message: "The security token included in the request is invalid.")
            case .expiredSessionToken:
                Self(code: "ExpiredToken", message: "The security token included in the request is expired")
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
